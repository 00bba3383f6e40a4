"""Raw text in which the words of a dictionary have their label, and all others none (Jia and Zhang 2020, section 3.2).

An entity dictionary holds names and single words of names ("Institute" is of an organisation); what is learnt from it
is the label of words, so it does not matter where names begin and end.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from nerbridge.config.dictionary import DictionarySettings
from nerbridge.corpus.gazetteer import SHOWN, Gazetteer, such_as
from nerbridge.corpus.matching import Matcher
from nerbridge.corpus.matching_names import BROADER, FormBuilder, NameForms, broader_labels
from nerbridge.corpus.matching_ordinary import candidates, count_forms
from nerbridge.data.labels import LabelSet, canonical
from nerbridge.data.near_labels import with_nearest
from nerbridge.data.sentence import Annotation, Sentence, Span
from nerbridge.errors import DataError
from nerbridge.wording import counted


@dataclass(frozen=True)
class Dictionary:
    """Names with their labels, and how they are looked for."""

    names: Gazetteer
    settings: DictionarySettings


def label_words(
    sentences: Sequence[Sentence], dictionary: Dictionary, labels: LabelSet, domain: str, tagged_by: str | None = None
) -> tuple[tuple[Sentence, ...], list[str]]:
    """The words of `sentences`, those that are names of one of `labels` known, all others unknown; and what was found.

    A list of a label that `labels` lack counts for the nearest broader one that they have: politicians are persons.
    What the sentences themselves say of their labels is dropped. domain: for messages. tagged_by: the domain whose
    labels they are; None: `domain`.
    Raises DataError when no name of the dictionary has one of the labels.
    """
    whose = tagged_by or domain
    names, renamed = dictionary.names.respelled(labels.names)
    raised = broader_labels(names.labels, labels.names, dictionary.settings.broader)
    lost = _unknown_holders(dictionary.settings.broader, (*labels.names, *names.labels))
    names = names.renamed(raised)
    own, others = names.parted(labels)
    lacking = [label for label in names.labels if label not in labels]
    if not own.labels:
        raise _no_label(names, labels, domain, whose)
    forms = _forms(own, others, dictionary.settings, sentences)
    found, labelled = _found(sentences, forms)
    notes = [f"{domain}: label '{old}' of the dictionary is read as '{new}'" for old, new in sorted(renamed.items())]
    if raised:
        counting = ", ".join(f"{label} as {above}" for label, above in raised.items())
        notes.append(f"{domain}: lists of the dictionary that count for a broader label of {whose}: {counting}")
    if lacking:
        left_out = f"lists of the dictionary left out, for {whose} lacks their labels"
        notes.append(f"{domain}: {left_out}: {with_nearest(lacking, labels.names)}")
    notes += [f"{domain}: {line}" for line in lost]
    notes += [f"{domain}: names of the dictionary: {line}" for line in forms.counts.report()]
    notes += [f"{domain}: {line}" for line in _told(found, own.labels, labelled)]
    return labelled, notes


def _forms(own: Gazetteer, others: Gazetteer, settings: DictionarySettings, sentences: Sequence[Sentence]) -> NameForms:
    """What is looked for: the names of `own` labels, and longer ones of `others`, which have no label here.

    London is no place in London Imperial College, whether the tagger knows universities or not.
    """
    frequencies: Counter[str] = Counter()
    if settings.ordinary != "keep" and settings.ordinary_by == "corpus":
        frequencies, _ = count_forms((sentence.words for sentence in sentences), candidates(own.names))
    forms = FormBuilder(own, settings.matching, frequencies).build()
    anyhow = settings.matching.model_copy(update={"ambiguous": "any"})
    longer = (form for form in FormBuilder(others, anyhow).build().forms if " " in form)
    return replace(forms, forms={**dict.fromkeys(longer, 0), **forms.forms})


@dataclass
class Finds:
    """names: how many were found of each label; several: with more than one.

    covered: names that stand inside a longer one of a list that is left out; longer: how often which of those.
    """

    names: Counter[str] = field(default_factory=Counter)
    several: int = 0
    covered: int = 0
    longer: Counter[str] = field(default_factory=Counter)


def _found(sentences: Sequence[Sentence], forms: NameForms) -> tuple[Finds, tuple[Sentence, ...]]:
    """What was found, and the sentences with it."""
    matcher, found = Matcher(forms), Finds()
    labelled: list[Sentence] = []
    for sentence in sentences:
        matches = matcher.matches(sentence.words)
        spans = [Span(match.start, match.end, match.labels[0]) for match in matches if len(match.labels) == 1]
        found.names.update(span.label for span in spans)
        found.several += sum(len(match.labels) > 1 for match in matches)
        for match in (match for match in matches if not match.labels):
            inside = _names_inside(sentence.words[match.start : match.end], forms)
            found.covered += inside
            found.longer[" ".join(sentence.words[match.start : match.end])] += bool(inside)
        labelled.append(_labelled(sentence.words, spans))
    return found, tuple(labelled)


def _names_inside(words: Sequence[str], forms: NameForms) -> int:
    """How many names of labels stand in `words`, one of them behind another."""
    spelled = [word.lower() for word in words] if forms.fold else words
    number, start = 0, 0
    while start < len(spelled):
        ends = range(len(spelled), start, -1)
        end = next((end for end in ends if forms.forms.get(" ".join(spelled[start:end]))), None)
        number += end is not None
        start = start + 1 if end is None else end
    return number


def _unknown_holders(broader: Mapping[str, str], known: Sequence[str]) -> list[str]:
    """What is said of labels that a setting calls broader and that nobody has: slips."""
    reached = {canonical(label) for label in (*known, *BROADER, *BROADER.values(), *broader)}
    lost = sorted({label for label in broader.values() if canonical(label) not in reached})
    said = "transfer.dictionary.broader: no list and no label of the tagger is called"
    return [f"{said} {with_nearest([label], known)}" for label in lost]


def _told(found: Finds, labels: Sequence[str], labelled: Sequence[Sentence]) -> list[str]:
    """What is said of the finds. labels: that have lists."""
    names = {label: found.names[label] for label in sorted(labels)}
    words = sum(span.end - span.start for one in labelled for span in one.spans)
    each = ", ".join(f"{label} {number:,}" for label, number in names.items())
    finds, of = counted(sum(names.values()), "name"), counted(sum(map(len, labelled)), "word")
    told = [f"the dictionary finds {finds} in raw text, {each}; {words:,} of {of} are known by them"]
    if not words:
        told.append(f"the dictionary teaches nothing; {_nothing_found(found)}")
    if found.several:
        told.append(f"{counted(found.several, 'find')} of the dictionary with several labels left unknown")
    if found.covered:
        examples = such_as(name for name, times in found.longer.most_common(SHOWN) if times)
        finds = counted(found.covered, "find")
        told.append(f"{finds} of the dictionary left unknown inside longer names of lists that are left out{examples}")
    return told


def _nothing_found(found: Finds) -> str:
    """Why that may be."""
    if found.covered and not found.several:
        return "what it finds stands inside longer names of lists that are left out"
    if found.several:
        return "what it finds is in the lists of several labels: take such names out of all but one"
    return (
        "its names must stand in the text as whole words between spaces or punctuation, written as "
        'transfer.dictionary.case says ("lower": capitals do not matter)'
    )


def _labelled(words: tuple[str, ...], spans: Sequence[Span]) -> Sentence:
    if not spans:
        return Sentence(words, annotation=Annotation.NONE)
    known = [False] * len(words)
    for span in spans:
        known[span.start : span.end] = [True] * (span.end - span.start)
    return Sentence(words, tuple(spans), Annotation.PARTIAL, tuple(known))


def _no_label(names: Gazetteer, labels: LabelSet, domain: str, whose: str) -> DataError:
    tagging = "" if whose == domain else f", whose head tags {domain}"
    return DataError(
        f"no list of the dictionary is of a label of {whose}{tagging}: {', '.join(names.labels)}",
        where="transfer.dictionary.files",
        expected=f"lists named for labels: {', '.join(labels.names)}",
        hint="rename the lists: the name of a list <label>.txt is its label; or name the label that theirs is a kind "
        "of: --set transfer.dictionary.broader.guitarist=person",
    )
