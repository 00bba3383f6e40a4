"""Contexts that differ from place to place: other states for another domain, or for another objective."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from nerbridge.batching.batch import Objective
from nerbridge.models.losses import LossTerms

Place = tuple[str, Objective]  # a domain and what is learnt there


class PlacedContext(nn.Module, ABC):
    """A context that must be told where the vectors come from. width: of its states."""

    width: int

    @property
    @abstractmethod
    def domains_apart(self) -> Collection[str]:
        """The domains that have states of their own; empty where all have the same."""

    @abstractmethod
    def at(
        self, vectors: Float[Tensor, "batch unit width"], mask: Bool[Tensor, "batch unit"], place: Place
    ) -> Float[Tensor, "batch unit hidden"]:
        """The states of vectors of one place."""

    @abstractmethod
    def together(self, places: Iterable[Place]) -> AbstractContextManager[None]:
        """Inside, batches of all `places` learn for one update; gradients are whole behind it."""

    def rate_multiples(self, *, adaptive: bool) -> dict[str, float]:  # noqa: ARG002 (for those that differ)
        """Parameters, by name, that learn at so many times the rate. adaptive: steps do not grow with gradients."""
        return {}


class LearningContext(PlacedContext):
    """A context with losses of its own, beside those of the heads that read its states."""

    @abstractmethod
    def learn(
        self,
        vectors: Float[Tensor, "batch unit width"],
        mask: Bool[Tensor, "batch unit"],
        place: Place,
        types: Int[Tensor, "batch unit"] | None,
    ) -> tuple[Float[Tensor, "batch unit hidden"], LossTerms]:
        """The states, as `at` gives them, and the losses. types: of each word 0 for O, n for the n-th label of the
        domain, UNKNOWN where it is not known; None: of no word."""

    @abstractmethod
    def for_labels(self, domain: str, labels: Sequence[str], sources: Mapping[str, str]) -> None:
        """From now on the context is for `labels` of `domain` alone. sources: label -> the label until now whose
        parameters it starts from; of the others they start random."""
