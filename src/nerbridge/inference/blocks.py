"""Many texts -> blocks of sentences: large enough to fill batches, small enough for any memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from nerbridge.data.sentence import Sentence, Span
from nerbridge.inference.document import TaggedSentence

Key = TypeVar("Key")
WORDS_PER_BLOCK = 32_768  # some hundred kilobytes of words; a block is sorted by length and cut into batches


class PredictedSpans(Protocol):
    """What a tagger says about one sentence; `assembly.prediction.Predicted` is one."""

    @property
    def spans(self) -> tuple[Span, ...]: ...

    @property
    def scores(self) -> tuple[float, ...]: ...


Tag = Callable[[list[Sentence]], Sequence[PredictedSpans]]


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Occurrences of what an encoder could not read whole.

    pieceless: words of invisible characters only, read as an unknown word. unknown: words with a piece that the encoder
    does not know. shortened: words of which only the first pieces are read. windowed: sentences longer than the
    encoder, read in overlapping windows (nothing is lost). without_vector: words that an encoder with word vectors has
    none for; None for one without such vectors.
    """

    pieceless: int = 0
    unknown: int = 0
    shortened: int = 0
    windowed: int = 0
    without_vector: int | None = None


def tag_blocks(
    items: Iterable[tuple[Key, list[Sentence]]], tag: Tag, *, batch: int, num_words: int = WORDS_PER_BLOCK
) -> Iterator[tuple[Key, list[TaggedSentence]]]:
    """Every item with its sentences tagged, in order.

    At most `batch` items, or the items that reach `num_words` words, are read ahead. An item longer than that is tagged
    in several blocks.
    """
    waiting: list[tuple[Key, list[Sentence]]] = []
    words = 0
    for key, sentences in items:
        waiting.append((key, sentences))
        words += sum(map(len, sentences))
        if len(waiting) >= batch or words >= num_words:
            yield from _tag_waiting(waiting, tag, num_words)
            waiting, words = [], 0
    yield from _tag_waiting(waiting, tag, num_words)


def _tag_waiting(
    waiting: list[tuple[Key, list[Sentence]]], tag: Tag, num_words: int
) -> Iterator[tuple[Key, list[TaggedSentence]]]:
    sentences = [sentence for _, group in waiting for sentence in group]
    tagged = iter([result for block in _cut(sentences, num_words) for result in _tag_block(block, tag)])
    for key, group in waiting:
        yield key, [next(tagged) for _ in group]


def _tag_block(block: list[Sentence], tag: Tag) -> list[TaggedSentence]:
    results = tag(block)
    assert len(results) == len(block), f"{len(results)} results for {len(block)} sentences"
    return [
        TaggedSentence(sentence.words, tuple(result.spans), tuple(result.scores), sentence.offsets)
        for sentence, result in zip(block, results, strict=True)
    ]


def _cut(sentences: list[Sentence], num_words: int) -> Iterator[list[Sentence]]:
    block: list[Sentence] = []
    words = 0
    for sentence in sentences:
        if block and words + len(sentence) > num_words:
            yield block
            block, words = [], 0
        block.append(sentence)
        words += len(sentence)
    if block:
        yield block
