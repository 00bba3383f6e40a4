"""What the character-level model reads: the text of each sentence in either direction, and where its words end."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Bool, Int
from numpy.typing import NDArray
from torch import Tensor

from nerbridge.encoders.language_model.rows import Ids, mask_of, mirrored, padded
from nerbridge.encoders.word_char.vocabulary import PADDING_CHARACTER, UNKNOWN_CHARACTER, CharacterVocabulary

SPACE = " "  # before, between and behind words; part of every alphabet
MAX_CHARACTERS = 100  # of a word; the rest of a longer one is not read


@dataclass(frozen=True)
class CharacterModelInputs:
    """One padded batch.

    word_mask: True where a word exists. ahead: ids of the characters of each text; behind: the same mirrored.
    ahead_places: of the space behind each word, in `ahead`. behind_places: of the space before it, in `behind`.
    """

    word_mask: Bool[Tensor, "batch unit"]
    ahead: Int[Tensor, "batch char"]
    behind: Int[Tensor, "batch char"]
    ahead_places: Int[Tensor, "batch unit"]
    behind_places: Int[Tensor, "batch unit"]

    def to(self, device: torch.device) -> "CharacterModelInputs":
        """The same inputs on `device`."""
        return replace(self, **{n: t.to(device, non_blocking=True) for n, t in vars(self).items()})

    def pinned(self) -> "CharacterModelInputs":
        """The same inputs in memory that a GPU reads directly."""
        return replace(self, **{name: tensor.pin_memory() for name, tensor in vars(self).items()})


def character_inputs(text: NDArray[np.integer], sizes: Ids, counts: Ids, space: int) -> CharacterModelInputs:
    """The inputs of rows with so many words (`counts`).

    text: ids of all words' characters, a space behind each word. sizes: characters of each word with that space.
    """
    mask = mask_of(counts)
    ends = np.cumsum(padded(sizes, mask), axis=1)  # the first space has place 0
    starts = ends - padded(sizes, mask)
    lengths = ends[:, -1] + 1
    row_ends = np.cumsum(lengths - 1)
    with_first = np.insert(text, np.concatenate([[0], row_ends[:-1]]), space)
    ahead = padded(with_first, mask_of(lengths), PADDING_CHARACTER)
    return CharacterModelInputs(
        word_mask=torch.from_numpy(mask),
        ahead=torch.from_numpy(ahead),
        behind=torch.from_numpy(np.take_along_axis(ahead, mirrored(lengths), axis=1)),
        ahead_places=torch.from_numpy(np.where(mask, ends, 0)),
        behind_places=torch.from_numpy(np.where(mask, lengths[:, None] - 1 - starts, 0)),
    )


def spell_text(words: Iterable[str], alphabet: CharacterVocabulary) -> tuple[NDArray[np.int32], Ids]:
    """The ids of the characters of `words`, a space behind each, and how many each word has with that space."""
    index = alphabet.index
    texts = [word[:MAX_CHARACTERS] + SPACE for word in words]
    flat = [index.get(character, UNKNOWN_CHARACTER) for text in texts for character in text]
    return np.array(flat, np.int32), np.fromiter(map(len, texts), np.int64, len(texts))
