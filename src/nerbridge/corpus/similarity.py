"""Keys under which much alike paragraphs meet: MinHash with bands (Broder 1997; Leskovec et al., chapter 3).

A paragraph is the set of its pairs of neighbouring words. For each of BANDS x r hash functions its least hash is kept;
two sets agree in one with a probability that is their Jaccard similarity s. The least hashes of r functions make one
key, so that two paragraphs share at least one of BANDS keys with probability 1 - (1 - s^r)^BANDS. r is the largest for
which paragraphs just as similar as asked for meet with a probability of at least RECALL.
"""

import math

import numpy as np
from numpy.typing import NDArray

from nerbridge.corpus.hashing import Codes, mix, multipliers

BANDS = 20
RECALL = 0.97


class SimilarityKeys:
    """similarity: the Jaccard similarity (0 to 1) of word pairs from which on paragraphs shall meet."""

    def __init__(self, similarity: float, seed: int) -> None:
        self.rows = rows_per_band(similarity)
        drawn = multipliers(2 * BANDS * self.rows, seed)
        self._factors = (drawn[: BANDS * self.rows] >> np.uint64(32)).astype(np.uint32) | np.uint32(1)
        self._shifts = (drawn[BANDS * self.rows :] >> np.uint64(32)).astype(np.uint32)
        self._places = multipliers(self.rows, seed + 1)
        self._bands = multipliers(BANDS, seed + 2)

    def of(self, codes: Codes, sizes: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Keys, shape (paragraphs, BANDS); all 0 for a paragraph of fewer than two words.

        codes: the words of all paragraphs, one after the other. sizes: how many words each paragraph has.
        """
        keys = np.zeros((len(sizes), BANDS), dtype=np.uint64)
        wide = np.flatnonzero(sizes > 1)
        if not len(wide):
            return keys
        pairs = mix(codes[:-1] * np.uint64(3) + codes[1:])
        inside = np.ones(len(pairs), dtype=bool)
        ends = np.cumsum(sizes)
        inside[ends[ends < len(codes)] - 1] = False  # the last word of a paragraph and the first of the next
        hashes = (pairs[inside] >> np.uint64(32)).astype(np.uint32)
        counts = sizes[wide] - 1
        starts = np.cumsum(counts) - counts
        buffer = np.empty_like(hashes)
        for band in range(BANDS):
            total = np.zeros(len(wide), dtype=np.uint64)
            for row in range(self.rows):
                number = band * self.rows + row
                np.bitwise_xor(hashes, self._shifts[number], out=buffer)
                np.multiply(buffer, self._factors[number], out=buffer)
                total += np.minimum.reduceat(buffer, starts) * self._places[row]
            keys[wide, band] = mix(total ^ self._bands[band])
        return keys


def rows_per_band(similarity: float) -> int:
    """r of the module's text.

    >>> rows_per_band(0.8)
    8
    """
    agreement = 1 - (1 - RECALL) ** (1 / BANDS)  # what s^r must be
    return max(int(math.log(agreement) / math.log(similarity)), 1)
