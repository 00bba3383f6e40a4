"""v = [v of the first part ; v of the second ; ...], word by word."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.batching.batch import EncoderInputs
from nerbridge.config.encoder import ConcatenatedSettings, EncoderSettings
from nerbridge.encoders.base import Encoder
from nerbridge.encoders.concatenated.files import part_folder, write_parts
from nerbridge.encoders.concatenated.inputs import ConcatenatedInputs, ConcatenatedVectorizer


class ConcatenatedEncoder(Encoder):
    """The rows of all `parts` side by side. Each part keeps its vectorizer, its weights and its say on what learns."""

    vectorizer: ConcatenatedVectorizer

    def __init__(self, parts: Sequence[Encoder]) -> None:
        super().__init__()
        self.parts = nn.ModuleList(parts)
        self.width = sum(part.width for part in parts)
        self.contextual = any(part.contextual for part in parts)
        self._join()

    def _join(self) -> None:
        self.vectorizer = ConcatenatedVectorizer([part.vectorizer for part in self.encoders])

    @property
    def encoders(self) -> tuple[Encoder, ...]:
        """The parts, in order."""
        return tuple(self.parts)  # type: ignore[arg-type]

    def forward(self, inputs: EncoderInputs) -> Float[Tensor, "batch unit width"]:
        assert isinstance(inputs, ConcatenatedInputs), "these inputs were made by another encoder's vectorizer"
        return torch.cat([part(read) for part, read in zip(self.parts, inputs.parts, strict=True)], dim=2)

    def learn_words(self, words: Mapping[str, int], settings: EncoderSettings, seed: int) -> None:
        """Every part makes room for them."""
        assert isinstance(settings, ConcatenatedSettings), "a stage does not change the kind of encoder"
        for part, own in zip(self.encoders, settings.parts, strict=True):
            part.learn_words(words, own, seed)
        self._join()

    def describe(self) -> Sequence[str]:
        """The lines of all parts."""
        return tuple(line for part in self.encoders for line in part.describe())

    def save_architecture(self, folder: Path) -> None:
        write_parts(folder, len(self.parts))
        for number, part in enumerate(self.encoders):
            part.save_architecture(part_folder(folder, number))
