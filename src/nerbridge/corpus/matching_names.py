"""A gazetteer -> the names that are looked for: labels settled, ordinary words handled, each in the ways it is written.

Everything that is left out on the way is counted.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from nerbridge.config.gazetteer import GazetteerSettings
from nerbridge.corpus.gazetteer import Gazetteer, NameCounts, labels_of_bits
from nerbridge.corpus.matching_forms import Cut, case_forms, cut_words, noun_forms, noun_labels, word_forms
from nerbridge.corpus.matching_ordinary import ORDINARY_CAPITALS, in_list, written_small
from nerbridge.data.labels import canonical

# CrossNER's labels that are kinds of another one: "if a person is a politician, that person should be annotated as a
# politician" (CrossNER, data statistics).
BROADER: Mapping[str, str] = {
    **dict.fromkeys(("politician", "scientist", "researcher", "writer", "musicalartist"), "person"),
    **dict.fromkeys(("politicalparty", "university", "band"), "organisation"),
    "country": "location",
    "election": "event",
    "enzyme": "protein",
    "poem": "book",
}
SEVERAL = "in the lists of several labels"
ORDINARY = "ordinary words"


@dataclass(frozen=True, slots=True)
class NameForms:
    """What is looked for in text.

    forms: written form (words joined by single spaces) -> bits of its labels. inner: forms that count only behind the
    first word of a sentence. fold: text is compared in small letters. counts: what was left out, what was changed.
    """

    labels: tuple[str, ...]
    forms: Mapping[str, int]
    inner: frozenset[str] = frozenset()
    fold: bool = False
    counts: NameCounts = field(default_factory=NameCounts, compare=False)

    def labels_with_forms(self) -> tuple[str, ...]:
        """The labels that something is looked for of; names that count for a narrower label are none of the broader."""
        together = reduce(or_, set(self.forms.values()), 0)
        return labels_of_bits(self.labels, together)


class FormBuilder:
    """Settles labels, capitals and ordinary words of one gazetteer.

    frequencies: how often the corpus writes a word so and so (`count_forms`); empty where the corpus is not asked.
    cut: how the corpus cuts words.
    """

    def __init__(
        self,
        gazetteer: Gazetteer,
        settings: GazetteerSettings,
        frequencies: Mapping[str, int] | None = None,
        cut: Cut = cut_words,
    ) -> None:
        self._gazetteer = gazetteer
        self._settings = settings
        self._frequencies = frequencies or {}
        self._cut = cut
        self._nouns = noun_labels(gazetteer) if settings.case == "smart" else 0
        self._broader = broader_bits(gazetteer.labels, {**BROADER, **settings.broader})
        self._narrowed: dict[int, int] = {}
        self._forms: dict[str, int] = {}
        self._inner: set[str] = set()
        self._counts = NameCounts()

    @property
    def nouns(self) -> tuple[str, ...]:
        """The labels whose names are nouns, which are looked for with a small first letter too."""
        return labels_of_bits(self._gazetteer.labels, self._nouns)

    def build(self) -> NameForms:
        """Every name in every form."""
        for name, bits in self._gazetteer.names.items():
            self._counts.read += 1
            self._take(name, self._narrow(bits))
        fold = self._settings.case == "lower"
        return NameForms(self._gazetteer.labels, self._forms, frozenset(self._inner), fold, self._counts)

    def _take(self, name: str, bits: int) -> None:
        if bits.bit_count() > 1:
            if self._settings.ambiguous == "drop":
                self._counts.leave_out(SEVERAL, name)
                return
            self._counts.changed["of several labels"] += 1
        written = dict.fromkeys(case_forms(name, self._settings.case), bits)
        if bits & self._nouns:
            written = {**dict.fromkeys(noun_forms(name), bits & self._nouns), **written}
        inner = False
        if self._settings.ordinary != "keep" and self._is_ordinary(name, written, bits):
            if self._settings.ordinary == "drop":
                self._counts.leave_out(ORDINARY, name)
                return
            self._counts.changed["that are ordinary words: they count only inside a sentence"] += 1
            inner = True
        for form, own in written.items():
            for words in word_forms(form, self._cut):
                self._forms[words] = self._forms.get(words, 0) | own
                if inner:
                    self._inner.add(words)

    def _is_ordinary(self, name: str, written: Iterable[str], bits: int) -> bool:
        if name.isupper() and name not in ORDINARY_CAPITALS and self._settings.case != "lower":
            return False  # WHO is not who, unless capitals do not matter
        if in_list(name, small=any(form == form.lower() for form in written)):
            return True
        return not bits & self._nouns and " " not in name and written_small(name, self._frequencies)

    def _narrow(self, bits: int) -> int:
        """`bits` without labels that hold another of them; remembered, for few combinations occur."""
        if bits not in self._narrowed:
            kept = bits
            for bit, broader in self._broader:
                if bits & bit:
                    kept &= ~broader
            self._narrowed[bits] = kept or bits
        if self._narrowed[bits] != bits:
            self._counts.changed["of a label and a broader one: the narrower counts"] += 1
        return self._narrowed[bits]


def broader_labels(labels: Iterable[str], onto: Iterable[str], broader: Mapping[str, str]) -> dict[str, str]:
    """The labels that `onto` lacks, each with the nearest broader one that it has: {'politician': 'person'}.

    broader: label -> the label that holds it, beside CrossNER's. Labels without a broader one in `onto` are left out.
    """
    known = {canonical(label): label for label in onto}
    holders = _holders({**BROADER, **broader})
    found = {}
    for label in labels:
        above = next((one for one in _above(canonical(label), holders) if one in known), None)
        if canonical(label) not in known and above is not None:
            found[label] = known[above]
    return found


def broader_bits(labels: tuple[str, ...], broader: Mapping[str, str]) -> list[tuple[int, int]]:
    """(bit of a label, bits of the labels that hold it) for all labels that have any; spellings of the table of
    `nerbridge.data.labels` are equated, so organization holds band as organisation does."""
    holders = _holders(broader)
    known: dict[str, int] = {}  # canonical name -> bits of the labels that are spellings of it
    for place, label in enumerate(labels):
        known[canonical(label)] = known.get(canonical(label), 0) | 1 << place
    pairs = []
    for place, label in enumerate(labels):
        bits = reduce(or_, (known.get(above, 0) for above in _above(canonical(label), holders)), 0)
        if bits:
            pairs.append((1 << place, bits))
    return pairs


def _holders(broader: Mapping[str, str]) -> dict[str, str]:
    return {canonical(label): canonical(holder) for label, holder in broader.items()}


def _above(label: str, holders: Mapping[str, str]) -> Iterator[str]:
    """The labels that hold `label`, the nearest first; a label without a list may stand between two that have one.

    A circle ends where it began, so that no label is above itself.
    """
    passed = {label}
    while (label := holders.get(label, "")) and label not in passed:
        passed.add(label)
        yield label
