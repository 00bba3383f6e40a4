"""Words -> pieces, each distinct word once.

A fast tokenizer given pre-split words treats every word by itself, so a table from word to pieces is exact.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tokenizers import Tokenizer

MAX_WORD_PIECES = 64  # what a tagger can learn about a word is in its first pieces; the rest would fill windows
MAX_WORD_CHARACTERS = 1024  # far more than 64 pieces need; longer words are cut before the tokenizer sees them
TABLE_SIZE = 200_000  # words; bounds memory over millions of texts


@dataclass(frozen=True, slots=True)
class OddWords:
    """Distinct words that did not fare well.

    pieceless: without any piece, they stand as the unknown piece. unknown: with an unknown piece among their pieces.
    shortened: cut to their first pieces.
    """

    pieceless: set[str]
    unknown: set[str]
    shortened: set[str]


class PieceTable:
    """The pieces of words.

    unknown_id: stands for words that have no piece. max_word_pieces: longer words keep their first pieces only.
    """

    def __init__(self, tokenizer: Tokenizer, *, unknown_id: int, max_word_pieces: int = MAX_WORD_PIECES) -> None:
        self._tokenizer = tokenizer
        self._unknown_id = unknown_id
        self._limit = max_word_pieces
        self._pieces: dict[str, tuple[int, ...]] = {}
        self.odd = OddWords(set(), set(), set())

    def look_up(self, words: Iterable[str]) -> dict[str, tuple[int, ...]]:
        """A table that holds at least `words`; every word has at least one piece."""
        distinct = set(words)
        table = self._pieces
        missing = distinct.difference(table)
        if len(table) + len(missing) > TABLE_SIZE:
            self._pieces = table = {}  # a new table: another thread may still be reading the old one
            self.odd = OddWords(set(), set(), set())
            missing = distinct
        if missing:
            self._add(sorted(missing), table)
        return table

    def _add(self, words: list[str], table: dict[str, tuple[int, ...]]) -> None:
        cut = [[word[:MAX_WORD_CHARACTERS]] for word in words]
        encodings = self._tokenizer.encode_batch(cut, is_pretokenized=True, add_special_tokens=False)
        for word, encoding in zip(words, encodings, strict=True):
            ids = encoding.ids
            if not ids:
                self.odd.pieceless.add(word)
            elif self._unknown_id in ids:
                self.odd.unknown.add(word)
            if len(ids) > self._limit or len(word) > MAX_WORD_CHARACTERS:
                self.odd.shortened.add(word)
            table[word] = tuple(ids[: self._limit]) or (self._unknown_id,)


def word_tokenizer(serialized: str) -> Tokenizer:
    """The tokenizer serialized in `serialized`, made ready for single words of running text.

    No truncation, no padding; a word-initial space is part of the word (byte-level and sentence-piece tokenizers have
    other pieces at the start of a text than behind a space).
    """
    state = json.loads(serialized)
    state["truncation"] = state["padding"] = None
    _add_prefix_space(state.get("pre_tokenizer"))
    return Tokenizer.from_str(json.dumps(state))


def _add_prefix_space(pre_tokenizer: dict[str, Any] | None) -> None:
    match (pre_tokenizer or {}).get("type"):
        case "Sequence":
            for inner in pre_tokenizer["pretokenizers"]:  # type: ignore[index]
                _add_prefix_space(inner)
        case "ByteLevel":
            pre_tokenizer["add_prefix_space"] = True  # type: ignore[index]
        case "Metaspace":
            pre_tokenizer["prepend_scheme"] = "always"  # type: ignore[index]
