"""One step's rows as tensors: padded, masked, split into what one process holds at once."""

from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Bool, Int
from numpy.typing import NDArray
from torch import Tensor

from nerbridge.batching.batch import UNKNOWN
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.encoders.transformer.vectorizer import SpecialPieces
from nerbridge.pretraining.masking import Ids, PieceTraits, choose_positions, replace_pieces
from nerbridge.pretraining.packing import Rows
from nerbridge.pretraining.step_batch import Share, StepBatch


@dataclass(frozen=True)
class MaskedRows:
    """Rows that go through the encoder together.

    pieces: with masks in their place. attended: False at padding; None where there is none. positions: of the pieces to
    fill in, in the flattened rows, at least one. targets: what stood there, UNKNOWN where nothing is to be filled in.
    num_pieces: padding not counted.
    """

    pieces: Int[Tensor, "row piece"]
    attended: Bool[Tensor, "row piece"] | None
    positions: Int[Tensor, " masked"]
    targets: Int[Tensor, " masked"]
    num_pieces: int

    def to(self, device: torch.device) -> "MaskedRows":
        """The same rows on `device`; from pinned memory the copying waits for nothing."""
        return replace(
            self,
            pieces=self.pieces.to(device, non_blocking=True),
            attended=None if self.attended is None else self.attended.to(device, non_blocking=True),
            positions=self.positions.to(device, non_blocking=True),
            targets=self.targets.to(device, non_blocking=True),
        )

    def pinned(self) -> "MaskedRows":
        """The same rows in memory that a GPU reads directly."""
        return replace(
            self,
            pieces=self.pieces.pin_memory(),
            attended=None if self.attended is None else self.attended.pin_memory(),
            positions=self.positions.pin_memory(),
            targets=self.targets.pin_memory(),
        )


MaskedBatch = StepBatch[MaskedRows]


class Collator:
    """Makes batches of rows of the piece array. separator: between documents that share a row."""

    def __init__(
        self, pieces: NDArray[np.generic], rows: Rows, special: SpecialPieces, traits: PieceTraits, separator: int
    ) -> None:
        self._pieces, self._rows, self._special, self._traits = pieces, rows, special, traits
        self._separator = np.array([separator], np.int64)
        self.sizes: Ids = rows.sizes(len(special.before) + len(special.after), 1)

    def __call__(self, numbers: Ids, settings: PretrainingSettings, seed: int, share: Share) -> MaskedBatch:
        """The rows `numbers`, masked; equal arguments give equal batches, and all processes draw the same masks."""
        numbers = numbers[np.argsort(-self.sizes[numbers], kind="stable")]
        sizes = self.sizes[numbers]
        original = self._padded(numbers, sizes)
        random = np.random.default_rng(seed)
        chosen = choose_positions(original, self._traits, settings, random)
        replaced = replace_pieces(original, chosen, self._traits, random)
        own = np.arange(len(numbers))[share.index :: share.count]
        weight = float(len(own) > 0)
        own = own if len(own) else np.zeros(1, np.int64)
        parts = []
        while len(own):
            size = max(share.at_once // int(sizes[own[0]]), 1)
            now, own = own[:size], own[size:]
            parts.append(_masked_rows(original, replaced, chosen, sizes, now))
        return MaskedBatch(tuple(parts), weight, int(chosen.sum()), int(sizes.sum()))

    def row(self, number: int) -> list[int]:
        """The ids of one row, special pieces included, nothing masked."""
        ids: list[int] = self._padded(np.array([number]), self.sizes[[number]])[0].tolist()
        return ids

    def _padded(self, numbers: Ids, sizes: Ids) -> Ids:
        rows, special = self._rows, self._special
        before, after = np.array(special.before, np.int64), np.array(special.after, np.int64)
        padded = np.full((len(numbers), int(sizes.max())), special.padding, np.int64)
        for line, number, size in zip(padded, numbers.tolist(), sizes.tolist(), strict=True):
            place = len(before)
            line[:place] = before
            for k in range(int(rows.borders[number]), int(rows.borders[number + 1])):
                if k > rows.borders[number]:
                    line[place] = self._separator[0]
                    place += 1
                start, length = int(rows.starts[k]), int(rows.lengths[k])
                line[place : place + length] = self._pieces[start : start + length]
                place += length
            line[place:size] = after
        return padded


def _masked_rows(original: Ids, replaced: Ids, chosen: NDArray[np.bool_], sizes: Ids, now: Ids) -> MaskedRows:
    width = int(sizes[now[0]])  # the longest comes first
    attended = np.arange(width) < sizes[now][:, None]
    places = np.flatnonzero(chosen[now, :width])
    targets = original[now, :width].ravel()[places]
    if not len(places):  # heads want something to see
        places, targets = np.zeros(1, np.int64), np.full(1, UNKNOWN)
    return MaskedRows(
        pieces=torch.from_numpy(replaced[now, :width]),
        attended=None if attended.all() else torch.from_numpy(attended),
        positions=torch.from_numpy(places),
        targets=torch.from_numpy(targets),
        num_pieces=int(sizes[now].sum()),
    )
