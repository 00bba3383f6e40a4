"""What learns together: one padded batch of one stream."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from nerbridge.data.sentence import Sentence

Objective = Literal["tags", "words"]  # what is learnt: the labels of words, or the words before and behind each
UNKNOWN = -100  # target of a word that is padding or whose label is not known; every loss skips it
UNMATCHED = -101  # entity type of a word of raw text that no list of names has: skipped too, but counted as a word


@runtime_checkable
class EncoderInputs(Protocol):
    """What an encoder reads; made by its vectorizer, opaque to everybody else."""

    def to(self, device: torch.device) -> "EncoderInputs": ...


@runtime_checkable
class Vectorized(Protocol):
    """One sentence as an encoder's numbers, on the CPU, not padded."""

    @property
    def num_pieces(self) -> int:
        """Cost of the sentence in a batch; windows included."""
        ...


@runtime_checkable
class Vectorizer(Protocol):
    """Sentences -> numbers of one encoder. Units are words: unit i of a sentence is its word i, always."""

    def vectorize(self, sentences: list[Sentence]) -> list[Vectorized]: ...

    def collate(self, items: list[Vectorized]) -> EncoderInputs: ...


@dataclass(frozen=True)
class Batch:
    """Sentences of one stream, padded to the longest, with the targets that the stream has.

    mask: True where a unit exists. targets: by objective; "tags" holds tag ids of the head `domain`, UNKNOWN elsewhere;
    "words" holds the ids of the words themselves; "domain" whether they are of the target (0) or of a source (1);
    "types" what is known of entity types where tags are not learnt (`entity_types`). weight: of the losses of tags
    and words.
    """

    sentences: tuple[Sentence, ...]
    inputs: EncoderInputs
    mask: Bool[Tensor, "batch unit"]
    domain: str
    targets: Mapping[str, Int[Tensor, "batch unit"]] = field(default_factory=dict)
    weight: float = 1.0

    def to(self, device: torch.device) -> "Batch":
        """The same batch with every tensor on `device`."""
        return replace(
            self,
            inputs=self.inputs.to(device),
            mask=self.mask.to(device),
            targets={name: tensor.to(device) for name, tensor in self.targets.items()},
        )

    @property
    def objective(self) -> Objective:
        """What its states are for: "words" where these are its targets, else "tags", in training as in use."""
        return "words" if "words" in self.targets else "tags"

    @property
    def lengths(self) -> Int[Tensor, " batch"]:
        """Words per sentence."""
        return self.mask.sum(dim=1)

    def __len__(self) -> int:
        return len(self.sentences)
