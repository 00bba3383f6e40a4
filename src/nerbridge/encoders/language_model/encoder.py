"""The encoder: a language model that stays as it is, or learns too, and the mix of its layers."""

from collections.abc import Sequence
from pathlib import Path
from typing import assert_never

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.batching.batch import EncoderInputs
from nerbridge.config.encoder import LanguageModelSettings
from nerbridge.encoders.base import Encoder
from nerbridge.encoders.language_model.character_inputs import CharacterModelInputs
from nerbridge.encoders.language_model.character_model import CharacterModel
from nerbridge.encoders.language_model.files import model_name, write_architecture
from nerbridge.encoders.language_model.mix import ScalarMix
from nerbridge.encoders.language_model.vectorizer import (
    CharacterModelVectorizer,
    LanguageModelVectorizer,
    WordModelVectorizer,
)
from nerbridge.encoders.language_model.word_inputs import WordModelInputs
from nerbridge.encoders.language_model.word_model import WordModel
from nerbridge.encoders.word_char.vocabulary import CharacterVocabulary


class LanguageModelEncoder(Encoder):
    """Vectors of `model`, whose characters are those of `alphabet`."""

    vectorizer: LanguageModelVectorizer
    contextual = True

    def __init__(
        self, settings: LanguageModelSettings, model: WordModel | CharacterModel, alphabet: CharacterVocabulary
    ) -> None:
        super().__init__()
        self.settings = settings
        self.model = model
        self.mix = ScalarMix(model.num_layers) if settings.mix == "learnt" else None
        self.dropout = nn.Dropout(settings.dropout)
        self.width = model.width
        self.frozen = not settings.fine_tune
        words = isinstance(model, WordModel)
        self.vectorizer = WordModelVectorizer(alphabet) if words else CharacterModelVectorizer(alphabet)
        if self.frozen:
            model.requires_grad_(False)
            model.eval()

    def train(self, mode: bool = True) -> "LanguageModelEncoder":
        """As usual, but a language model that does not learn stays in evaluation mode."""
        super().train(mode)
        if self.frozen:
            self.model.eval()
        return self

    def forward(self, inputs: EncoderInputs) -> Float[Tensor, "batch unit width"]:
        with (
            torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen),
            torch.autocast(next(self.model.parameters()).device.type, enabled=False),
        ):
            layers, word_mask = self._layers(inputs)
        vectors = self.dropout(self._mixed(layers))
        kept: Float[Tensor, "batch unit width"] = vectors.masked_fill(~word_mask.unsqueeze(2), 0.0)
        return kept

    def _layers(self, inputs: EncoderInputs) -> tuple[list[Tensor], Tensor]:
        match self.model, inputs:
            case WordModel(), WordModelInputs():
                return self.model.layers(inputs), inputs.word_mask
            case CharacterModel(), CharacterModelInputs():
                return self.model.layers(inputs), inputs.word_mask
            case _:
                raise AssertionError("these inputs were made by another encoder's vectorizer")

    def _mixed(self, layers: list[Tensor]) -> Tensor:
        match self.settings.mix:
            case "learnt":
                assert self.mix is not None
                mixed: Tensor = self.mix(layers)  # eq. 3
                return mixed
            case "mean":
                return torch.stack(layers).mean(dim=0)
            case "top":
                return layers[-1]
            case _:
                assert_never(self.settings.mix)

    def describe(self) -> Sequence[str]:
        """One line: which language model, and whether it learns."""
        how = "learns too" if self.settings.fine_tune else "stays as it is"
        return (f"language model '{self.settings.checkpoint}': {model_name(self.model)}, {self.width} wide, {how}",)

    def save_architecture(self, folder: Path) -> None:
        write_architecture(folder, self.model, self.vectorizer.alphabet)
