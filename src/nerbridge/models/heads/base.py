"""What every tag head is: states in, loss or tags out, and rows that can be carried to another label set by name."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from nerbridge.batching.batch import Batch
from nerbridge.config.tagger import TagHeadSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.tags import TagVocabulary
from nerbridge.models.losses import LossTerms


@dataclass(frozen=True)
class Decoded:
    """The best tag of each word (0 = O on padding) and its posterior probability given the sentence."""

    tags: Int[Tensor, "batch unit"]
    confidence: Float[Tensor, "batch unit"]


class TagHead(nn.Module, ABC):
    """Labels words with the tags of one label set.

    vocabulary: the tags. allowed: which of them decoding may use (all, unless `restrict` was called).
    """

    allowed: Bool[Tensor, " tag"]

    def __init__(self, settings: TagHeadSettings, vocabulary: TagVocabulary) -> None:
        super().__init__()
        self.settings = settings
        self.vocabulary = vocabulary
        self.dropout = nn.Dropout(settings.dropout)
        self.register_buffer("allowed", torch.ones(len(vocabulary), dtype=torch.bool))

    @property
    def quadratic(self) -> bool:
        """Does the time for a sentence grow with the square of its length?"""
        return False

    @abstractmethod
    def loss(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> LossTerms:
        """Mean loss over the known words of `batch.targets["tags"]`; 0 when none is known."""

    @abstractmethod
    def decode(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> Decoded:
        """The best tags; only allowed ones, and only legal sequences when `settings.constrained`."""

    @abstractmethod
    def carry(self, other: "TagHead", sources: Mapping[str, str]) -> int:
        """Copy tag-indexed parameters from `other`: this head's tag -> other's tag, for each pair in `sources`.

        Parameters that do not depend on tags are copied whole. Returns how many tags were carried.
        Raises ConfigError when `other` is of another kind.
        """

    def rate_multiples(self) -> dict[str, float]:
        """Parameters, by name, that learn at so many times the head's learning rate."""
        return {}

    def restrict(self, labels: LabelSet) -> None:
        """Let decoding use only O and the tags of `labels`."""
        for number, tag in enumerate(self.vocabulary.tags):
            self.allowed[number] = tag == "O" or tag.partition("-")[2] in labels
