"""What the word-level model reads: every distinct word of a batch once, and where it stands in either direction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Bool, Int
from numpy.typing import NDArray
from torch import Tensor

from nerbridge.encoders.language_model.rows import Ids, mask_of, mirrored, padded
from nerbridge.encoders.word_char.vocabulary import PADDING_CHARACTER, UNKNOWN_CHARACTER, CharacterVocabulary

BEGIN, END = "\x02", "\x03"  # around the characters of a word; part of every alphabet
MAX_CHARACTERS = 50  # of a word; the rest of a longer one is not read


@dataclass(frozen=True)
class WordModelInputs:
    """One padded batch.

    word_mask: True where a word exists. ahead, behind: the row in `characters` of each word; in `behind` every
    sentence is mirrored. places: where in `behind` each word stands. characters: of distinct words.
    """

    word_mask: Bool[Tensor, "batch unit"]
    ahead: Int[Tensor, "batch unit"]
    behind: Int[Tensor, "batch unit"]
    places: Int[Tensor, "batch unit"]
    characters: Int[Tensor, "word char"]

    def to(self, device: torch.device) -> "WordModelInputs":
        """The same inputs on `device`."""
        return replace(self, **{n: t.to(device, non_blocking=True) for n, t in vars(self).items()})

    def pinned(self) -> "WordModelInputs":
        """The same inputs in memory that a GPU reads directly."""
        return replace(self, **{name: tensor.pin_memory() for name, tensor in vars(self).items()})


def word_inputs(numbers: Ids, lengths: Ids, characters: NDArray[np.integer]) -> WordModelInputs:
    """The inputs of rows with so many words (`lengths`); numbers: of all their words, rows in `characters`."""
    ahead, turned = padded(numbers, mask := mask_of(lengths)), mirrored(lengths)
    return WordModelInputs(
        word_mask=torch.from_numpy(mask),
        ahead=torch.from_numpy(ahead),
        behind=torch.from_numpy(np.take_along_axis(ahead, turned, axis=1)),
        places=torch.from_numpy(turned),
        characters=torch.from_numpy(characters.astype(np.int64)),
    )


def spell(words: Sequence[str], alphabet: CharacterVocabulary) -> NDArray[np.int32]:
    """The ids of each word's characters between begin and end, padded."""
    index = alphabet.index
    texts = [f"{BEGIN}{word[:MAX_CHARACTERS]}{END}" for word in words]
    flat = [index.get(character, UNKNOWN_CHARACTER) for text in texts for character in text]
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    return padded(np.array(flat, np.int64), mask_of(lengths), PADDING_CHARACTER).astype(np.int32)
