"""Named loss terms: what a head or a context returns, and what the training loop adds up."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from jaxtyping import Float
from torch import Tensor


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
