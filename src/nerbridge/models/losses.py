"""Named loss terms: what a head or a context returns, and what the training loop adds up; the loss of entity types."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from nerbridge.batching.batch import UNKNOWN, UNMATCHED


@dataclass(frozen=True)
class LossTerms:
    """Scalars by name, each a mean over the words it counts, and their weights (1 where not given)."""

    terms: Mapping[str, Float[Tensor, ""]]
    weights: Mapping[str, float] = field(default_factory=dict)

    def total(self) -> Float[Tensor, ""]:
        """The weighted sum."""
        values = [self.weights.get(name, 1.0) * value for name, value in self.terms.items()]
        assert values, "a loss without terms"
        return sum(values[1:], start=values[0])

    def times(self, weight: float) -> "LossTerms":
        """Every term counts `weight` times as much."""
        return LossTerms(self.terms, {name: weight * self.weights.get(name, 1.0) for name in self.terms})

    def plus(self, other: "LossTerms") -> "LossTerms":
        """Both; equal names are refused."""
        assert not set(self.terms) & set(other.terms), "two loss terms of one name"
        return LossTerms({**self.terms, **other.terms}, {**self.weights, **other.weights})


def types_loss(scores: Float[Tensor, "batch unit label"], types: Int[Tensor, "batch unit"]) -> Float[Tensor, ""]:
    """The sum of -log p over the words of known label, by their number and that of UNMATCHED words; 0 without any.

    Equations 10 and 12 of Jia and Zhang 2020 divide by sentences, never by matches: a text in which a dictionary knows
    one word of a hundred weighs a hundredth of one with all labels.
    """
    known = types.masked_fill(types == UNMATCHED, UNKNOWN).flatten()
    total = F.cross_entropy(scores.flatten(0, 1), known, ignore_index=UNKNOWN, reduction="sum")
    return total / (types != UNKNOWN).sum().clamp(min=1)
