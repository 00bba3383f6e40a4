"""What scores a tag sequence beside its emissions, and how illegal moves are taken out of it.

"Excluded" is a large finite penalty, which underflows to probability 0 and cannot make NaN.
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

PENALTY = -1e5  # of an excluded tag or pair: exp underflows to 0, and thousands of them still fit a float32


@dataclass(frozen=True)
class ChainScores:
    """What scores a sequence beside its emissions. pairs[i, j]: of tag j right behind tag i."""

    pairs: Float[Tensor, "tag tag"]
    starts: Float[Tensor, " tag"]
    ends: Float[Tensor, " tag"]

    def excluding(self, legal: "LegalMoves") -> "ChainScores":
        """The same scores with a penalty on what is not legal."""
        return ChainScores(
            self.pairs.float() + legal.pairs, self.starts.float() + legal.starts, self.ends.float() + legal.ends
        )


@dataclass(frozen=True)
class LegalMoves:
    """0 where a move is legal and PENALTY where it is not."""

    pairs: Float[Tensor, "tag tag"]
    starts: Float[Tensor, " tag"]
    ends: Float[Tensor, " tag"]
