"""Contexts that differ from place to place: other states for another domain, or for another objective."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager

from jaxtyping import Bool, Float
from torch import Tensor, nn

from nerbridge.batching.batch import Objective

Place = tuple[str, Objective]  # a domain and what is learnt there


class PlacedContext(nn.Module, ABC):
    """A context that must be told where the vectors come from. width: of its states."""

    width: int

    @abstractmethod
    def at(
        self, vectors: Float[Tensor, "batch unit width"], mask: Bool[Tensor, "batch unit"], place: Place
    ) -> Float[Tensor, "batch unit hidden"]:
        """The states of vectors of one place."""

    @abstractmethod
    def together(self, places: Iterable[Place]) -> AbstractContextManager[None]:
        """Inside, batches of all `places` learn for one update; gradients are whole behind it."""
