"""Numbers of words and of their characters."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Bool, Int
from numpy.typing import NDArray
from torch import Tensor

from nerbridge.encoders.word_char.vocabulary import PADDING_CHARACTER, UNKNOWN_CHARACTER, CharacterVocabulary

MAX_CHARACTERS = 40  # of a word; the rest of a longer one is not read


@dataclass(frozen=True, slots=True)
class WordCharItem:
    """One sentence: its words as they are, and their ids."""

    words: tuple[str, ...]
    ids: NDArray[np.int64]

    @property
    def num_pieces(self) -> int:
        return len(self.words)


@dataclass(frozen=True)
class WordCharInputs:
    """One padded batch. Each distinct word is spelled once.

    words: ids, UNKNOWN_ID on padding. word_mask: True where a word exists. spellings: of each word, its row in
    `characters`; 0 on padding. lengths: characters of each row; stays on the CPU, where it is read.
    """

    words: Int[Tensor, "batch unit"]
    word_mask: Bool[Tensor, "batch unit"]
    spellings: Int[Tensor, "batch unit"]
    characters: Int[Tensor, "word char"]
    lengths: Int[Tensor, " word"]

    def to(self, device: torch.device) -> "WordCharInputs":
        """The same inputs on `device`."""
        return replace(
            self,
            words=self.words.to(device, non_blocking=True),
            word_mask=self.word_mask.to(device, non_blocking=True),
            spellings=self.spellings.to(device, non_blocking=True),
            characters=self.characters.to(device, non_blocking=True),
        )


def collate(items: Sequence[WordCharItem], alphabet: CharacterVocabulary) -> WordCharInputs:
    """Pads `items` to one batch."""
    counts = np.fromiter((len(item.words) for item in items), np.int64, len(items))
    mask = np.arange(counts.max(initial=0)) < counts[:, None]
    ids, spellings = (np.zeros(mask.shape, np.int64) for _ in range(2))
    ids[mask] = np.concatenate([item.ids for item in items])
    distinct: dict[str, int] = {}
    spellings[mask] = [distinct.setdefault(word, len(distinct)) for item in items for word in item.words]
    characters, lengths = spell(list(distinct), alphabet)
    return WordCharInputs(
        words=torch.from_numpy(ids),
        word_mask=torch.from_numpy(mask),
        spellings=torch.from_numpy(spellings),
        characters=torch.from_numpy(characters),
        lengths=torch.from_numpy(lengths),
    )


def spell(words: Sequence[str], alphabet: CharacterVocabulary) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The ids of each word's characters, padded, and how many they are; at least one."""
    index = alphabet.index
    rows = [[index.get(character, UNKNOWN_CHARACTER) for character in word[:MAX_CHARACTERS]] for word in words]
    rows = [row or [UNKNOWN_CHARACTER] for row in rows]
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    characters = np.full((len(rows), int(lengths.max(initial=1))), PADDING_CHARACTER, np.int64)
    characters[np.arange(characters.shape[1]) < lengths[:, None]] = [number for row in rows for number in row]
    return characters, lengths
