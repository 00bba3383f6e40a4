"""The steps of a multi-cell LSTM, walked back: the chain rule of the equations in `steps`, written out.

Factors that need no later gradient are made for all steps at once, before the walk; the gradients of weights are summed
over all steps by one product each, behind it. So a step back is a handful of kernels, as a step forward is.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from nerbridge.models.context.multi_cell.trace import Attention, Scores, Trace

States = Float[Tensor, "direction unit batch hidden"]


@dataclass(frozen=True)
class Wanted:
    """The gradients that come from outside. cells, scores: None where no loss reads them."""

    hidden: States
    cells: Float[Tensor, "direction unit batch cell hidden"] | None
    scores: Float[Tensor, "direction unit batch cell"] | None


@dataclass(frozen=True)
class Factors:
    """What gradients are multiplied by on their way back, for all steps.

    gates: of the gradient of what each gate makes, to that of its sum. hidden: from h to c. own: from c to c before.
    inner: from I to P c~ + Q c_k.
    """

    gates: Float[Tensor, "direction unit batch gate"]
    hidden: States
    own: States
    inner: Float[Tensor, "direction unit batch cell attention"] | None

    @classmethod
    def of(cls, trace: Trace, attention: Attention | None) -> "Factors":
        """Those of `trace`."""
        each, own, output, temporaries, temporary = trace.parts(trace.gates)
        before = trace.carried[:, :-1]
        gates = torch.empty_like(trace.gates)
        to_each, to_own, to_output, to_temporaries, to_temporary = trace.parts(gates)
        _through_sigmoid(temporaries - before.unsqueeze(3), each, to_each)
        _through_sigmoid(trace.merged - before, own, to_own)
        _through_sigmoid(trace.squashed, output, to_output)
        _through_tanh(each, temporaries, to_temporaries)
        _through_tanh(torch.ones_like(temporary), temporary, to_temporary)
        inner = None
        if trace.scores is not None and attention is not None:
            inner = torch.empty_like(trace.scores.inner)
            _through_tanh(attention.score[:, None, None, None].expand_as(inner), trace.scores.inner, inner)
        hidden = torch.ops.aten.tanh_backward(output, trace.squashed)
        return cls(gates, hidden, 1 - own, inner)


def _through_sigmoid(gradient: Tensor, value: Tensor, out: Tensor) -> None:
    """out = gradient * value * (1 - value), in one pass."""
    torch.ops.aten.sigmoid_backward.grad_input(gradient, value, grad_input=out)


def _through_tanh(gradient: Tensor, value: Tensor, out: Tensor) -> None:
    """out = gradient * (1 - value * value), in one pass."""
    torch.ops.aten.tanh_backward.grad_input(gradient, value, grad_input=out)


def walk_back(
    trace: Trace, recurrent: Float[Tensor, "direction gate hidden"], attention: Attention | None, wanted: Wanted
) -> tuple[Float[Tensor, "direction unit batch gate"], Scores | None]:
    """The gradients of the sums that gates are made of, and those of scores: `given` of I, `inner` of P c~ + Q c_k."""
    factors = Factors.of(trace, attention)
    gates = factors.gates  # step by step the factors become gradients, without a place of their own
    scores = None
    if trace.scores is not None and factors.inner is not None:
        given = torch.empty_like(trace.scores.given, memory_format=torch.preserve_format)
        scores = Scores(factors.inner, given, trace.scores.weights)
    hidden, carried = wanted.hidden[:, -1], torch.zeros_like(wanted.hidden[:, -1])
    for step in reversed(range(gates.shape[1])):
        if step + 1 < gates.shape[1]:
            hidden = torch.baddbmm(wanted.hidden[:, step], gates[:, step + 1], recurrent)
        carried = torch.addcmul(carried, hidden, factors.hidden[:, step])  # eq. 8
        each, own, _, _, _ = trace.parts(trace.gates[:, step])
        merged = carried * own  # eq. 7
        of_each, of_own, of_output, of_temporaries, of_temporary = trace.parts(gates[:, step])
        of_output.mul_(hidden)
        of_own.mul_(carried)
        asked = None if wanted.cells is None else wanted.cells[:, step]
        if scores is None or attention is None:
            cells = merged.unsqueeze(2) if asked is None else asked + merged.unsqueeze(2)
        else:
            _scores_back(trace, step, merged, scores, None if wanted.scores is None else wanted.scores[:, step])
            cells = _cells_back(scores, step, attention, merged, asked)
            inner = scores.inner[:, step].sum(2)
            of_temporary.mul_(torch.bmm(inner, attention.temporary))
        of_each.mul_(cells)
        of_temporaries.mul_(cells)
        before = torch.addcmul(cells, cells, each, value=-1).sum(2)  # eq. 3
        carried = torch.addcmul(before, carried, factors.own[:, step])  # eq. 7
    return gates, scores


def _scores_back(
    trace: Trace,
    step: int,
    merged: Float[Tensor, "direction batch hidden"],
    scores: Scores,
    asked: Float[Tensor, "direction batch cell"] | None,
) -> None:
    """Turns the factors in `scores.inner` into gradients, and fills in those of I (equations 5 and 6)."""
    weights, given = scores.weights[:, step], scores.given[:, step]
    each = (trace.cells[:, step] * merged.unsqueeze(2)).sum(3)
    torch.ops.aten._softmax_backward_data.out(each, weights, 2, each.dtype, grad_input=given)
    if asked is not None:
        given.add_(asked)
    scores.inner[:, step].mul_(given.unsqueeze(3))


def _cells_back(
    scores: Scores,
    step: int,
    attention: Attention,
    merged: Float[Tensor, "direction batch hidden"],
    asked: Float[Tensor, "direction batch cell hidden"] | None,
) -> Float[Tensor, "direction batch cell hidden"]:
    """The gradients of the cells' states, which are merged (equation 5), scored (6), and read by a loss (`asked`)."""
    weights = scores.weights[:, step].unsqueeze(3)
    shares = weights * merged.unsqueeze(2) if asked is None else torch.addcmul(asked, weights, merged.unsqueeze(2))
    return torch.baddbmm(shares.flatten(1, 2), scores.inner[:, step].flatten(1, 2), attention.cells).view_as(shares)
