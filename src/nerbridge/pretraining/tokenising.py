"""Words -> pieces of an encoder, the way its taggers will read them."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nerbridge.encoders.transformer.build import special_pieces
from nerbridge.encoders.transformer.pieces import MAX_WORD_CHARACTERS, PieceTable, word_tokenizer
from nerbridge.pretraining.corpora import Part
from nerbridge.pretraining.masking import PieceTraits

BLOCK_WORDS = 50_000  # words whose pieces are looked up together
CUT = MAX_WORD_CHARACTERS // 2  # characters; longer words, such as lines without spaces, are read in parts


class WordPieces:
    """Turns streams of words into ids.

    tokenizer: a fast one of transformers. dtype: of ids on disk. unknown: id of what the vocabulary cannot spell.
    digest: of everything that decides which ids a text gets.
    """

    def __init__(self, tokenizer: Any) -> None:
        serialized = tokenizer.backend_tokenizer.to_str()
        words = word_tokenizer(serialized)
        self.special = special_pieces(tokenizer)
        self.unknown = self.special.unknown
        self.dtype = "uint16" if words.get_vocab_size() <= 2**16 else "uint32"
        self.digest = hashlib.sha256(f"{serialized}\n{CUT}".encode()).hexdigest()
        self._table = PieceTable(words, unknown_id=self.unknown, max_word_pieces=8 * CUT)
        self._num_words = 0

    def tokenise(self, parts: Iterable[Part]) -> Iterator[tuple[NDArray[Any], NDArray[np.int64]]]:
        """Blocks of ids, each with the positions in it (ascending, exclusive) where documents end."""
        block: list[str] = []
        ends: list[int] = []  # in words of the block
        for words, is_end in parts:
            block.extend(words if max(map(len, words), default=0) <= CUT else _cut(words))
            self._num_words += len(words)
            if is_end:
                ends.append(len(block))
            if len(block) >= BLOCK_WORDS:
                yield self._ids(block, ends)
                block, ends = [], []
        if block or ends:
            yield self._ids(block, ends)

    def take_count(self) -> int:
        """Words read since the last call."""
        number, self._num_words = self._num_words, 0
        return number

    def _ids(self, block: list[str], ends: list[int]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        table = self._table.look_up(block)
        pieces = [table[word] for word in block]
        ids = np.fromiter(chain.from_iterable(pieces), self.dtype)
        behind = np.concatenate([[0], np.cumsum(np.fromiter(map(len, pieces), np.int64, len(pieces)))])
        return ids, behind[np.array(ends, np.int64)].astype(np.int64)


def piece_traits(tokenizer: Any, num_embeddings: int) -> PieceTraits:
    """What masking must know of the vocabulary of a fast tokenizer. num_embeddings: ids that the model has."""
    vocabulary: dict[str, int] = tokenizer.backend_tokenizer.get_vocab(with_added_tokens=True)
    ordinary = np.zeros(max(num_embeddings, max(vocabulary.values()) + 1), np.bool_)
    ordinary[list(vocabulary.values())] = True
    added = [number for number, token in tokenizer.added_tokens_decoder.items() if token.special]
    special = special_pieces(tokenizer)
    around = (*special.before, *special.after, special.padding, special.unknown)
    ordinary[[*tokenizer.all_special_ids, *added, *around]] = False
    continues = np.zeros_like(ordinary)
    mark, wanted = _mark(tokenizer, vocabulary)
    continues[[number for piece, number in vocabulary.items() if piece.startswith(mark) == wanted]] = True
    return PieceTraits(tokenizer.mask_token_id, ordinary, continues & ordinary)


def _mark(tokenizer: Any, vocabulary: dict[str, int]) -> tuple[str, bool]:
    """How pieces show that they go on with a word: by what they begin with, or (False) by not beginning with it."""
    model = json.loads(tokenizer.backend_tokenizer.to_str())["model"]
    if prefix := model.get("continuing_subword_prefix"):
        return prefix, True
    found = (mark for mark in ("Ġ", "▁") if any(piece.startswith(mark) for piece in vocabulary))
    return next(found, ""), False  # every piece begins with "": each is a word


def _cut(words: list[str]) -> Iterator[str]:
    """`words` with the very long ones in parts."""
    for word in words:
        for start in range(0, len(word), CUT):
            yield word[start : start + CUT]
