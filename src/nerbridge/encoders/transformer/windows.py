"""Sentences longer than the encoder: overlapping windows on word borders.

A window takes as many words as fit. The next one starts so that about twice `overlap` pieces are shared, and every word
is read from the window where it has most context on its poorer side; an end of the sentence counts as no lack at all.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Windows:
    """borders: (first word, end word) of each window. owner: for each word, the window it is read from."""

    borders: tuple[tuple[int, int], ...]
    owner: Ints


def cut_windows(word_lengths: Ints, capacity: int, overlap: int) -> Windows:
    """Windows of at most `capacity` pieces over words of `word_lengths` pieces, none longer than `capacity`.

    overlap: pieces of context that neighbouring windows share on each side of the border, where capacity allows.
    """
    assert word_lengths.max(initial=0) <= capacity, "a word is longer than a window"
    ends = np.cumsum(word_lengths)
    starts = ends - word_lengths
    shared = min(2 * overlap, capacity // 2)
    borders = [(0, _last_fitting(ends, capacity))]
    while borders[-1][1] < len(word_lengths):
        end = borders[-1][1]
        room = min(shared, capacity - int(word_lengths[end]))  # the next word must fit, or the windows stand still
        begin = int(np.searchsorted(starts, starts[end] - room))
        borders.append((begin, _last_fitting(ends, int(starts[begin]) + capacity)))
    return Windows(tuple(borders), _owners(borders, starts, ends))


def _last_fitting(ends: Ints, limit: int) -> int:
    return int(np.searchsorted(ends, limit, side="right"))


def _owners(borders: list[tuple[int, int]], starts: Ints, ends: Ints) -> Ints:
    owner = np.zeros(len(starts), np.int64)
    best = np.full(len(starts), -1, np.int64)
    endless = int(ends[-1]) + 1
    for number, (begin, end) in enumerate(borders):
        left = starts[begin:end] - starts[begin] if begin > 0 else np.full(end, endless)
        right = ends[end - 1] - ends[begin:end] if end < len(starts) else np.full(end - begin, endless)
        context = np.minimum(left, right)
        better = context > best[begin:end]
        owner[begin:end][better] = number
        best[begin:end][better] = context[better]
    return owner
