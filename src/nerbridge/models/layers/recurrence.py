"""A bidirectional LSTM whose weights come from outside: the arithmetic of `torch.nn.LSTM`, one layer, batch first.

For each direction with input weights U, recurrent weights R and biases b, b' (gates i, f, g, o stacked in this order):

    i, f, o = sigmoid(U x_t + b + R h_{t-1} + b')    g = tanh(the same)                              (1)
    c_t = f c_{t-1} + i g          h_t = o tanh(c_t)                                                 (2)
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

GATES = 4
DIRECTIONS = 2


@dataclass(frozen=True)
class LstmLayout:
    """How the weights of both directions lie in one row of numbers: all matrices first, then all biases.

    This is the layout that cuDNN wants, so that on a GPU nothing is copied. width: of the vectors. half: of the states
    of one direction.
    """

    width: int
    half: int

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Of the weights: input and recurrent matrix forward and back, then both biases forward and back."""
        rows = GATES * self.half
        return ((rows, self.width), (rows, self.half)) * DIRECTIONS + ((rows,), (rows,)) * DIRECTIONS

    @property
    def sizes(self) -> list[int]:
        """How many numbers each of `shapes` holds."""
        return [shape[0] * (shape[1] if len(shape) > 1 else 1) for shape in self.shapes]

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return sum(self.sizes)

    def weights(self, row: Float[Tensor, " parameter"]) -> list[Tensor]:
        """The weights as `torch.nn.LSTM` has them: input matrix, recurrent matrix, two biases, forward, then back."""
        parts = torch.split_with_sizes(row, self.sizes)
        shaped = [part.view(shape) for part, shape in zip(parts, self.shapes, strict=True)]
        matrices, biases = shaped[: 2 * DIRECTIONS], shaped[2 * DIRECTIONS :]
        return [*matrices[:2], *biases[:2], *matrices[2:], *biases[2:]]


def bidirectional_lstm(
    vectors: Float[Tensor, "batch unit width"], mask: Bool[Tensor, "batch unit"], weights: Sequence[Tensor], half: int
) -> Float[Tensor, "batch unit hidden"]:
    """Both directions' states beside each other, forward first; 0 on padding, which must stand behind the words.

    weights: as `LstmLayout.weights` gives them. In float32, whatever precision is asked for around it.
    """
    with torch.autocast(vectors.device.type, enabled=False):
        lengths = mask.sum(dim=1).clamp(min=1).cpu()
        packed = pack_padded_sequence(vectors.float(), lengths, batch_first=True, enforce_sorted=False)
        start = vectors.new_zeros(DIRECTIONS, len(lengths), half, dtype=torch.float32)
        states, _, _ = torch._VF.lstm(
            packed.data, packed.batch_sizes, (start, start), list(weights), True, 1, 0.0, False, True
        )
        whole = PackedSequence(states, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices)
        padded, _ = pad_packed_sequence(whole, batch_first=True, total_length=vectors.shape[1])
        return padded
