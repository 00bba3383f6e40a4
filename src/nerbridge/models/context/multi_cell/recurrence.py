"""The recurrence of the multi-cell LSTM as one differentiable function: word vectors and weights in, states out."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable

from nerbridge.models.context.multi_cell.backward import Wanted
from nerbridge.models.context.multi_cell.passes import CellWeights, Vectors, backward_pass, forward_pass
from nerbridge.models.context.multi_cell.recorder import Recorder


class CellStates(NamedTuple):
    """h, c_k and I of every step. cells, scores: of the last step alone where nothing is learnt and they are not
    `kept`; scores: None with a single cell."""

    hidden: Float[Tensor, "direction unit batch hidden"]
    cells: Float[Tensor, "direction step batch cell hidden"]
    scores: Float[Tensor, "direction step batch cell"] | None


def multi_cell_lstm(
    vectors: Vectors, weights: CellWeights, num_cells: int, *, kept: bool, recorder: Recorder | None = None
) -> CellStates:
    """The states of every unit, padding included; each direction reads its own `vectors` from the first unit on.

    In the precision of the weights, whatever is asked for around it. kept: cells and scores of all steps are wanted,
    and not only where gradients are. recorder: of what is learnt on a GPU.
    """
    with torch.autocast(vectors.device.type, enabled=False):
        found = _MultiCellLstm.apply(  # type: ignore[no-untyped-call]
            vectors.to(weights.recurrent.dtype), num_cells, kept, recorder, *weights
        )
    return CellStates(*found)


def together(parts: Sequence[CellStates], num_units: int, order: Int[Tensor, " batch"]) -> CellStates:
    """Groups of rows as one batch of `num_units`, zeros behind the last unit of a group. order: of the batch's rows."""
    hidden, cells, scores = zip(*parts, strict=True)
    steps = num_units if cells[0].shape[1] == hidden[0].shape[1] else 1  # or the last one alone, see `CellStates`
    return CellStates(
        _joined(hidden, num_units)[:, :, order],
        _joined(cells, steps)[:, :, order],
        None if scores[0] is None else _joined(scores, steps)[:, :, order],
    )


def _joined(parts: Sequence[Tensor], steps: int) -> Tensor:
    padded = [torch.cat([one, one.new_zeros(len(one), steps - one.shape[1], *one.shape[2:])], dim=1) for one in parts]
    return torch.cat(padded, dim=2)


class _MultiCellLstm(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, vectors: Tensor, num_cells: int, kept: bool, recorder: Recorder | None, *flat: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        weights = CellWeights(*flat)  # type: ignore[arg-type]
        ctx.set_materialize_grads(False)
        learns = any(ctx.needs_input_grad)
        if learns:
            ctx.save_for_backward(vectors, *weights)
        ctx.tape = recorder.tape(vectors, weights, num_cells) if recorder is not None and learns else None
        if ctx.tape is not None:
            ctx.serial = ctx.tape.forward(vectors, weights)
            return ctx.tape.states(*vectors.shape[1:3], kept=kept)  # type: ignore[no-any-return]
        trace = forward_pass(vectors, weights, num_cells, kept=learns or kept)
        ctx.trace = trace if learns else None
        scores = None if trace.scores is None else trace.scores.given.detach()
        return trace.hidden[:, 1:], trace.cells.detach(), scores

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, hidden: Tensor | None, *inner: Tensor | None) -> tuple[Tensor | None, ...]:
        vectors, *flat = ctx.saved_tensors
        weights = CellWeights(*flat)
        if hidden is None:
            hidden = vectors.new_zeros(*vectors.shape[:3], weights.recurrent.shape[2])
        wanted = Wanted(hidden, *inner)
        if ctx.tape is not None:
            of_vectors, of_weights = ctx.tape.backward(vectors, weights, wanted, ctx.serial)
        else:
            of_vectors, of_weights = backward_pass(vectors, weights, ctx.trace, wanted)
        return of_vectors, None, None, None, *of_weights
