"""Documents -> rows of at most a fixed number of pieces, and rows -> batches of neighbours in length.

A row never crosses documents, unless short ones are joined on purpose. A long document is cut into rows of equal size,
at word borders, so that none is a leftover. Batches hold rows of similar length, so little of them is padding.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nerbridge.pretraining.masking import Flags, Ids

JITTER = 0.03  # lengths are blurred by so much before sorting: the same rows should not always meet
POOL_BATCHES = 50  # rows are sorted inside pools of about so many batches


@dataclass(frozen=True)
class Rows:
    """Slices of the piece array, special pieces not counted: slice k is pieces[starts[k] : starts[k] + lengths[k]].

    Row i has the slices borders[i] to borders[i + 1] - 1: one, or several short documents that were joined.
    """

    starts: Ids
    lengths: Ids
    borders: Ids

    def __len__(self) -> int:
        return len(self.borders) - 1

    def sizes(self, around: int, between: int) -> Ids:
        """Pieces per row, with so many special pieces `around` every row and `between` two slices of one."""
        if not len(self):
            return np.zeros(0, np.int64)
        slices = np.diff(self.borders)
        sizes: Ids = np.add.reduceat(self.lengths, self.borders[:-1]) + around + between * (slices - 1)
        return sizes


def cut_rows(pieces: NDArray[Any], starts: Ids, chosen: Flags, capacity: int, continues: Flags) -> Rows:
    """The rows of the `chosen` documents, in order. capacity: pieces of a full row, special pieces not counted."""
    begins, lengths = starts[:-1][chosen], np.diff(starts)[chosen]
    begins, lengths = begins[lengths > 0], lengths[lengths > 0]
    short = lengths <= capacity
    found = [np.stack([begins[short], lengths[short]])]
    for begin, length in zip(begins[~short].tolist(), lengths[~short].tolist(), strict=True):
        found.append(_cut_document(pieces, begin, length, capacity, continues))
    together = np.concatenate(found, axis=1)
    together = together[:, np.argsort(together[0], kind="stable")]
    return Rows(together[0], together[1], np.arange(together.shape[1] + 1))


def _cut_document(pieces: NDArray[Any], begin: int, length: int, capacity: int, continues: Flags) -> Ids:
    """Starts and lengths of equal rows; a border inside a word moves to the word's start, where one is near."""
    number = -(-length // capacity)
    borders = begin + np.arange(number + 1) * length // number
    for _ in range(min(8, capacity // 4)):
        inside = continues[pieces[borders[1:-1]]]
        borders[1:-1] -= inside
    lengths = np.diff(borders)
    if lengths.max() > capacity:  # moved borders made a full row longer: back to where they were
        borders = begin + np.arange(number + 1) * length // number
        lengths = np.diff(borders)
    return np.stack([borders[:-1], lengths])


def join_rows(rows: Rows, capacity: int, between: int) -> Rows:
    """Neighbouring rows of one slice each, together in one row where they fit. between: special pieces between two."""
    borders, size = [0], 0
    for number, length in enumerate(rows.lengths.tolist()):
        if number > borders[-1] and size + between + length > capacity:
            borders.append(number)
            size = 0
        size += length + (between if number > borders[-1] else 0)
    if len(rows):
        borders.append(len(rows))
    return Rows(rows.starts, rows.lengths, np.array(borders, np.int64))


def epoch_rows(lengths: Ids, budget: int, seed: int) -> Iterator[Ids]:
    """Batches of row numbers, shuffled; every row is in exactly one.

    lengths: pieces per row, special pieces included. budget: pieces of a batch, padding included; at least one row.
    """
    random = np.random.default_rng(seed)
    order = random.permutation(len(lengths))
    if not len(order):
        return
    blurred = lengths[order] * (1 + JITTER * random.uniform(-1, 1, len(order)))
    mean = max(float(lengths.mean()), 1.0)
    pool = max(int(POOL_BATCHES * budget / mean), 1)
    batches: list[Ids] = []
    for begin in range(0, len(order), pool):
        inside = order[begin : begin + pool]
        batches.extend(_cut_batches(inside[np.argsort(-blurred[begin : begin + pool], kind="stable")], lengths, budget))
    for number in random.permutation(len(batches)):
        yield batches[number]


def _cut_batches(order: Ids, lengths: Ids, budget: int) -> Iterator[Ids]:
    begin = 0
    while begin < len(order):
        most = max(int(budget / max(lengths[order[begin]], 1) * (1 + 2 * JITTER)) + 2, 1)
        window = order[begin : begin + most]
        costs = np.maximum.accumulate(lengths[window]) * np.arange(1, len(window) + 1)
        size = max(int(np.searchsorted(costs, budget, side="right")), 1)
        yield window[:size]
        begin += size
