"""The sums and maxima of a chain, one unit after the other: n steps, each of them over all pairs of tags.

Rows have their units in front and their padding behind, as `models.layers.crf` makes them.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nerbridge.models.layers.chain import ChainScores
from nerbridge.models.layers.transitions import Transitions, sum_precision

CELLS_AT_ONCE = 1 << 26  # of (sentence, tag, tag): 256 MB; a batch of sentences with usual tags has far fewer


def log_partition(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> Float[Tensor, " batch"]:
    """log Z of every row: the log-sum of the scores of all tag sequences."""
    pairs = scores.pairs.to(emissions).T
    first, *others = emissions.unbind(dim=1)  # one gradient for all, where indexing would make one as large for each
    score = scores.starts.to(emissions) + first
    for real, scored in zip(mask.unsqueeze(2).unbind(dim=1)[1:], others, strict=True):
        following = torch.logsumexp(score.unsqueeze(1) + pairs, dim=2) + scored
        score = torch.where(real, following, score)
    return torch.logsumexp(score + scores.ends.to(emissions), dim=1)


def marginals(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> Float[Tensor, "batch unit tag"]:
    """Posterior probability of every tag of every unit; behind the last unit, anything."""
    before, behind = _both_sides(scores, emissions, mask)
    return torch.softmax(before + behind, dim=2).float()


def best_tags(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> Int[Tensor, "batch unit"]:
    """The sequence with the highest score of every row; behind the last unit, its tag."""
    pairs = scores.pairs.to(emissions).T  # (next, previous): the maximum runs over the last axis
    score = scores.starts.to(emissions) + emissions[:, 0]
    stay = torch.arange(emissions.shape[2], device=mask.device).expand_as(score)
    pointers = []
    for unit in range(1, emissions.shape[1]):
        best, pointer = _best_before(score, pairs)
        here = mask[:, unit, None]
        score = torch.where(here, best + emissions[:, unit], score)
        pointers.append(torch.where(here, pointer, stay))
    tag = (score + scores.ends.to(emissions)).argmax(dim=1, keepdim=True)
    path = [tag]
    for pointer in reversed(pointers):
        tag = pointer.gather(1, tag)
        path.append(tag)
    return torch.cat(path[::-1], dim=1)


def _best_before(
    score: Float[Tensor, "batch tag"], pairs: Float[Tensor, "tag tag"]
) -> tuple[Float[Tensor, "batch tag"], Int[Tensor, "batch tag"]]:
    """For every tag the best score of what may stand before it, and which tag that is.

    Rows are taken so many at a time that thousands of tags fit the memory.
    """
    rows = max(1, CELLS_AT_ONCE // pairs.numel())
    parts = [(piece.unsqueeze(1) + pairs).max(dim=2) for piece in torch.split(score, rows)]
    best, pointer = (list(part) for part in zip(*parts, strict=True))
    return torch.cat(best), torch.cat(pointer)


def _both_sides(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> tuple[Float[Tensor, "batch unit tag"], Float[Tensor, "batch unit tag"]]:
    """Log-sums of all beginnings up to a tag at a unit, its emission included, and of all continuations behind it."""
    emissions = emissions.to(sum_precision(emissions.device))
    onwards, backwards = Transitions.of(scores.pairs.to(emissions)), Transitions.of(scores.pairs.T.to(emissions))
    score = scores.starts + emissions[:, 0]
    before = [score]
    for unit in range(1, emissions.shape[1]):
        score = torch.where(mask[:, unit, None], onwards.sum_over(score) + emissions[:, unit], score)
        before.append(score)
    score = scores.ends.to(emissions).expand_as(score)
    behind = [score]
    for unit in range(emissions.shape[1] - 1, 0, -1):
        score = torch.where(mask[:, unit, None], backwards.sum_over(score + emissions[:, unit]), score)
        behind.append(score)
    return torch.stack(before, dim=1), torch.stack(behind[::-1], dim=1)
