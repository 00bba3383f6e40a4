"""The tags before each word: BOS first, then those of the words so far; in training perhaps disturbed."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from nerbridge.batching.batch import UNKNOWN
from nerbridge.models.layers.chain import LegalMoves

NUM_SPECIAL = 2  # rows of the label table behind the tags: BOS, and a word whose tag is not known


def history_before(tags: Int[Tensor, "batch unit"], num_tags: int) -> Int[Tensor, "batch unit"]:
    """What stands before each word: position 0 is BOS, position k the tag of word k - 1 (0-based).

    The history of word i is positions 0 to i. tags: ids, or UNKNOWN.
    """
    start = torch.full_like(tags[:, :1], num_tags)
    before = tags[:, :-1]
    return torch.cat([start, before.masked_fill(before == UNKNOWN, num_tags + 1)], dim=1)


def with_noise(tags: Int[Tensor, "batch unit"], num_tags: int, probability: float) -> Int[Tensor, "batch unit"]:
    """The known tags, each replaced with `probability` by another one, all others equally likely."""
    chosen = (torch.rand(tags.shape, device=tags.device) < probability) & (tags != UNKNOWN)
    shift = torch.randint(1, max(num_tags, 2), tags.shape, device=tags.device)
    return torch.where(chosen, (tags + shift) % num_tags, tags)


def with_own(
    tags: Int[Tensor, "batch unit"], predicted: Int[Tensor, "batch unit"], probability: float
) -> Int[Tensor, "batch unit"]:
    """The tags, each replaced with `probability` by the model's own prediction, unknown ones too."""
    return torch.where(torch.rand(tags.shape, device=tags.device) < probability, predicted, tags)


def legal_penalties(
    moves: LegalMoves, history: Int[Tensor, "batch unit"], gold: Int[Tensor, "batch unit"]
) -> Float[Tensor, "batch unit tag"]:
    """What decoding would add to the scores of each word after this history; the gold tag itself is never penalised.

    history: the tag that the model reads for each word, maybe not the gold one. Behind an unknown tag all may come.
    """
    before = history[:, :-1]
    behind = moves.pairs[before.clamp(min=0)] * (before != UNKNOWN).unsqueeze(2)  # (batch, unit - 1, tag)
    first = moves.starts.expand(len(history), 1, -1)
    penalties = torch.cat([first, behind], dim=1)
    return penalties.scatter(2, gold.clamp(min=0).unsqueeze(2), 0.0)
