"""The best sequence of a chain and how sure it is, in one step."""

from jaxtyping import Bool, Float, Int
from torch import Tensor

from nerbridge.models.layers.crf import ChainScores, best_tags, marginals


def decode_chain(
    scores: ChainScores, emissions: Float[Tensor, "batch unit tag"], mask: Bool[Tensor, "batch unit"]
) -> tuple[Int[Tensor, "batch unit"], Float[Tensor, "batch unit"]]:
    """The best tags (0 where there is no unit) and the posterior probability of each (0 there too)."""
    tags = best_tags(scores, emissions, mask)
    confidence = marginals(scores, emissions, mask).gather(2, tags.unsqueeze(2))
    return tags, confidence[:, :, 0]
