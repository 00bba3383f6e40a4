"""The two passes of a multi-cell LSTM as plain functions: states out of vectors, gradients out of gradients."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from nerbridge.models.context.multi_cell.backward import Wanted, walk_back
from nerbridge.models.context.multi_cell.steps import walk
from nerbridge.models.context.multi_cell.trace import Attention, Scores, Trace


class CellWeights(NamedTuple):
    """The weights of the cells in use. Gates stand in the order of `Trace`; P, Q and v are None with a single cell."""

    inward: Float[Tensor, "direction gate width"]
    recurrent: Float[Tensor, "direction gate hidden"]
    biases: Float[Tensor, "direction gate"]
    temporary: Float[Tensor, "direction attention hidden"] | None
    cells: Float[Tensor, "direction attention hidden"] | None
    score: Float[Tensor, "direction attention"] | None

    @property
    def attention(self) -> Attention | None:
        """P, Q and v of equation 6; None with a single cell."""
        if self.temporary is None or self.cells is None or self.score is None:
            return None
        return Attention(self.temporary, self.cells, self.score)


Vectors = Float[Tensor, "direction unit batch width"]


def forward_pass(vectors: Vectors, weights: CellWeights, num_cells: int, *, kept: bool) -> Trace:
    """All steps. kept: with the inner values of all steps, as gradients need them."""
    directions, units, rows, _ = vectors.shape
    # What the words give to the gates of all steps: one product outside the recurrence.
    given = torch.baddbmm(weights.biases.unsqueeze(1), vectors.flatten(1, 2), weights.inward.transpose(1, 2))
    gates, width = given.view(directions, units, rows, -1), weights.recurrent.shape[2]
    trace = Trace.empty(gates, num_cells, width, weights.attention, kept=kept)
    walk(trace, weights.recurrent, weights.attention)
    return trace


def backward_pass(vectors: Vectors, weights: CellWeights, trace: Trace, wanted: Wanted) -> tuple[Tensor, CellWeights]:
    """The gradients of the vectors and of the weights."""
    gates, found = walk_back(trace, weights.recurrent, weights.attention, wanted)
    flat = gates.flatten(1, 2)
    of_weights = CellWeights(
        _summed(gates, vectors), _summed(gates, trace.hidden[:, :-1]), flat.sum(1), *_of_attention(trace, found)
    )
    return torch.bmm(flat, weights.inward).view_as(vectors), of_weights


def _of_attention(trace: Trace, found: Scores | None) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    """The gradients of P, Q and v (equation 6)."""
    if found is None or trace.scores is None:
        return None, None, None
    temporary = trace.parts(trace.gates)[4]
    score = _summed(found.given.unsqueeze(4), trace.scores.inner).squeeze(1)
    return _summed(found.inner.sum(3), temporary), _summed(found.inner, trace.cells), score


def _summed(
    gradients: Float[Tensor, "direction unit batch *cell out"], read: Float[Tensor, "direction unit batch *cell into"]
) -> Float[Tensor, "direction out into"]:
    """The gradient of a matrix that has read `read` at every step: the sum over all steps, in one product."""
    return torch.bmm(gradients.flatten(1, -2).transpose(1, 2), read.flatten(1, -2))
