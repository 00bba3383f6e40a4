"""What the steps of a multi-cell LSTM read and leave behind. Both directions stand side by side, on the first axis."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class Attention:
    """P, Q and v of equation 6."""

    temporary: Float[Tensor, "direction attention hidden"]
    cells: Float[Tensor, "direction attention hidden"]
    score: Float[Tensor, "direction attention"]


@dataclass(frozen=True)
class Scores:
    """Of the cells of every step. inner: tanh(P c~ + Q c_k). given: I. weights: alpha."""

    inner: Float[Tensor, "direction step batch cell attention"]
    given: Float[Tensor, "direction step batch cell"]
    weights: Float[Tensor, "direction step batch cell"]


@dataclass(frozen=True)
class Trace:
    """The values of all steps.

    gates: first what the words give to them, then the gates themselves: i_1 .. i_l, i, o (sigmoid), c~_1 .. c~_l, c~
    (tanh), each as wide as h. carried, hidden: c and h behind each step, and zeros before the first. squashed: tanh(c).
    scores: None with a single cell, which needs no attention, and so no c~ either.
    """

    num_cells: int
    gates: Float[Tensor, "direction unit batch gate"]
    carried: Float[Tensor, "direction more batch hidden"]
    hidden: Float[Tensor, "direction more batch hidden"]
    cells: Float[Tensor, "direction step batch cell hidden"]
    merged: Float[Tensor, "direction step batch hidden"]
    squashed: Float[Tensor, "direction step batch hidden"]
    scores: Scores | None

    @classmethod
    def empty(
        cls,
        gates: Float[Tensor, "direction unit batch gate"],
        num_cells: int,
        width: int,
        attention: Attention | None,
        *,
        kept: bool,
    ) -> "Trace":
        """Room for the steps of `gates`. width: of h. kept: for the inner values of all steps, or of one at a time."""
        directions, units, rows, _ = gates.shape
        steps = units if kept else min(units, 1)

        def room(*last: int) -> Tensor:
            return gates.new_empty(directions, steps, rows, *last)

        def states() -> Tensor:
            return gates.new_zeros(directions, units + 1, rows, width)

        scores = None
        if attention is not None:
            # One behind the other in memory for each step: softmax wants its numbers so.
            given, weights = gates.new_empty(2, steps, directions, rows, num_cells).transpose(1, 2)
            scores = Scores(room(num_cells, attention.score.shape[1]), given, weights)
        cells, merged, squashed = room(num_cells, width), room(width), room(width)
        return cls(num_cells, gates, states(), states(), cells, merged, squashed, scores)

    @property
    def width(self) -> int:
        """Of one direction's h."""
        return self.hidden.shape[-1]

    @property
    def num_sigmoids(self) -> int:
        """How many numbers of a step's gates are sigmoids."""
        return (self.num_cells + 2) * self.width

    def parts(self, gates: Float[Tensor, "*axes gate"]) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """What has the form of gates, taken apart: i_k, i, o, c~_k, c~; those of cells with an axis for them."""
        width, cells = self.width, self.num_cells
        sizes = [cells * width, width, width, cells * width, 0 if self.scores is None else width]
        each, own, output, temporaries, temporary = torch.split_with_sizes(gates, sizes, dim=-1)
        shape = (*gates.shape[:-1], cells, width)
        return each.view(shape), own, output, temporaries.view(shape), temporary
