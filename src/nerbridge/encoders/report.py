"""What a vectorizer has seen of the words it was given."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(slots=True)
class VectorizerReport:
    """What a vectorizer has seen: occurrences, not distinct words."""

    sentences: int = 0
    words: int = 0
    pieceless_words: int = 0  # zero-width or control characters only: read as the unknown piece
    unknown_words: int = 0  # with an unknown piece among their pieces
    shortened_words: int = 0  # only their first pieces, or characters, are read
    windowed_sentences: int = 0  # longer than the encoder
    words_without_vector: int | None = None  # outside the vocabulary of word vectors; None without such vectors


@runtime_checkable
class Reporting(Protocol):
    """A vectorizer that counts what it sees."""

    def report(self) -> VectorizerReport:
        """Counts of all sentences vectorized so far."""
