"""The sum of a chain, one unit after the other, as products of matrices over tags: forward-backward with scaling.

Rabiner 1989, section V.A. What stands in a sum is divided by its largest once, before it starts: for pair scores A,
starts b, ends c and emissions e,

    F = exp(A - max A)      E_i = exp(e_i - max e_i)      b, c likewise                              (1)
    p_1 ~ b E_1      p_i ~ (p_{i-1} F) E_i      each divided by its sum s_i                          (2)
    log Z = log(p_n c) + sum_i log s_i + the maxima that were taken off                              (3)
    q_n ~ c          q_{i-1} ~ F (E_i q_i)      each divided by its sum                              (4)
    p(y_i = a) ~ p_i[a] q_i[a]      p(y_{i-1} = a, y_i = b) ~ p_{i-1}[a] F[a, b] E_i[b] q_i[b]       (5)

A step is one product of (batch, tag) and (tag, tag); a sum in log space takes an exponential for every row and pair of
tags. The posteriors (5) are the gradient of log Z. All in float64: nothing is lost while `fits`.

Rows have their units in front and their padding behind, as `models.layers.crf` makes them.
"""

from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable

from nerbridge.models.layers.chain import ChainScores

WIDEST = 600.0  # exp(-600) is far from underflow in float64, also times the probabilities of some thousand tags


def fits(scores: ChainScores, emissions: Float[Tensor, "batch unit tag"]) -> bool:
    """Do scores differ so little that nothing underflows? Waits for the device. Not those of a batch without rows."""
    if not emissions.numel():
        return False
    sides = [one.max() - one.min() for one in (scores.starts, scores.pairs, scores.ends)]
    units = (emissions.amax(dim=2) - emissions.amin(dim=2)).max()
    return bool(torch.stack([*(side.detach().to(units) for side in sides), units.detach()]).sum() < WIDEST)


def log_partition(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> Float[Tensor, " batch"]:
    """log Z of every row, in float64; rows without a unit: anything. Only where `fits`."""
    found: Tensor = _LogPartition.apply(  # type: ignore[no-untyped-call]
        scores.starts, scores.pairs, scores.ends, emissions, mask
    )
    return found


class _LogPartition(torch.autograd.Function):
    """Equation 3, with equation 5 as its gradient."""

    @staticmethod
    def forward(ctx: Any, starts: Tensor, pairs: Tensor, ends: Tensor, emissions: Tensor, mask: Tensor) -> Tensor:
        lengths, order = mask.sum(dim=1).clamp(min=1).sort(descending=True, stable=True)
        real = _real(lengths, mask.shape[1])
        counts = real.sum(dim=1).tolist()
        units = emissions.double()[order].transpose(0, 1)
        peaks = units.amax(dim=2)
        exponentials = (units - peaks.unsqueeze(2)).exp()
        (first, first_peak), (factors, peak), (last, last_peak) = map(_scaled, (starts, pairs, ends))
        shares, sums = torch.zeros_like(exponentials), torch.ones_like(peaks)
        share = first * exponentials[0]
        for unit, count in enumerate(counts):
            if unit:
                share = (share[:count] @ factors) * exponentials[unit, :count]
            total = share.sum(dim=1, keepdim=True)
            share = share / total
            shares[unit, :count], sums[unit, :count] = share, total[:, 0]
        rows = torch.arange(len(order), device=order.device)
        closing = (shares[lengths - 1, rows] * last).sum(dim=1)
        taken = (sums.log() + peaks * real).sum(dim=0) + first_peak + last_peak + peak * (lengths - 1)
        ctx.save_for_backward(order, lengths, factors, last, exponentials, shares)
        ctx.counts, ctx.precisions = counts, [one.dtype for one in (starts, pairs, ends, emissions)]
        return torch.empty_like(closing).index_copy_(0, order, closing.log() + taken)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        order, lengths, factors, ends, emissions, shares = ctx.saved_tensors
        weights, behind = gradient.double()[order], continuations(ctx.counts, factors, ends, emissions)
        real = _real(lengths, len(ctx.counts))
        tags = shares * behind * real.unsqueeze(2)
        tags = tags * (weights / tags.sum(dim=2).clamp(min=torch.finfo(tags.dtype).tiny)).unsqueeze(2)
        before, here = shares[:-1] * real[1:].unsqueeze(2), (emissions * behind)[1:]
        total = ((before @ factors) * here).sum(dim=2, keepdim=True).clamp(min=torch.finfo(here.dtype).tiny)
        couples = before.flatten(0, 1).T @ (here * weights.unsqueeze(1) / total).flatten(0, 1) * factors
        closing = tags[lengths - 1, torch.arange(len(order), device=order.device)]
        units = torch.empty_like(emissions.transpose(0, 1)).index_copy_(0, order, tags.transpose(0, 1))
        found = tags[0].sum(dim=0), couples, closing.sum(dim=0), units
        return *(one.to(its) for one, its in zip(found, ctx.precisions, strict=True)), None


def continuations(
    counts: list[int],
    factors: Float[Tensor, "tag tag"],
    ends: Float[Tensor, " tag"],
    emissions: Float[Tensor, "unit row tag"],
) -> Float[Tensor, "unit row tag"]:
    """q of equation 4; 0 behind the last unit of a row. counts: the rows, longest first, that have each unit."""
    behind = torch.zeros_like(emissions)
    ends = ends / ends.sum()
    for unit in range(len(counts) - 1, -1, -1):
        following = counts[unit + 1] if unit + 1 < len(counts) else 0
        behind[unit, following : counts[unit]] = ends
        if following:
            grown = (emissions[unit + 1, :following] * behind[unit + 1, :following]) @ factors.T
            behind[unit, :following] = grown / grown.sum(dim=1, keepdim=True)
    return behind


def _real(lengths: Int[Tensor, " row"], num_units: int) -> Bool[Tensor, "unit row"]:
    return torch.arange(num_units, device=lengths.device).unsqueeze(1) < lengths


def _scaled(scores: Tensor) -> tuple[Tensor, Tensor]:
    """exp(scores - peak) and the peak, in float64."""
    wide = scores.detach().double()
    peak = wide.max()
    return (wide - peak).exp(), peak
