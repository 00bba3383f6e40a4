"""Finds text that an evaluation set holds too: pre-training on it would flatter every score.

A paragraph overlaps with a set when it shares `num_words` (13) normalised words in a row with one of its sentences, or
when it holds a whole shorter sentence of at least `shortest` (8) words. Both sides are tokenised by the same rules
first, so "don't" and "do n't" are equal. Rows of words are compared by 64-bit hashes; a false alarm takes an accident
of one in 10^12 per word.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nerbridge.corpus.hashing import Codes, mix, multipliers, normalised_words, word_codes
from nerbridge.data.tokenization import tokenize

MOST_SETS = 64
_SLOTS = 1 << 22  # bytes of a first look that refuses nearly all rows
_MULTIPLIERS = multipliers(64, 13)  # one for each place in a row


class OverlapGuard:
    """names: the evaluation sets, in order. Can be sent to other processes.

    short: the codes of whole sentences that are too short to be looked for: they mean something beside others alone.
    """

    def __init__(self, sets: Mapping[str, Iterable[Sequence[str]]], *, num_words: int = 13, shortest: int = 8) -> None:
        """sets: name -> its sentences, each a sequence of words; at most MOST_SETS."""
        assert len(sets) <= MOST_SETS, "each set is one bit"
        self.names = tuple(sets)
        rows: dict[int, int] = {}
        short: set[tuple[int, ...]] = set()
        lengths = {num_words}
        for bit, sentences in enumerate(sets.values()):
            for words in sentences:
                codes = word_codes(comparable_words(" ".join(words)))
                length = min(len(codes), num_words)
                if length < min(shortest, num_words):
                    short.add(tuple(codes.tolist()))
                    continue
                lengths.add(length)
                for row in _rows(codes, frozenset({length}))[length].tolist():
                    rows[row] = rows.get(row, 0) | 1 << bit
        self.short = frozenset(short) - {()}
        self._lengths = frozenset(lengths)
        order = sorted(rows)
        self._rows = np.array(order, dtype=np.uint64)
        self._bits = np.array([rows[row] for row in order], dtype=np.uint64)
        self._first_look = np.zeros(_SLOTS, dtype=bool)
        self._first_look[_slots(self._rows)] = True

    def __bool__(self) -> bool:
        return len(self._rows) > 0

    def fingerprint(self, *, with_short: bool = False) -> str:
        """SHA-256 of everything that decides what is found; with_short: of the short sentences too."""
        digest = hashlib.sha256(json.dumps([self.names, sorted(self._lengths)]).encode("utf-8"))
        digest.update(self._rows.tobytes() + self._bits.tobytes())
        if with_short:
            digest.update(json.dumps(sorted(self.short)).encode("utf-8"))
        return digest.hexdigest()

    def find(
        self, codes: Codes, sizes: NDArray[np.int64], wholes: NDArray[np.int64] | None = None
    ) -> NDArray[np.uint64]:
        """For every part of text, the sets that it overlaps with, as bits: bit i stands for names[i].

        codes: the words of all parts, one after the other. sizes: how many words each part has. wholes: how many parts
        each paragraph has (default: one); a row of words lies in one paragraph, and counts for each part it touches.
        """
        found = np.zeros(len(sizes), dtype=np.uint64)
        ends = np.cumsum(sizes)
        last = ends if wholes is None or not len(ends) else np.repeat(ends[np.cumsum(wholes) - 1], wholes)
        for length, rows in _rows(codes, self._lengths).items():
            places = np.flatnonzero(self._first_look[_slots(rows)])
            at = np.searchsorted(self._rows, rows[places])
            at[at == len(self._rows)] = 0
            equal = self._rows[at] == rows[places] if len(self._rows) else np.zeros(0, dtype=bool)
            begins, bits = places[equal], self._bits[at[equal]]
            first = np.searchsorted(ends, begins, "right")
            inside = begins + length <= last[first]
            begins, bits, first = begins[inside], bits[inside], first[inside]
            final = np.searchsorted(ends, begins + length - 1, "right")
            for step in range(int((final - first).max(initial=-1)) + 1):
                touched = first + step <= final
                np.bitwise_or.at(found, (first + step)[touched], bits[touched])
        return found

    def names_of(self, bits: int) -> list[str]:
        """The names of the sets that `bits` stands for."""
        return [name for bit, name in enumerate(self.names) if bits >> bit & 1]


def comparable_words(text: str) -> list[str]:
    """The normalised words of `text`, tokenised by the rules of raw text first."""
    return normalised_words(" ".join([text[start:end] for start, end in tokenize(text)]))


def _rows(codes: Codes, lengths: frozenset[int]) -> dict[int, Codes]:
    """length -> one number for every row of so many words, one for each place to start at."""
    rows: dict[int, Codes] = {}
    total = np.zeros(len(codes), dtype=np.uint64)
    for place in range(min(max(lengths), len(codes))):
        number = len(codes) - place
        total = total[:number] + codes[place:] * _MULTIPLIERS[place]
        if place + 1 in lengths:
            rows[place + 1] = mix(total ^ np.uint64(place + 1))
    return rows


def _slots(rows: Codes) -> NDArray[np.int64]:
    return (rows & np.uint64(_SLOTS - 1)).astype(np.int64)
