"""What comes out: entities with character offsets into the text as it was given.

Offsets count Unicode code points from 0, ends are exclusive: `document.text[entity.start : entity.end] == entity.text`.
Browsers, Java and C# count UTF-16 units instead, where an emoji takes two: `convert_offsets` converts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nerbridge.data.jsonl_format import OffsetUnit
from nerbridge.data.schemes import Scheme, tags_from_spans
from nerbridge.data.sentence import Span

Offsets = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Entity:
    """Code points `start` to `end` (exclusive) of a document's text carry `label`.

    score: the model's probability for the entity, from 0 to 1.
    """

    start: int
    end: int
    text: str
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """Words and the spans found in them.

    spans: word positions, end exclusive; sorted, not overlapping. scores: one per span, from 0 to 1.
    offsets: where each word stands in the document's text, None for words that were given without a text.

    >>> sentence = TaggedSentence(("Ada", "Lovelace", "wrote"), (Span(0, 2, "person"),), (0.98,))
    >>> sentence.mentions(), sentence.tags()
    (('Ada Lovelace',), ['B-person', 'I-person', 'O'])
    """

    words: tuple[str, ...]
    spans: tuple[Span, ...]
    scores: tuple[float, ...]
    offsets: Offsets | None = None

    def mentions(self) -> tuple[str, ...]:
        """The words of each span, joined by single spaces."""
        return tuple(" ".join(self.words[span.start : span.end]) for span in self.spans)

    def tags(self, scheme: Scheme = Scheme.BIO) -> list[str]:
        """One tag per word."""
        return tags_from_spans(self.spans, len(self.words), scheme)

    def at_least(self, min_score: float) -> "TaggedSentence":
        """The same sentence without the spans whose score is below `min_score`."""
        if all(score >= min_score for score in self.scores):
            return self
        kept = [(span, score) for span, score in zip(self.spans, self.scores, strict=True) if score >= min_score]
        spans, scores = tuple(span for span, _ in kept), tuple(score for _, score in kept)
        return TaggedSentence(self.words, spans, scores, self.offsets)

    def entities(self, text: str) -> tuple[Entity, ...]:
        """The spans as character ranges of `text`, into which `offsets` point."""
        assert self.offsets is not None, "a sentence given as words has no character offsets"
        found = []
        for span, score in zip(self.spans, self.scores, strict=True):
            start, end = self.offsets[span.start][0], self.offsets[span.end - 1][1]
            found.append(Entity(start, end, text[start:end], span.label, score))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Document:
    """A text, never altered, the entities found in it, in order, and the sentences it was read as."""

    text: str
    entities: tuple[Entity, ...]
    sentences: tuple[TaggedSentence, ...]

    @classmethod
    def of(cls, text: str, sentences: Sequence[TaggedSentence]) -> "Document":
        """The document of `text`, whose `sentences` have offsets into it."""
        entities = tuple(entity for sentence in sentences for entity in sentence.entities(text))
        return cls(text, entities, tuple(sentences))


WIDTHS: Mapping[OffsetUnit, Callable[[str], int]] = {
    OffsetUnit.UTF16: lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    OffsetUnit.BYTES: lambda text: len(text.encode("utf-8", "surrogatepass")),
}


def convert_offsets(text: str, positions: Sequence[int], unit: OffsetUnit) -> list[int]:
    """The code point `positions` (ascending) of `text`, counted in `unit`.

    >>> convert_offsets("🙂 Ada", [0, 2, 5], OffsetUnit.UTF16)
    [0, 3, 6]
    """
    if unit is OffsetUnit.CODE_POINTS or text.isascii():
        return list(positions)
    width = WIDTHS[unit]
    converted, before, units = [], 0, 0
    for position in positions:
        units += width(text[before:position])
        before = position
        converted.append(units)
    return converted
