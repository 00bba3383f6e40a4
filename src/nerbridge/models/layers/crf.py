"""Linear-chain conditional random field, in log space and float32, for any mask.

Lafferty et al. 2001. For emissions e (unit, tag), transitions A, starts b and ends c, a tag sequence y scores

    s(y) = b[y_1] + sum_i e[i, y_i] + sum_i A[y_{i-1}, y_i] + c[y_n]                                 (1)
    log p(y) = s(y) - log Z,   Z = sum over all y' of exp s(y')                                      (2)

A word without a known tag is summed out: the probability of all sequences that agree with the known words,

    log p(known) = log sum_{y agrees} exp s(y) - log Z                                               (3)

Illegal pairs can be excluded (`ChainScores.excluding`): when decoding, in the posteriors, and in training where the
head asks for it.

The sums over all sequences run unit by unit or by a tree, as `models.layers.chain_choice` finds better; all are exact.

Units may be padded anywhere; a chain runs over the units of the mask. A row without any unit has log-likelihood 0.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nerbridge.models.layers import chain_loop, chain_scaled, chain_tree
from nerbridge.models.layers.chain import PENALTY, ChainScores
from nerbridge.models.layers.chain_choice import takes_scaled, takes_tree


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
        twice_as_many = torch.Size((2 * len(mask), *emissions.shape[1:]))
        by_tree = takes_tree(twice_as_many, emissions.device)
        if not by_tree and takes_scaled(tags, mask) and chain_scaled.fits(scores, emissions):
            everything = chain_scaled.log_partition(scores, emissions, mask)
            return torch.where(mask[:, 0], _score(scores, emissions, tags, mask) - everything, 0.0).float()
        other = torch.arange(emissions.shape[2], device=tags.device) != tags.unsqueeze(2)
        agreeing = emissions + (other & (tags >= 0).unsqueeze(2)) * PENALTY
        both, twice = torch.stack([agreeing, emissions]).flatten(0, 1), mask.repeat(2, 1)
        log_partition = chain_tree.log_partition if by_tree else chain_loop.log_partition
        agreed, everything = log_partition(scores, both, twice).view(2, -1)
        return torch.where(mask[:, 0], agreed - everything, 0.0)


def _score(
    scores: ChainScores,
    emissions: Float[Tensor, "batch unit tag"],
    tags: Int[Tensor, "batch unit"],
    mask: Bool[Tensor, "batch unit"],
) -> Float[Tensor, " batch"]:
    """Equation 1 in float64, for rows with their units in front; rows without a unit: anything."""
    tags = tags.masked_fill(~mask, 0)
    units = emissions.gather(2, tags.unsqueeze(2)).squeeze(2).double()
    pairs = scores.pairs[tags[:, :-1], tags[:, 1:]].double()
    last = tags.gather(1, (mask.sum(dim=1, keepdim=True) - 1).clamp(min=0)).squeeze(1)
    outside = scores.starts[tags[:, 0]].double() + scores.ends[last].double()
    return outside + (units * mask).sum(dim=1) + (pairs * mask[:, 1:]).sum(dim=1)


def best_tags(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> Int[Tensor, "batch unit"]:
    """The sequence with the highest score (eq. 1) of every row, by Viterbi; 0 where there is no unit."""
    with torch.autocast(emissions.device.type, enabled=False):
        order = _real_first(mask)
        emissions, real = _take(emissions.float(), order), mask.gather(1, order)
        find = chain_tree.best_tags if takes_tree(emissions.shape, emissions.device) else chain_loop.best_tags
        tags = find(scores, emissions, real)
        return torch.zeros_like(tags).scatter(1, order, tags.masked_fill(~real, 0))


def marginals(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> Float[Tensor, "batch unit tag"]:
    """Posterior probability of every tag of every unit given the row, by forward-backward; 0 where there is no unit."""
    with torch.autocast(emissions.device.type, enabled=False):
        order = _real_first(mask)
        emissions, real = _take(emissions.float(), order), mask.gather(1, order)
        find = chain_tree.marginals if takes_tree(emissions.shape, emissions.device) else chain_loop.marginals
        posterior = find(scores, emissions, real) * real.unsqueeze(2)
        return torch.zeros_like(posterior).scatter(1, order.unsqueeze(2).expand_as(posterior), posterior)


def _real_first(mask: Bool[Tensor, "batch unit"]) -> Int[Tensor, "batch unit"]:
    """The order of units that moves those of the mask to the front, in their order."""
    return torch.argsort((~mask).byte(), dim=1, stable=True)


def _take(
    emissions: Float[Tensor, "batch unit tag"], order: Int[Tensor, "batch unit"]
) -> Float[Tensor, "batch unit tag"]:
    return emissions.gather(1, order.unsqueeze(2).expand_as(emissions))
