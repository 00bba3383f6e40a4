"""Finding millions of names in sentences: whole words, leftmost, longest, in one pass (Aho-Corasick).

The automaton reads bytes. Every word stands between spaces of its own, in names and in text: " New  York ". So names
match at word borders only, names side by side share no space, and the longest name from a word on is the one found.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from nerbridge.corpus.gazetteer import labels_of_bits
from nerbridge.corpus.matching_names import NameForms
from nerbridge.errors import MissingExtraError

Found = list[tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class Match:
    """Words `start` (inclusive) to `end` (exclusive) of a sentence are a name; labels: all that it has."""

    start: int
    end: int
    labels: tuple[str, ...]


class Matcher:
    """Finds the names of `forms` in sentences.

    labels: of the names. patterns: the written forms, in the order of the numbers that `find` returns. bits: their
    labels. Raises MissingExtraError when the part `corpus` is not installed.
    """

    def __init__(self, forms: NameForms) -> None:
        self.labels = forms.labels
        self.patterns = list(forms.forms)
        self.bits = list(forms.forms.values())
        self._fold = forms.fold
        self._inner = bytearray(form in forms.inner for form in self.patterns) if forms.inner else None
        self._search = build_automaton(padded(form.split(" ")) for form in self.patterns)

    def find(self, words: Sequence[str]) -> Found:
        """(number of the pattern, start, end) of every name in a sentence, left to right, none over another.

        start, end: places in the bytes of `padded(words)`; `words_of` turns them into words.
        """
        text = "  ".join(words)
        if self._fold:
            text = text.lower()
        found = self._search(b" " + text.encode("utf-8", "surrogatepass") + b" ")
        if self._inner is not None and found and found[0][1] == 0 and self._inner[found[0][0]]:
            del found[0]
        return found

    def matches(self, words: Sequence[str]) -> list[Match]:
        """The names of a sentence with their places, counted in words, and their labels."""
        spans = self.words_of(words, self.find(words))
        return [Match(start, end, labels_of_bits(self.labels, self.bits[number])) for number, start, end in spans]

    def words_of(self, words: Sequence[str], found: Found) -> Found:
        """What `find` found in `words`, with places counted in words instead of bytes."""
        if not found:
            return []
        folded = map(str.lower, words) if self._fold else words
        lengths = (len(word.encode("utf-8", "surrogatepass")) + 2 for word in folded)
        borders = {place: number for number, place in enumerate(accumulate(lengths, initial=0))}
        return [(number, borders[start], borders[end]) for number, start, end in found]


def padded(words: Sequence[str]) -> bytes:
    """Every word between spaces of its own, in UTF-8: b' New  York '."""
    return b" " + "  ".join(words).encode("utf-8", "surrogatepass") + b" "


def build_automaton(patterns: Iterable[bytes]) -> Callable[[bytes], Found]:
    """What finds `patterns` in bytes: leftmost, of several the longest, none over another."""
    try:
        from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind
    except ModuleNotFoundError:
        raise MissingExtraError("ahocorasick_rs, which finds names in text,", "corpus") from None
    automaton = BytesAhoCorasick(patterns, MatchKind.LeftmostLongest, Implementation.ContiguousNFA)
    search: Callable[[bytes], Found] = automaton.find_matches_as_indexes
    return search
