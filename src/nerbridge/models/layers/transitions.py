"""Log-sums over previous tags as matrix products, for posteriors."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class Transitions:
    """Pair scores as factors, so that a log-sum over all previous tags is a matrix product.

    With many tags this is far faster than a log-sum over a tensor of (batch, tag, tag). Sums of less than exp(-690) of
    the largest are lost in float64: never where a model has a doubt.

    factors: exp(pairs - peak).
    """

    factors: Float[Tensor, "tag tag"]
    peak: Float[Tensor, ""]

    @classmethod
    def of(cls, pairs: Float[Tensor, "tag tag"]) -> "Transitions":
        """Of pair scores [from, to], in the precision of `sum_precision`."""
        peak = pairs.max()
        return cls(torch.exp(pairs - peak), peak)

    def sum_over(self, score: Float[Tensor, "batch tag"]) -> Float[Tensor, "batch tag"]:
        """For each tag, log sum over i of exp(score[i] + pairs[i, tag])."""
        top = score.amax(dim=1, keepdim=True)
        total = torch.exp(score - top) @ self.factors
        return torch.log(total.clamp(min=torch.finfo(total.dtype).tiny)) + (top + self.peak)


def sum_precision(device: torch.device) -> torch.dtype:
    """float64, and float32 on Apple's GPUs, which have nothing wider."""
    return torch.float32 if device.type == "mps" else torch.float64
