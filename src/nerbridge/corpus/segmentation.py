"""Raw text -> sentences of words, the same ones that tagging sees: the rules of `nerbridge.data.tokenization`."""

import re

from nerbridge.data.tokenization import split_sentences, tokenize

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, which UTF-8 cannot hold


def sentences_of(text: str) -> list[list[str]]:
    """The sentences of `text`, each a list of words; none for blank text.

    A word that crosses the end of a sentence belongs to the sentence in which it starts. Half characters become U+FFFD.
    """
    text = _LONE_SURROGATE.sub("\ufffd", text)
    ends = [end for _, end in split_sentences(text)]
    sentences: list[list[str]] = []
    sentence: list[str] = []
    number, limit = 0, ends[0] if ends else 0
    for start, end in tokenize(text):
        while start >= limit and number + 1 < len(ends):
            number += 1
            limit = ends[number]
            if sentence:
                sentences.append(sentence)
                sentence = []
        sentence.append(text[start:end])
    if sentence:
        sentences.append(sentence)
    return sentences
