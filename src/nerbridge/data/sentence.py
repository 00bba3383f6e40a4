"""The cargo of the ground floor: spans, sentences and where they came from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum


class Annotation(StrEnum):
    """How much of a sentence is labelled. Losses mask what is not known."""

    NONE = "none"  # raw text: nothing is known
    PARTIAL = "partial"  # the words in `Sentence.known` are known, the others are not (never O by default)
    COMPLETE = "complete"  # every word is known; a word outside all spans is O


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Words `start` (inclusive) to `end` (exclusive) carry `label`.

    Raises ValueError unless 0 <= start < end and the label is not empty.
    """

    start: int
    end: int
    label: str

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"a span needs 0 <= start < end, not start={self.start}, end={self.end}")
        if not self.label:
            raise ValueError(f"span {self.start}:{self.end} has an empty label")


@dataclass(frozen=True, slots=True)
class Origin:
    """The file and the line (from 1) of a sentence's first word, for messages."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class MalformedTags:
    """The tags of a sentence that breaks its scheme, as the file has them, in the letters of `scheme`: BIO or BIOES."""

    tags: tuple[str, ...]
    scheme: str

    def renamed(self, renames: Mapping[str, str]) -> "MalformedTags":
        """The same tags with labels replaced where `renames` says so."""
        parts = [tag.partition("-") for tag in self.tags]
        tags = tuple(letter + hyphen + renames.get(label, label) for letter, hyphen, label in parts)
        return MalformedTags(tags, self.scheme)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words, what is known of their labels, and where they came from.

    words: at least one; never empty strings.
    spans: sorted, not overlapping, inside the sentence; empty when annotation is NONE.
    known: one flag per word, given exactly when annotation is PARTIAL; words of spans are known.
    malformed: the file's own tags where they break their scheme and `spans` is their lenient reading; they hold the
    strict reading too. Sentences that differ in this alone are equal.
    text, offsets: the original text, never altered, and one (start, end) per word in code points, end exclusive.

    Raises ValueError when one of these does not hold.

    >>> Sentence(("Ada", "Lovelace", "wrote"), (Span(0, 2, "person"),)).mention(Span(0, 2, "person"))
    'Ada Lovelace'
    """

    words: tuple[str, ...]
    spans: tuple[Span, ...] = ()
    annotation: Annotation = Annotation.COMPLETE
    known: tuple[bool, ...] | None = None
    domain: str = ""
    origin: Origin | None = None
    text: str | None = None
    offsets: tuple[tuple[int, int], ...] | None = None
    malformed: MalformedTags | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.words or not all(self.words):
            raise ValueError("a sentence needs at least one word and no empty ones")
        if self.annotation is Annotation.NONE and self.spans:
            raise ValueError("a sentence without annotation has no spans")
        if (self.known is not None) != (self.annotation is Annotation.PARTIAL):
            raise ValueError("`known` goes with partial annotation, and only with it")
        if self.known is not None and len(self.known) != len(self.words):
            raise ValueError(f"{len(self.known)} known flags for {len(self.words)} words")
        if (self.text is None) != (self.offsets is None) or (self.offsets and len(self.offsets) != len(self.words)):
            raise ValueError("`text` and `offsets` go together, one offset pair per word")
        self._check_spans()

    def _check_spans(self) -> None:
        end = 0
        for span in self.spans:
            if span.start < end:
                raise ValueError(f"spans must be sorted and must not overlap: {self.spans}")
            end = span.end
            if self.known is not None and not all(self.known[span.start : span.end]):
                raise ValueError(f"the words of {span} must be known")
        if end > len(self.words):
            raise ValueError(f"{self.spans[-1]} ends behind the last of {len(self.words)} words")

    def __len__(self) -> int:
        return len(self.words)

    def with_labels(self, renames: Mapping[str, str]) -> "Sentence":
        """This sentence with the labels of its spans replaced where `renames` says so."""
        spans = tuple(Span(span.start, span.end, renames.get(span.label, span.label)) for span in self.spans)
        return replace(self, spans=spans, malformed=self.malformed and self.malformed.renamed(renames))

    def mention(self, span: Span) -> str:
        """The words of `span`, joined by single spaces."""
        return " ".join(self.words[span.start : span.end])


def labels_of(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """The distinct span labels, sorted."""
    return tuple(sorted({span.label for sentence in sentences for span in sentence.spans}))
