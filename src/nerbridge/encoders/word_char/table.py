"""The table of word vectors: rows that learn, and rows that stay."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn


class WordTable(nn.Module):
    """Id -> row. Ids below `num_learnt` have rows that learn (0 is the unknown word), those behind have fixed rows.

    fine_tune: do the first ones learn?
    """

    fixed: Float[Tensor, "other width"]

    def __init__(
        self, learnt: Float[Tensor, "word width"], fixed: Float[Tensor, "other width"], *, fine_tune: bool
    ) -> None:
        super().__init__()
        self.learnt = nn.Parameter(learnt, requires_grad=fine_tune)
        self.register_buffer("fixed", fixed)

    @property
    def num_learnt(self) -> int:
        """The number of rows that learn."""
        return len(self.learnt)

    def forward(self, ids: Int[Tensor, "batch unit"]) -> Float[Tensor, "batch unit width"]:
        number = self.num_learnt
        rows = F.embedding(ids.clamp(max=number - 1), self.learnt)
        if not len(self.fixed):
            return rows
        others = F.embedding((ids - number).clamp(min=0), self.fixed)
        return torch.where((ids < number).unsqueeze(2), rows, others)
