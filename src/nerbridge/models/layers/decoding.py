"""The best sequence of a chain and how sure it is, in one step."""

import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nerbridge.models.layers.chain import PENALTY, ChainScores
from nerbridge.models.layers.crf import best_tags, marginals
from nerbridge.models.layers.legal import LegalSequences


def decode_chain(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> tuple[Int[Tensor, "batch unit"], Float[Tensor, "batch unit"]]:
    """The best tags (0 where there is no unit) and the posterior probability of each (0 there too)."""
    tags = best_tags(scores, emissions, mask)
    confidence = marginals(scores, emissions, mask).gather(2, tags.unsqueeze(2))
    return tags, confidence[:, :, 0]


def decode_words(
    scores: Float[Tensor, "batch unit tag"],
    allowed: Bool[Tensor, " tag"],
    legal: LegalSequences,
    mask: Bool[Tensor, "batch unit"],
) -> tuple[Int[Tensor, "batch unit"], Float[Tensor, "batch unit"]]:
    """The best legal tags of words that are scored independently, and the posterior probability of each."""
    emissions = F.log_softmax(scores.float().masked_fill(~allowed, PENALTY), dim=2).clamp(min=PENALTY)
    if not legal.constrained:
        confidence, tags = emissions.max(dim=2)
        return tags * mask, confidence.exp() * mask
    return decode_chain(legal.scores(), emissions, mask)
