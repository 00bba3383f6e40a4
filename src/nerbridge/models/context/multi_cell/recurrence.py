"""The recurrence of the multi-cell LSTM as one differentiable function: word vectors and weights in, states out."""

from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from nerbridge.models.context.multi_cell.backward import Wanted, walk_back
from nerbridge.models.context.multi_cell.steps import walk
from nerbridge.models.context.multi_cell.trace import Attention, Trace


class CellWeights(NamedTuple):
    """The weights of the cells in use. Gates stand in the order of `Trace`; P, Q and v are None with a single cell."""

    inward: Float[Tensor, "direction gate width"]
    recurrent: Float[Tensor, "direction gate hidden"]
    biases: Float[Tensor, "direction gate"]
    temporary: Float[Tensor, "direction attention hidden"] | None
    cells: Float[Tensor, "direction attention hidden"] | None
    score: Float[Tensor, "direction attention"] | None


class CellStates(NamedTuple):
    """h, c_k and I of every step. cells, scores: of the last step alone where nothing is learnt and they are not
    `kept`; scores: None with a single cell."""

    hidden: Float[Tensor, "direction unit batch hidden"]
    cells: Float[Tensor, "direction step batch cell hidden"]
    scores: Float[Tensor, "direction step batch cell"] | None


def multi_cell_lstm(
    vectors: Float[Tensor, "direction unit batch width"], weights: CellWeights, num_cells: int, *, kept: bool
) -> CellStates:
    """The states of every unit, padding included; each direction reads its own `vectors` from the first unit on.

    In the precision of the weights, whatever is asked for around it. kept: cells and scores of all steps are wanted,
    and not only where gradients are.
    """
    with torch.autocast(vectors.device.type, enabled=False):
        found = _MultiCellLstm.apply(  # type: ignore[no-untyped-call]
            vectors.to(weights.recurrent.dtype), num_cells, kept, *weights
        )
    return CellStates(*found)


class _MultiCellLstm(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, vectors: Tensor, num_cells: int, kept: bool, *flat: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        weights = CellWeights(*flat)  # type: ignore[arg-type]
        attention = _attention(weights)
        directions, units, rows, _ = vectors.shape
        # What the words give to the gates of all steps: one product outside the recurrence.
        given = torch.baddbmm(weights.biases.unsqueeze(1), vectors.flatten(1, 2), weights.inward.transpose(1, 2))
        learns = any(ctx.needs_input_grad)
        gates, width = given.view(directions, units, rows, -1), weights.recurrent.shape[2]
        trace = Trace.empty(gates, num_cells, width, attention, kept=learns or kept)
        walk(trace, weights.recurrent, attention)
        ctx.set_materialize_grads(False)
        if learns:
            ctx.trace = trace
            ctx.save_for_backward(vectors, *weights)
        scores = None if trace.scores is None else trace.scores.given.detach()
        return trace.hidden[:, 1:], trace.cells.detach(), scores

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor | None, ...]:
        vectors, *flat = ctx.saved_tensors
        weights, trace = CellWeights(*flat), ctx.trace
        attention = _attention(weights)
        hidden, cells, scores = gradients
        wanted = Wanted(torch.zeros_like(trace.hidden[:, 1:]) if hidden is None else hidden, cells, scores)
        gates, found = walk_back(trace, weights.recurrent, attention, wanted)
        flat_gates = gates.flatten(1, 2)
        of_weights = CellWeights(
            _summed(gates, vectors),
            _summed(gates, trace.hidden[:, :-1]),
            flat_gates.sum(1),
            *_of_attention(trace, found),
        )
        of_vectors = torch.bmm(flat_gates, weights.inward).view_as(vectors) if ctx.needs_input_grad[0] else None
        return of_vectors, None, None, *of_weights


def _attention(weights: CellWeights) -> Attention | None:
    if weights.temporary is None or weights.cells is None or weights.score is None:
        return None
    return Attention(weights.temporary, weights.cells, weights.score)


def _of_attention(trace: Trace, found: Any) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
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
