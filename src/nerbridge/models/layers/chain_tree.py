"""The sums and maxima of a chain by a tree over its units, of which `models.layers.chain_products` has the equations.

The gradient of log Z are the posteriors of pairs (eq. 5 there). They come from the same products, so the gradient needs
no sum over three tags, and nothing larger than a matrix for each unit is kept for it. For the best sequence, a part of
known outer tags is cut at the tag that gives the maximum of eq. 2.

Rows have their units in front and their padding behind, as `models.layers.crf` makes them.
"""

from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable

from nerbridge.models.layers.chain import ChainScores
from nerbridge.models.layers.chain_products import FLOOR, Tree, grow, log_sum, maximum, posteriors


def log_partition(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> Float[Tensor, " batch"]:
    """log Z of every row: the log-sum of the scores of all sequences; -inf, without a gradient, if none is possible."""
    found: Tensor = _LogPartition.apply(  # type: ignore[no-untyped-call]
        scores.starts, scores.pairs, scores.ends, *_at_least_two(emissions, mask)
    )
    return found


def marginals(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> Float[Tensor, "batch unit tag"]:
    """Posterior probability of every tag of every unit; behind the last unit, that unit's."""
    emissions_of_two, mask = _at_least_two(emissions, mask)
    couples = posteriors(grow(scores, emissions_of_two, mask, log_sum))
    return torch.cat([couples[:, :1].sum(dim=3), couples.sum(dim=2)], dim=1)[:, : emissions.shape[1]].float()


def best_tags(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> Int[Tensor, "batch unit"]:
    """The sequence with the highest score of every row; behind the last unit, its tag."""
    num_units, num_tags = emissions.shape[1:]
    tree = grow(scores, *_at_least_two(emissions, mask), maximum)
    outer = (tree.first.unsqueeze(2) + tree.levels[-1][:, 0] + tree.ends).flatten(1).argmax(dim=1)
    edges = torch.stack([outer // num_tags, outer % num_tags], dim=1)  # (batch, part + 1)
    for level in tree.levels[-2::-1]:
        halves = level.shape[1] // 2
        before = edges[:, :halves, None, None].expand(-1, -1, 1, num_tags)
        behind = edges[:, 1 : halves + 1, None, None].expand(-1, -1, num_tags, 1)
        through = level[:, :-1:2].gather(2, before)[:, :, 0] + level[:, 1::2].gather(3, behind)[..., 0]
        cut = torch.stack([edges[:, :halves], through.argmax(dim=2)], dim=2).flatten(1)
        edges = torch.cat([cut, edges[:, halves:]], dim=1)
    return edges[:, :num_units]


class _LogPartition(torch.autograd.Function):
    """Equation 3, with equation 5 as its gradient."""

    @staticmethod
    def forward(ctx: Any, starts: Tensor, pairs: Tensor, ends: Tensor, emissions: Tensor, mask: Tensor) -> Tensor:
        tree = grow(ChainScores(pairs, starts, ends), emissions, mask, log_sum)
        last = log_sum(tree.levels[-1][:, 0].mT + tree.first.unsqueeze(1))
        total = log_sum(last + tree.ends) + tree.peaks
        possible = total > FLOOR / 2
        ctx.save_for_backward(possible, mask, tree.first, tree.ends, tree.peaks, *tree.levels)
        ctx.precisions = starts.dtype, pairs.dtype, ends.dtype
        return total.masked_fill(~possible, -torch.inf)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        possible, mask, first, ends, peaks, *levels = ctx.saved_tensors
        share = (gradient * possible)[:, None, None]  # (batch, 1, 1)
        couples = posteriors(Tree(levels, first, ends, peaks)) * share.unsqueeze(3)
        first_tags, last_tags = couples[:, 0].sum(dim=2), couples[:, -1].sum(dim=1)
        couples = couples * mask[:, 1:, None, None]
        units = torch.cat([first_tags.unsqueeze(1), couples.sum(dim=2)], dim=1)
        found = first_tags.sum(dim=0), couples.sum(dim=(0, 1)), last_tags.sum(dim=0)
        starts, pairs, ends = (one.to(its) for one, its in zip(found, ctx.precisions, strict=True))
        return starts, pairs, ends, units, None


def _at_least_two(
    emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> tuple[Float[Tensor, "batch units tag"], Bool[Tensor, "batch units"]]:
    """The same, with a unit of padding where there is only one: a tree has a matrix at least."""
    if emissions.shape[1] > 1:
        return emissions, mask
    return F.pad(emissions, (0, 0, 0, 1)), F.pad(mask, (0, 1))
