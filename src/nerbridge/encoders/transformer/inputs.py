"""What a transformer reads: rows of pieces, and where in them every word is found."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Bool, Int
from numpy.typing import NDArray
from torch import Tensor

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TransformerItem:
    """One sentence, not padded.

    pieces: ids of all its rows (windows), special pieces included, one row after the other.
    row_lengths: pieces per row.
    word_starts, word_lengths: for each word, the index in `pieces` of the piece it starts with, and its pieces there.
    """

    pieces: Ids
    row_lengths: tuple[int, ...]
    word_starts: Ids
    word_lengths: Ids

    @property
    def num_pieces(self) -> int:
        return len(self.pieces)

    @property
    def num_words(self) -> int:
        return len(self.word_starts)


@dataclass(frozen=True)
class TransformerInputs:
    """Rows of pieces of one batch, and how to read words from them.

    pieces, piece_mask: padded rows; a sentence has one row, or several when it is longer than the encoder.
    word_mask: True where a word exists.
    starts, lengths: for each word, the position of its first piece in the flattened rows, and its number of pieces;
        0 where there is no word.
    longest_word: the largest number of pieces of a word.
    """

    pieces: Int[Tensor, "row piece"]
    piece_mask: Bool[Tensor, "row piece"]
    word_mask: Bool[Tensor, "batch unit"]
    starts: Int[Tensor, "batch unit"]
    lengths: Int[Tensor, "batch unit"]
    longest_word: int

    def to(self, device: torch.device) -> "TransformerInputs":
        """The same inputs on `device`."""
        return replace(
            self,
            pieces=self.pieces.to(device, non_blocking=True),
            piece_mask=self.piece_mask.to(device, non_blocking=True),
            word_mask=self.word_mask.to(device, non_blocking=True),
            starts=self.starts.to(device, non_blocking=True),
            lengths=self.lengths.to(device, non_blocking=True),
        )


def collate(items: Sequence[TransformerItem], pad_id: int) -> TransformerInputs:
    """Pads `items` to one batch."""
    row_lengths = np.fromiter((length for item in items for length in item.row_lengths), np.int64)
    piece_mask = prefix_mask(row_lengths)
    pieces = np.full(piece_mask.shape, pad_id, np.int64)
    pieces[piece_mask] = np.concatenate([item.pieces for item in items])
    word_mask = prefix_mask(np.fromiter((item.num_words for item in items), np.int64))
    starts, lengths = (np.zeros(word_mask.shape, np.int64) for _ in range(2))
    ends = np.cumsum([item.num_pieces for item in items])
    unpadded = np.concatenate([item.word_starts + end - item.num_pieces for item, end in zip(items, ends, strict=True)])
    starts[word_mask] = np.flatnonzero(piece_mask)[unpadded]
    lengths[word_mask] = np.concatenate([item.word_lengths for item in items])
    return TransformerInputs(
        pieces=torch.from_numpy(pieces),
        piece_mask=torch.from_numpy(piece_mask),
        word_mask=torch.from_numpy(word_mask),
        starts=torch.from_numpy(starts),
        lengths=torch.from_numpy(lengths),
        longest_word=int(lengths.max(initial=1)),
    )


def prefix_mask(lengths: Ids) -> NDArray[np.bool_]:
    """True in the first `lengths[i]` columns of row i."""
    mask: NDArray[np.bool_] = np.arange(lengths.max(initial=0)) < lengths[:, None]
    return mask
