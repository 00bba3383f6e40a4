"""What a vectorizer has seen of the words it was given."""

from dataclasses import asdict, dataclass
from typing import Any, Protocol, runtime_checkable


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

    def since(self, before: "VectorizerReport") -> "VectorizerReport":
        """What was seen after `before` was reported: a model reads the names of its labels when it is built."""
        earlier: dict[str, Any] = asdict(before)
        counts = {name: count - (earlier[name] or 0) for name, count in asdict(self).items() if count is not None}
        return VectorizerReport(**counts)


@runtime_checkable
class Reporting(Protocol):
    """A vectorizer that counts what it sees."""

    def report(self) -> VectorizerReport:
        """Counts of all sentences vectorized so far."""


def reported(vectorizer: object) -> VectorizerReport | None:
    """What `vectorizer` has seen so far; None for one that does not count."""
    return vectorizer.report() if isinstance(vectorizer, Reporting) else None
