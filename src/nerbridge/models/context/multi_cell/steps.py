"""The steps of a multi-cell LSTM, forward and back, with one matrix product for all cells of a step.

    i_k, c~_k = sigmoid, tanh (W_k [h_{t-1}; w_t] + b_k)             for every cell k                       (2)
    c_k = i_k c~_k + (1 - i_k) c_{t-1}                                                                      (3)
    i, o, c~ = sigmoid, sigmoid, tanh (W [h_{t-1}; w_t] + b)         the compositional cell                 (4)
    I_k = v tanh(P c~ + Q c_k)           alpha = softmax(I)          merged = sum_k alpha_k c_k             (5, 6)
    c_t = i merged + (1 - i) c_{t-1}     h_t = o tanh(c_t)                                                  (7, 8)

A step is a handful of kernels, however many cells there are. What the words give to the gates of all steps is made
before, by one product.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from nerbridge.models.context.multi_cell.trace import Attention, Scores, Trace

Recurrent = Float[Tensor, "direction gate hidden"]


def walk(trace: Trace, recurrent: Recurrent, attention: Attention | None) -> None:
    """Fills `trace`, whose gates hold what the words give."""
    recurrent = recurrent.transpose(1, 2)
    sigmoids = trace.num_sigmoids
    for step in range(trace.gates.shape[1]):
        place = step % trace.cells.shape[1]
        before, gates = trace.carried[:, step], trace.gates[:, step]
        gates.baddbmm_(trace.hidden[:, step], recurrent)
        gates[..., :sigmoids].sigmoid_()
        gates[..., sigmoids:].tanh_()
        each, own, output, temporaries, temporary = trace.parts(gates)  # eq. 2, 4
        cells, merged = trace.cells[:, place], trace.merged[:, place]
        torch.lerp(before.unsqueeze(2), temporaries, each, out=cells)  # eq. 3
        if trace.scores is None or attention is None:
            merged.copy_(cells.squeeze(2))
        else:
            _attend(trace.scores, place, attention, temporary, cells)
            torch.sum(trace.scores.weights[:, place].unsqueeze(3) * cells, 2, out=merged)  # eq. 5
        torch.lerp(before, merged, own, out=trace.carried[:, step + 1])  # eq. 7
        squashed = torch.tanh(trace.carried[:, step + 1], out=trace.squashed[:, place])
        torch.mul(output, squashed, out=trace.hidden[:, step + 1])  # eq. 8


def _attend(
    scores: Scores,
    place: int,
    attention: Attention,
    temporary: Float[Tensor, "direction batch hidden"],
    cells: Float[Tensor, "direction batch cell hidden"],
) -> None:
    """Equation 6, into the place of its step."""
    inner = scores.inner[:, place]
    torch.bmm(cells.flatten(1, 2), attention.cells.transpose(1, 2), out=inner.flatten(1, 2))
    inner.add_(torch.bmm(temporary, attention.temporary.transpose(1, 2)).unsqueeze(2)).tanh_()
    given = scores.given[:, place]
    torch.bmm(inner.flatten(1, 2), attention.score.unsqueeze(2), out=given.flatten(1, 2).unsqueeze(2))
    torch.softmax(given, 2, out=scores.weights[:, place])
