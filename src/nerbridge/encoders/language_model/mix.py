"""Several layers as one (Peters et al. 2018, equation 1; here eq. 3)."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn


class ScalarMix(nn.Module):
    """gamma x sum of softmax(s)_l h_l, with s and gamma learnt. One layer has no s."""

    def __init__(self, num_layers: int) -> None:
        super().__init__()
        self.scores = nn.Parameter(torch.zeros(num_layers)) if num_layers > 1 else None  # s
        self.factor = nn.Parameter(torch.ones(1))  # gamma

    def forward(self, layers: Sequence[Float[Tensor, "batch unit width"]]) -> Float[Tensor, "batch unit width"]:
        if self.scores is None:
            return self.factor * layers[0]
        shares = torch.softmax(self.scores, dim=0)
        mixed = shares[0] * layers[0]
        for number, layer in enumerate(layers[1:], start=1):
            mixed = mixed + shares[number] * layer
        return self.factor * mixed
