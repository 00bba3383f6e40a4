"""Label background (eq. 4-6) and label context (eq. 7-8): attention without scaling, as in the paper."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn


def attend(
    queries: Float[Tensor, "batch query width"],
    keys: Float[Tensor, "batch key width"],
    mask: Bool[Tensor, "#batch #query key"] | None = None,
) -> Float[Tensor, "batch query width"]:
    """softmax(q k^T) k. mask: True where a key exists; every query has one."""
    weights = torch.bmm(queries, keys.transpose(1, 2))
    if mask is not None:
        weights = weights.masked_fill(~mask, -torch.inf)
    return torch.bmm(torch.softmax(weights, dim=2), keys)


class LabelBackground(nn.Module):
    """What the labels so far say about the sentence. label_width: of e, both directions. width: of the states."""

    def __init__(self, label_width: int, width: int) -> None:
        super().__init__()
        self.project = nn.Linear(label_width, width)  # W2, b2

    def forward(
        self,
        last: Float[Tensor, "batch query label"],
        words: Float[Tensor, "batch unit width"],
        mask: Bool[Tensor, "batch unit"],
    ) -> Float[Tensor, "batch query width"]:
        return attend(self.project(last), words, mask.unsqueeze(1))  # eq. 4-6


class LabelContext(nn.Module):
    """What a word asks of the labels so far. width: of what it knows: its state, and the background if there is one."""

    def __init__(self, width: int, label_width: int) -> None:
        super().__init__()
        self.project = nn.Linear(width, label_width)  # W3, b3

    def forward(self, *known: Float[Tensor, "batch query _"]) -> Float[Tensor, "batch query label"]:
        """The queries h' (eq. 7); the labels answer by `attend` (eq. 8)."""
        queries: Float[Tensor, "batch query label"] = self.project(torch.cat(known, dim=2))
        return queries
