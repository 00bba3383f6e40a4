"""What a pre-training learns by: a model that says how well it predicts."""

from abc import ABC, abstractmethod
from typing import Any

from jaxtyping import Float
from torch import Tensor, nn


class Objective(nn.Module, ABC):
    """A model with all that is needed to learn from raw text."""

    @abstractmethod
    def loss(self, rows: Any) -> Float[Tensor, ""]:
        """The sum of -log p over all that `rows` has to predict."""

    @abstractmethod
    def freeze_encoder(self, frozen: bool) -> None:
        """Let a new head learn alone, or everything."""
