"""Softmax over a vocabulary of words, normalised over a sample of it (Jia et al. 2019, equations 5, 6 and 8).

For a state h, the word x to be predicted, word vectors w and biases b, and a set N of negative samples,

    log p(x | h) = w_x h + b_x - log Z                                                               (5)
    Z = sum of exp(w_k h + b_k) over k in {x} union N                                                (6)

N is drawn with replacement from the words' frequencies q. It is a set: what was drawn twice counts once, and x counts
once. With the whole vocabulary as N this is the full softmax. A word k is in N with the chance

    c_k = 1 - (1 - q_k)^|N|

so that the expectation of (6) counts it c_k times, and what is learnt is not exp(w_k h + b_k) / Z but

    p(k | h) = c_k exp(w_k h + b_k) / sum over j of c_j exp(w_j h + b_j)                             (6')

With the log-Q correction log c_k is taken off every score in (5) and (6), that of x too, and w_k h + b_k itself is
learnt to be log p(k | h) (Jean et al. 2015). Either way the loss tends to the full one as |N| grows and all c_k to 1.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


@dataclass(frozen=True)
class Negatives:
    """Negative samples: ids, one set for all rows or one for each, repetitions, and what is taken off each score."""

    ids: Int[Tensor, "*row sample"]
    repeated: Bool[Tensor, "*row sample"] | None = None
    correction: Float[Tensor, " vocab"] | None = None


def draw_negatives(
    frequencies: Float[Tensor, " vocab"], number: int, *, rows: int | None = None, correct: bool = False
) -> Negatives:
    """`number` ids drawn from `frequencies`, which add up to 1; so many for each of `rows` where given.

    A number as large as the vocabulary, or larger, stands for the whole of it. correct: with the log-Q correction.
    """
    size = len(frequencies)
    if number >= size:
        return Negatives(torch.arange(size, device=frequencies.device))
    count = number * (1 if rows is None else rows)
    ids = torch.multinomial(frequencies, count, replacement=True)
    ids = ids if rows is None else ids.view(rows, number)
    correction = None
    if correct:
        smoothed = frequencies.clamp(min=frequencies[frequencies > 0].min())  # as if each word had been seen once
        correction = torch.log(chance_of_being_drawn(smoothed, number))
    return Negatives(ids, repetitions(ids), correction)


def chance_of_being_drawn(frequencies: Float[Tensor, " vocab"], number: int) -> Float[Tensor, " vocab"]:
    """c_k of equation 6': how likely each id is among `number` that are drawn from `frequencies`."""
    return -torch.expm1(number * torch.log1p(-frequencies.double())).float()


def repetitions(ids: Int[Tensor, "*row sample"]) -> Bool[Tensor, "*row sample"]:
    """True where the same id stands before in its row."""
    ordered, order = ids.sort(dim=-1, stable=True)
    again = torch.zeros_like(ordered, dtype=torch.bool)
    again[..., 1:] = ordered[..., 1:] == ordered[..., :-1]
    return torch.zeros_like(again).scatter(-1, order, again)


def log_probabilities(
    states: Float[Tensor, "row width"],
    targets: Int[Tensor, " row"],
    vectors: Float[Tensor, "vocab width"],
    biases: Float[Tensor, " vocab"],
    negatives: Negatives,
) -> Float[Tensor, " row"]:
    """log p of each target (eq. 5 and 6), among the samples alone."""
    ids = negatives.ids
    own = (states * vectors[targets]).sum(dim=1).float() + biases[targets]
    if ids.ndim == 1:
        others = (states @ vectors[ids].T).float() + biases[ids]
    else:
        others = torch.bmm(vectors[ids], states.unsqueeze(2))[:, :, 0].float() + biases[ids]
    if negatives.correction is not None:
        own, others = own - negatives.correction[targets], others - negatives.correction[ids]
    left_out = ids == targets.unsqueeze(1)
    if negatives.repeated is not None:
        left_out = left_out | negatives.repeated
    others = others.masked_fill(left_out, -torch.inf)
    return own - torch.logsumexp(torch.cat([own.unsqueeze(1), others], dim=1), dim=1)  # eq. 5
