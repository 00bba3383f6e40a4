"""The tagger as its users see it: texts in, documents with entities out."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar, overload

from nerbridge.data.sentence import Sentence
from nerbridge.errors import DataError
from nerbridge.inference.blocks import Tag, WordCounts, tag_blocks
from nerbridge.inference.document import Document, TaggedSentence
from nerbridge.inference.segmentation import sentence_of_words, sentences_of_text

Key = TypeVar("Key")
BATCH = 1024  # texts read ahead by `stream`: the more, the better they sort by length


class Pipeline:
    """Finds entities in texts of any length; `nerbridge.load` makes one.

    tag: sentences -> what the model says of each. labels: what it can find. source: the folder of the model.

    >>> import nerbridge
    >>> pipeline = nerbridge.load("runs/music")                     # doctest: +SKIP
    >>> document = pipeline("Nina Simone was born in Tryon.")       # doctest: +SKIP
    >>> [(entity.text, entity.label) for entity in document.entities]       # doctest: +SKIP
    [('Nina Simone', 'musicalartist'), ('Tryon', 'location')]
    """

    def __init__(self, tag: Tag, *, labels: Sequence[str] = (), source: Path | None = None) -> None:
        self._tag = tag
        self.labels = tuple(labels)
        self.source = source

    @overload
    def __call__(self, texts: str, *, min_score: float = ...) -> Document: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, texts: Iterable[str], *, min_score: float = ...) -> list[Document]: ...
    def __call__(self, texts: str | Iterable[str], *, min_score: float = 0.0) -> Document | list[Document]:
        """The document of one text, or a list of documents, one per text.

        min_score: leave out entities whose score (0 to 1) is lower. Raises DataError when a text is not a string, and
        for anything that is neither a string nor an iterable.
        """
        if isinstance(texts, str):
            return next(self.stream([texts], min_score=min_score))
        if isinstance(texts, bytes) or not isinstance(texts, Iterable):
            raise DataError(
                f"the text is of type {type(texts).__name__}",
                where="the call of the pipeline",
                expected="a string, or an iterable of strings",
                hint='pipeline("Ada Lovelace was born in London."); bytes are decoded first',
            )
        return list(self.stream(texts, min_score=min_score))

    def stream(self, texts: Iterable[str], *, batch: int = BATCH, min_score: float = 0.0) -> Iterator[Document]:
        """One document per text, in order, lazily: memory does not grow with the number of texts.

        batch: how many texts are read ahead at most. Raises DataError when a text is not a string.
        """
        items = ((text, _sentences(text, number)) for number, text in enumerate(texts))
        for text, sentences in self.tag_items(items, batch=batch, min_score=min_score):
            yield Document.of(text, sentences)

    def tag_words(self, sentences: Iterable[Sequence[str]], *, min_score: float = 0.0) -> list[TaggedSentence]:
        """One tagged sentence per sequence of words; the words stay as they are, however they were split.

        Spans count words. A sentence without words has no spans. Raises DataError for an empty word, and for a string
        where a sequence of words belongs.
        """
        items = ((tuple(words), _split_already(words, number)) for number, words in enumerate(sentences))
        tagged = self.tag_items(items, batch=BATCH, min_score=min_score)
        return [found[0] if found else TaggedSentence(words, (), ()) for words, found in tagged]

    def word_counts(self) -> WordCounts:
        """What the encoder could not read whole, since the pipeline was made."""
        counts = getattr(self._tag, "word_counts", None)
        return counts() if counts is not None else WordCounts()

    def tag_items(
        self, items: Iterable[tuple[Key, list[Sentence]]], *, batch: int = BATCH, min_score: float = 0.0
    ) -> Iterator[tuple[Key, list[TaggedSentence]]]:
        """Every item, in order, with its sentences tagged; `stream` for callers who bring their own sentences."""
        for key, sentences in tag_blocks(items, self._tag, batch=batch):
            yield key, [sentence.at_least(min_score) for sentence in sentences]


def _sentences(text: object, number: int) -> list[Sentence]:
    if not isinstance(text, str):
        raise DataError(
            f"text {number} is of type {type(text).__name__}",
            where=f"item {number} of the texts, counted from 0",
            expected="a string",
            hint="words that are split already go to `pipeline.tag_words`",
        )
    return sentences_of_text(text)


def _split_already(words: Sequence[str], number: int) -> list[Sentence]:
    if isinstance(words, str) or not all(isinstance(word, str) and word for word in words):
        what = "is one string" if isinstance(words, str) else "has an empty word, or one that is not a string"
        raise DataError(
            f"sentence {number} {what}",
            where=f"item {number} of the sentences, counted from 0",
            expected="a sequence of words, none of them empty",
            hint='a text goes to `pipeline("...")`; words look like ["Ada", "Lovelace"]',
        )
    return [sentence_of_words(tuple(words))] if words else []
