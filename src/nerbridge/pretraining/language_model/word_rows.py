"""Rows for the word-level model: what it reads, and the word that comes next in either direction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from nerbridge.batching.batch import UNKNOWN
from nerbridge.batching.word_vocabulary import BOUNDARY
from nerbridge.encoders.language_model.rows import mask_of, mirrored, padded
from nerbridge.encoders.language_model.word_inputs import WordModelInputs, spell, word_inputs
from nerbridge.encoders.word_char.vocabulary import CharacterVocabulary
from nerbridge.pretraining.language_model.cutting import TextRows
from nerbridge.pretraining.language_model.sharing import shared
from nerbridge.pretraining.language_model.text import WordText
from nerbridge.pretraining.masking import Flags, Ids
from nerbridge.pretraining.step_batch import Share, StepBatch


@dataclass(frozen=True)
class WordRows:
    """Rows that are read together.

    ahead, behind: the word to predict at every place of `inputs.ahead` and `inputs.behind`, UNKNOWN at padding.
    num_ahead, num_behind: how many are to be predicted. num_pieces: words.
    """

    inputs: WordModelInputs
    ahead: Int[Tensor, "batch unit"]
    behind: Int[Tensor, "batch unit"]
    num_ahead: int
    num_behind: int
    num_pieces: int

    @property
    def num_targets(self) -> int:
        """Predictions in both directions."""
        return self.num_ahead + self.num_behind

    def to(self, device: torch.device) -> "WordRows":
        """The same rows on `device`; from pinned memory the copying waits for nothing."""
        ahead, behind = (one.to(device, non_blocking=True) for one in (self.ahead, self.behind))
        return replace(self, inputs=self.inputs.to(device), ahead=ahead, behind=behind)

    def pinned(self) -> "WordRows":
        """The same rows in memory that a GPU reads directly."""
        ahead, behind = self.ahead.pin_memory(), self.behind.pin_memory()
        return replace(self, inputs=self.inputs.pinned(), ahead=ahead, behind=behind)


class WordCollator:
    """Makes batches of rows. predicted: of each distinct word of `text`, its number in the predicted vocabulary."""

    def __init__(self, text: WordText, rows: TextRows, alphabet: CharacterVocabulary, predicted: Ids) -> None:
        self._text, self._rows, self._predicted = text, rows, predicted
        self._spelled = spell(text.words, alphabet).astype(np.int16)
        self.sizes: Ids = rows.ends - rows.begins

    def __call__(
        self,
        numbers: Ids,
        settings: Any,  # noqa: ARG002
        seed: int,  # noqa: ARG002
        share: Share,
    ) -> StepBatch[WordRows]:
        """The rows `numbers`; nothing about them is drawn."""
        return shared(numbers, self.sizes, share, self._together)

    def _together(self, numbers: Ids) -> WordRows:
        rows, lengths = self._rows, self.sizes[numbers]
        ids = self._text.ids[rows.words(numbers)]
        distinct, places = np.unique(ids, return_inverse=True)
        characters = self._spelled[distinct]
        longest = int((characters != 0).sum(axis=1).max())
        inputs = word_inputs(places.astype(np.int64), lengths, characters[:, :longest])
        mask = mask_of(lengths)
        words = padded(self._predicted[ids], mask, UNKNOWN)
        ahead = _next(words, lengths, rows.last[numbers])
        behind = _next(np.take_along_axis(words, mirrored(lengths), axis=1), lengths, rows.first[numbers])
        return WordRows(
            inputs,
            torch.from_numpy(ahead),
            torch.from_numpy(behind),
            num_ahead=int((ahead != UNKNOWN).sum()),
            num_behind=int((behind != UNKNOWN).sum()),
            num_pieces=int(lengths.sum()),
        )


def _next(words: Ids, lengths: Ids, whole: Flags) -> Ids:
    """The word behind each one; behind the last a boundary, or nothing where the row was cut there."""
    following = np.concatenate([words[:, 1:], np.full((len(words), 1), UNKNOWN)], axis=1)
    following[np.arange(len(words)), lengths - 1] = np.where(whole, BOUNDARY, UNKNOWN)
    return following


def predicted_numbers(words: Sequence[str], index: dict[str, int], other: int) -> Ids:
    """Of each distinct word its number in a vocabulary, `other` where it has none."""
    return np.fromiter((index.get(word, other) for word in words), np.int64, len(words))
