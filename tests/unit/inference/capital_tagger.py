"""A tagger without a model: words that begin with a capital letter are names, and it remembers what it was asked."""

from dataclasses import dataclass

from nerbridge.data.sentence import Sentence, Span


@dataclass
class Answer:
    spans: tuple[Span, ...]
    scores: tuple[float, ...]


class CapitalTagger:
    """Each run of words with a capital letter is a `name`; its score is 1 for one word, 1/2 for two, ..."""

    def __init__(self, *, remember: bool = True) -> None:
        self.blocks: list[list[Sentence]] = []
        self._remember = remember

    def __call__(self, sentences: list[Sentence]) -> list[Answer]:
        if self._remember:
            self.blocks.append(sentences)
        return [self._answer(sentence.words) for sentence in sentences]

    def _answer(self, words: tuple[str, ...]) -> Answer:
        spans, start = [], None
        for position, word in enumerate([*words, ""]):
            if word[:1].isupper():
                start = position if start is None else start
            elif start is not None:
                spans.append(Span(start, position, "name"))
                start = None
        return Answer(tuple(spans), tuple(1 / (span.end - span.start) for span in spans))
