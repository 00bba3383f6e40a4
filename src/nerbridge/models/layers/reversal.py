"""Gradient reversal (Ganin et al. 2016, section 4.2).

    R(x) = x,   dR/dx = -lambda I                                                              (eq. 16, 17)
    lambda(p) = end * (2 / (1 + exp(-steepness p)) - 1),   p the share of the training that is done  (section 5.2.2)

The paper has end = 1 and steepness = 10.
"""

import math
from typing import Any

import torch
from torch import Tensor


class _Reversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, scale: float) -> Tensor:
        ctx.scale = scale
        return values.view_as(values)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return -ctx.scale * gradient, None


def reverse_gradient(values: Tensor, scale: float) -> Tensor:
    """`values` as they are; their gradient is -`scale` times what arrives."""
    reversed_: Tensor = _Reversal.apply(values, scale)  # type: ignore[no-untyped-call]
    return reversed_


def rising_scale(done: float, *, end: float, steepness: float) -> float:
    """lambda when the share `done` (0 to 1) of the training is behind: 0 at first, nearly `end` at last."""
    return end * (2 / (1 + math.exp(-steepness * done)) - 1)
