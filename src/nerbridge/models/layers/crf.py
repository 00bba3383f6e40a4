"""Linear-chain conditional random field, in log space and float32, for any mask.

Lafferty et al. 2001. For emissions e (unit, tag), transitions A, starts b and ends c, a tag sequence y scores

    s(y) = b[y_1] + sum_i e[i, y_i] + sum_i A[y_{i-1}, y_i] + c[y_n]                                 (1)
    log p(y) = s(y) - log Z,   Z = sum over all y' of exp s(y')                                      (2)

A word without a known tag is summed out: the probability of all sequences that agree with the known words,

    log p(known) = log sum_{y agrees} exp s(y) - log Z                                               (3)

Illegal pairs can be excluded (`ChainScores.excluding`): when decoding, in the posteriors, and in training where the
head asks for it.

Units may be padded anywhere; a chain runs over the units of the mask. A row without any unit has log-likelihood 0.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nerbridge.models.layers.chain import PENALTY, ChainScores
from nerbridge.models.layers.transitions import Transitions, sum_precision

CELLS_AT_ONCE = 1 << 26  # of (sentence, tag, tag): 256 MB; a batch of sentences with usual tags has far fewer


def log_likelihood(
    scores: ChainScores,
    emissions: Float[Tensor, "batch unit tag"],
    tags: Int[Tensor, "batch unit"],
    mask: Bool[Tensor, "batch unit"],
) -> Float[Tensor, " batch"]:
    """Log-probability of the known tags of every row (eq. 3; eq. 2 where all are known).

    tags: ids; a negative one is not known and is summed out.
    """
    with torch.autocast(emissions.device.type, enabled=False):
        order = _real_first(mask)
        emissions, mask = _take(emissions.float(), order), mask.gather(1, order)
        tags = tags.gather(1, order)
        other = torch.arange(emissions.shape[2], device=tags.device) != tags.unsqueeze(2)
        agreeing = emissions + (other & (tags >= 0).unsqueeze(2)) * PENALTY
        both = _forward(scores, torch.stack([agreeing, emissions]).flatten(0, 1), mask.repeat(2, 1))
        total = torch.logsumexp(both[:, -1] + scores.ends.float(), dim=1)
        agreed, everything = total.view(2, -1)
        return torch.where(mask[:, 0], agreed - everything, 0.0)


def best_tags(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> Int[Tensor, "batch unit"]:
    """The sequence with the highest score (eq. 1) of every row, by Viterbi; 0 where there is no unit."""
    with torch.autocast(emissions.device.type, enabled=False):
        order = _real_first(mask)
        emissions, real = _take(emissions.float(), order), mask.gather(1, order)
        pairs = scores.pairs.float().T  # (next, previous): the maximum runs over the last axis
        score = scores.starts.float() + emissions[:, 0]
        stay = torch.arange(emissions.shape[2], device=mask.device).expand_as(score)
        pointers = []
        for unit in range(1, emissions.shape[1]):
            best, pointer = _best_before(score, pairs)
            here = real[:, unit, None]
            score = torch.where(here, best + emissions[:, unit], score)
            pointers.append(torch.where(here, pointer, stay))
        tag = (score + scores.ends.float()).argmax(dim=1, keepdim=True)
        path = [tag]
        for pointer in reversed(pointers):
            tag = pointer.gather(1, tag)
            path.append(tag)
        tags = torch.cat(path[::-1], dim=1)
        return torch.zeros_like(tags).scatter(1, order, tags.masked_fill(~real, 0))


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


def marginals(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> Float[Tensor, "batch unit tag"]:
    """Posterior probability of every tag of every unit given the row, by forward-backward; 0 where there is no unit."""
    with torch.autocast(emissions.device.type, enabled=False):
        order = _real_first(mask)
        emissions, real = _take(emissions.float(), order), mask.gather(1, order)
        before, behind = _both_sides(scores, emissions, real)
        posterior = torch.softmax(before + behind, dim=2).float() * real.unsqueeze(2)
        return torch.zeros_like(posterior).scatter(1, order.unsqueeze(2).expand_as(posterior), posterior)


def _forward(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> Float[Tensor, "batch unit tag"]:
    """Log-sum of all beginnings that end in a tag at a unit, its emission included; repeated behind the last unit."""
    pairs = scores.pairs.float().T
    score = scores.starts.float() + emissions[:, 0]
    columns = [score]
    for unit in range(1, emissions.shape[1]):
        following = torch.logsumexp(score.unsqueeze(1) + pairs, dim=2) + emissions[:, unit]
        score = torch.where(mask[:, unit, None], following, score)
        columns.append(score)
    return torch.stack(columns, dim=1)


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


def _real_first(mask: Bool[Tensor, "batch unit"]) -> Int[Tensor, "batch unit"]:
    """The order of units that moves those of the mask to the front, in their order."""
    return torch.argsort((~mask).byte(), dim=1, stable=True)


def _take(
    emissions: Float[Tensor, "batch unit tag"], order: Int[Tensor, "batch unit"]
) -> Float[Tensor, "batch unit tag"]:
    return emissions.gather(1, order.unsqueeze(2).expand_as(emissions))
