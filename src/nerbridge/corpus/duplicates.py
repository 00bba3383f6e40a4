"""Which paragraphs were there before: a table of keys whose size never grows.

Every paragraph brings one key for its exact words and some for its similarity. A key is a place in a table of buckets
with eight slots each, and 32 bits that are kept in one of them. A full bucket forgets its oldest key, so memory stays
what was asked for, whatever is read; how many keys were forgotten is counted. Two different keys are taken for equal
with a probability of 2 in 10^9.
"""

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

SLOTS = 8
_BUCKET_BYTES = SLOTS * 4 + 1  # the kept bits, and which slot is the oldest


class Repetition(StrEnum):
    """How a paragraph repeats an earlier one; the values are reasons of the tally."""

    EXACT = "exact_duplicate"
    NEAR = "near_duplicate"


class DuplicateFilter:
    """megabytes: the size of the table (1 MB = 2^20 bytes). forgotten: keys that made room for newer ones."""

    def __init__(self, megabytes: int) -> None:
        self.forgotten = 0
        self._num_buckets = np.uint64(max((megabytes << 20) // _BUCKET_BYTES, 1))
        self._table = np.zeros((int(self._num_buckets), SLOTS), dtype=np.uint32)
        self._oldest = np.zeros(int(self._num_buckets), dtype=np.uint8)

    def take(self, keys: NDArray[np.uint64]) -> Repetition | None:
        """How the paragraph with these keys repeats one that was added before; None for a new one, which is added.

        keys: the first is that of the exact words; 0 stands for no key.
        """
        buckets, kept = self._places(keys)
        hits = (self._table[buckets] == kept[:, None]).any(axis=1)
        if hits.any():
            return Repetition.EXACT if keys[0] != 0 and hits[0] else Repetition.NEAR
        self._put(buckets, kept)
        return None

    def add(self, keys: NDArray[np.uint64]) -> None:
        """Remembers the keys of a paragraph."""
        self._put(*self._places(keys))

    def _put(self, buckets: NDArray[np.int64], kept: NDArray[np.uint32]) -> None:
        slots = self._oldest[buckets]
        self.forgotten += int(np.count_nonzero(self._table[buckets, slots]))
        self._table[buckets, slots] = kept
        self._oldest[buckets] = (slots + 1) % SLOTS

    def _places(self, keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """The bucket of every key that is not 0, and the bits that are kept of it, which are never 0."""
        keys = keys[keys != 0]
        low = keys & np.uint64(0xFFFFFFFF)
        buckets = ((low * self._num_buckets) >> np.uint64(32)).astype(np.int64)
        return buckets, (keys >> np.uint64(32)).astype(np.uint32) | np.uint32(1)
