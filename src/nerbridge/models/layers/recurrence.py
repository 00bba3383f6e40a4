"""An LSTM whose weights come from outside: the arithmetic of `torch.nn.LSTM`, one layer, one direction, batch first.

For input weights U, recurrent weights R and biases b, b' (gates i, f, g, o stacked in this order):

    i, f, o = sigmoid(U x_t + b + R h_{t-1} + b')    g = tanh(the same)                              (1)
    c_t = f c_{t-1} + i g          h_t = o tanh(c_t)                                                 (2)
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

GATES = 4


@dataclass(frozen=True)
class LstmLayout:
    """How the weights lie in one row of numbers: input matrix, recurrent matrix, two biases.

    cuDNN wants them so: a row that is a tensor of its own is used where it lies. width: of the vectors. hidden: of the
    states.
    """

    width: int
    hidden: int

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Of the weights, in the order of `torch.nn.LSTM`."""
        rows = GATES * self.hidden
        return (rows, self.width), (rows, self.hidden), (rows,), (rows,)

    @property
    def sizes(self) -> list[int]:
        """How many numbers each of `shapes` holds."""
        return [torch.Size(shape).numel() for shape in self.shapes]

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return sum(self.sizes)

    def weights(self, row: Float[Tensor, " parameter"]) -> list[Tensor]:
        """The weights as `torch.nn.LSTM` has them."""
        parts = torch.split_with_sizes(row, self.sizes)
        return [part.view(shape) for part, shape in zip(parts, self.shapes, strict=True)]


def lstm(
    vectors: Float[Tensor, "batch unit width"], row: Float[Tensor, " parameter"], layout: LstmLayout
) -> Float[Tensor, "batch unit hidden"]:
    """The states of every unit, padding included. In float32, whatever precision is asked for around it."""
    with torch.autocast(vectors.device.type, enabled=False):
        start = vectors.new_zeros(1, len(vectors), layout.hidden, dtype=torch.float32)
        weights = layout.weights(row)
        train = torch.is_grad_enabled()
        states: Tensor = torch._VF.lstm(vectors.float(), (start, start), weights, True, 1, 0.0, train, False, True)[0]
        return states
