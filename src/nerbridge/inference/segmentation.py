"""Text -> sentences of words that know their place in it; the words are those that training sees."""

import re
from itertools import groupby

from nerbridge.data.sentence import Annotation, Origin, Sentence
from nerbridge.data.tokenization import split_sentences, tokenize

LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character: no encoder's tokenizer can take it


def sentences_of_text(text: str, origin: Origin | None = None) -> list[Sentence]:
    """The sentences of `text`, each with `text` itself and the code point offsets of its words; none for blank text.

    origin: of all of them. A word that crosses the end of a sentence belongs to the sentence in which it starts.
    """
    ends = [end for _, end in split_sentences(text)]
    number = 0
    placed = []
    for start, end in tokenize(text):
        while number < len(ends) and ends[number] <= start:
            number += 1
        placed.append((number, (start, end)))
    return [
        _sentence(text, [pair for _, pair in group], origin) for _, group in groupby(placed, key=lambda one: one[0])
    ]


def _sentence(text: str, offsets: list[tuple[int, int]], origin: Origin | None) -> Sentence:
    words = tuple(encodable(text[start:end]) for start, end in offsets)
    return Sentence(words, annotation=Annotation.NONE, origin=origin, text=text, offsets=tuple(offsets))


def sentence_of_words(words: tuple[str, ...]) -> Sentence:
    """The sentence of words that somebody else has split. Raises ValueError for no words, or an empty one."""
    return Sentence(tuple(encodable(word) for word in words), annotation=Annotation.NONE)


def encodable(word: str) -> str:
    """`word` with every half of a surrogate pair replaced, so that it can be encoded; its length stays."""
    return LONE_SURROGATE.sub("\ufffd", word)
