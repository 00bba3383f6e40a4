"""Rows for the character-level model; what it predicts is the next character of what it reads."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from nerbridge.encoders.language_model.character_inputs import (
    SPACE,
    CharacterModelInputs,
    character_inputs,
    spell_text,
)
from nerbridge.encoders.word_char.vocabulary import CharacterVocabulary
from nerbridge.pretraining.language_model.cutting import TextRows
from nerbridge.pretraining.language_model.sharing import shared
from nerbridge.pretraining.language_model.text import WordText
from nerbridge.pretraining.masking import Ids
from nerbridge.pretraining.step_batch import Share, StepBatch


@dataclass(frozen=True)
class CharacterRows:
    """Rows that are read together. num_pieces: characters, of which each but a row's first is predicted, both ways."""

    inputs: CharacterModelInputs
    num_rows: int
    num_pieces: int

    @property
    def num_ahead(self) -> int:
        """Characters to predict in the forward direction."""
        return self.num_pieces - self.num_rows

    @property
    def num_behind(self) -> int:
        """Characters to predict in the backward direction."""
        return self.num_pieces - self.num_rows

    @property
    def num_targets(self) -> int:
        """Predictions in both directions."""
        return self.num_ahead + self.num_behind

    def to(self, device: torch.device) -> "CharacterRows":
        """The same rows on `device`; from pinned memory the copying waits for nothing."""
        return replace(self, inputs=self.inputs.to(device))

    def pinned(self) -> "CharacterRows":
        """The same rows in memory that a GPU reads directly."""
        return replace(self, inputs=self.inputs.pinned())


class CharacterCollator:
    """Makes batches of rows of `text`, spelled by `alphabet`."""

    def __init__(self, text: WordText, rows: TextRows, alphabet: CharacterVocabulary) -> None:
        self._text, self._rows = text, rows
        self._spelled, self._word_sizes = spell_text(text.words, alphabet)
        self._word_begins: Ids = np.cumsum(self._word_sizes) - self._word_sizes
        self._space = alphabet.index[SPACE]
        behind = np.concatenate([[0], np.cumsum(self._word_sizes[text.ids])])
        self.sizes: Ids = behind[rows.ends] - behind[rows.begins] + 1

    def __call__(
        self,
        numbers: Ids,
        settings: Any,  # noqa: ARG002
        seed: int,  # noqa: ARG002
        share: Share,
    ) -> StepBatch[CharacterRows]:
        """The rows `numbers`; nothing about them is drawn."""
        return shared(numbers, self.sizes, share, self._together)

    def _together(self, numbers: Ids) -> CharacterRows:
        rows = self._rows
        ids = self._text.ids[rows.words(numbers)]
        sizes = self._word_sizes[ids]
        behind = np.cumsum(sizes)
        places = np.repeat(self._word_begins[ids] - (behind - sizes), sizes) + np.arange(int(sizes.sum()))
        inputs = character_inputs(self._spelled[places], sizes, (rows.ends - rows.begins)[numbers], self._space)
        return CharacterRows(inputs, len(numbers), int(self.sizes[numbers].sum()))
