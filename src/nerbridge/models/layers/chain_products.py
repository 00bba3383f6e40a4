"""The products of a chain: a tree over its units, in about log2(n) rounds instead of n steps.

A parallel prefix over matrices of a semiring (Blelloch 1990; Särkkä and García-Fernández 2021 for such chains). Every
unit behind the first is a matrix over (tag before it, its tag), and neighbours are multiplied until one is left:

    M_i[a, b] = A[a, b] + e[i, b]          padding: the identity, 0 where a = b and FLOOR elsewhere      (1)
    (L R)[a, b] = log sum_k exp(L[a, k] + R[k, b])       for the best sequence: max_k                    (2)
    log Z = log sum_{a, b} exp(f[a] + (M_2 ... M_n)[a, b] + c[b]),     f = b + e_1                       (3)

On the way back every part gives its halves what stands before (f) and behind (g) them; at the units, these are the
posteriors, which are the gradient of log Z:

    left half: f, R g          right half: f L, g                                                        (4)
    p(y_{i-1} = a, y_i = b) is proportional to exp(f_{i-1}[a] + M_i[a, b] + g_i[b])                      (5)

All is in log space, less the maximum, in the precision of the emissions. -inf counts as FLOOR: impossible, never NaN.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from nerbridge.models.layers.chain import ChainScores

FLOOR = -1e30  # of what cannot be: sums of millions of it still fit a float32
CELLS_AT_ONCE = 1 << 26  # of (row, part, tag, tag, tag): a product takes two or three tensors of 256 MB

Matrices = Float[Tensor, "batch part tag tag"]


@dataclass(frozen=True)
class Tree:
    """The products of a chain, of emissions less the highest of their unit, which keeps rounding small.

    levels: (batch, part, tag, tag), from the matrices of single units to that of all. first: f of eq. 3. peaks: the sum
    of what was taken off.
    """

    levels: list[Tensor]
    first: Float[Tensor, "batch tag"]
    ends: Float[Tensor, " tag"]
    peaks: Float[Tensor, " batch"]


def grow(
    scores: ChainScores,
    emissions: Float[Tensor, "batch unit tag"],
    mask: Bool[Tensor, "batch unit"],
    over: Callable[[Tensor], Tensor],
) -> Tree:
    """The products of neighbours, then of neighbouring products, until one is left. over: the sum of eq. 2."""
    emissions = emissions.clamp(min=FLOOR)
    peak = emissions.amax(dim=2, keepdim=True)
    emissions = emissions - peak
    peaks = peak[:, 0, 0] + torch.where(mask[:, 1:], peak[:, 1:, 0], 0.0).sum(dim=1)
    starts, pairs, ends = (one.to(emissions).clamp(min=FLOOR) for one in (scores.starts, scores.pairs, scores.ends))
    identity = torch.full_like(pairs, FLOOR).fill_diagonal_(0)
    steps = pairs + emissions[:, 1:].unsqueeze(2)  # (batch, part, tag, tag), eq. 1
    levels = [torch.where(mask[:, 1:, None, None], steps, identity)]
    while (level := levels[-1]).shape[1] > 1:
        product = _product(level[:, :-1:2], level[:, 1::2], over)
        levels.append(torch.cat([product, level[:, -1:]], dim=1) if level.shape[1] % 2 else product)
    return Tree(levels, starts + emissions[:, 0], ends, peaks)


def _product(left: Matrices, right: Matrices, over: Callable[[Tensor], Tensor]) -> Matrices:
    """Equation 2, for so many rows at a time that the memory holds it."""
    rows = max(1, CELLS_AT_ONCE // (left.shape[1] * left.shape[2] ** 3))
    turned = right.mT.contiguous()  # so that the large sum lies in memory as it is read
    pieces = zip(torch.split(left, rows), torch.split(turned, rows), strict=True)
    found = [over(one.unsqueeze(3) + other.unsqueeze(2)) for one, other in pieces]
    return found[0] if len(found) == 1 else torch.cat(found)


def posteriors(tree: Tree) -> Matrices:
    """Equation 5: for every unit behind the first, the probability of each pair of the tag before it and its own."""
    sides = torch.stack([tree.first, tree.ends.expand_as(tree.first)]).unsqueeze(2)  # (2, batch, part, tag): f, g
    for level in tree.levels[-2::-1]:
        halves = level.shape[1] // 2
        outer = sides[:, :, :halves]
        inner = log_sum(torch.stack([level[:, :-1:2].mT, level[:, 1::2]]) + outer.unsqueeze(3))  # f L, R g
        cut = torch.stack([outer[0], inner[0], inner[1], outer[1]], dim=2)  # eq. 4
        cut = cut.view(*outer.shape[1:3], 2, 2, outer.shape[3]).permute(2, 0, 1, 3, 4).flatten(2, 3)
        sides = torch.cat([cut, sides[:, :, -1:]], dim=2) if level.shape[1] % 2 else cut
    scores = sides[0].unsqueeze(3) + tree.levels[0] + sides[1].unsqueeze(2)
    return torch.softmax(scores.flatten(2), dim=2).view_as(scores)


def log_sum(scores: Float[Tensor, "*rest tag"]) -> Float[Tensor, "*rest"]:
    """log sum exp over the last axis: two maxima and a fused softmax, fewer kernels than `torch.logsumexp` has."""
    return scores.amax(dim=-1) - torch.log_softmax(scores, dim=-1).amax(dim=-1)


def maximum(scores: Float[Tensor, "*rest tag"]) -> Float[Tensor, "*rest"]:
    return scores.amax(dim=-1)
