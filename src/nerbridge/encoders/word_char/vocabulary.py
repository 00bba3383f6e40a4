"""Which words have a vector, and which characters an embedding."""

import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

UNKNOWN_ID = 0  # of words that have no row
PADDING_CHARACTER, UNKNOWN_CHARACTER = 0, 1


@dataclass(frozen=True)
class WordVocabulary:
    """Words in the order of their ids, which start at 1; 0 is the unknown word.

    learnt: words that stages trained on, with rows that learn. counts: how often each stood there.
    fixed: further words, with rows of the vector file that stay as they are.
    """

    learnt: tuple[str, ...]
    counts: tuple[int, ...]
    fixed: tuple[str, ...] = ()

    def __len__(self) -> int:
        """The number of ids, the unknown word's included."""
        return 1 + len(self.learnt) + len(self.fixed)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Word -> id, exactly as it is spelled."""
        return {word: number for number, word in enumerate((*self.learnt, *self.fixed), start=1)}

    def look_up(self, word: str) -> int:
        """The id of `word`, else of the lower-cased word, else UNKNOWN_ID."""
        found = self.index.get(word)
        return self.index.get(word.lower(), UNKNOWN_ID) if found is None else found


def ordered(words: Mapping[str, int], min_count: int) -> dict[str, int]:
    """The words that stand at least `min_count` times, the most frequent first."""
    kept = [(word, count) for word, count in words.items() if count >= min_count]
    return dict(sorted(kept, key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True)
class CharacterVocabulary:
    """Characters in the order of their ids, behind those of padding and of an unknown one."""

    characters: str

    def __len__(self) -> int:
        """The number of ids, padding and the unknown character included."""
        return 2 + len(self.characters)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Character -> id."""
        return {character: number for number, character in enumerate(self.characters, start=2)}

    def with_words(self, words: Iterable[str]) -> "CharacterVocabulary":
        """The same ids, and new ones for further characters of `words`."""
        further = {character for word in words for character in word}.difference(self.index)
        return CharacterVocabulary(self.characters + "".join(sorted(further)))


PLAIN_CHARACTERS = CharacterVocabulary(string.ascii_letters + string.digits + string.punctuation)
