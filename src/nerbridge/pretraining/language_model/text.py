"""Raw text as numbers of words: 4 bytes a word, in memory."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nerbridge.corpus.segmentation import sentences_of
from nerbridge.errors import DataError
from nerbridge.pretraining.corpora import Corpus, Part
from nerbridge.pretraining.masking import Ids


@dataclass(frozen=True)
class TextCounts:
    """What a corpus holds."""

    domain: str
    documents: int
    words: int


@dataclass(frozen=True)
class WordText:
    """words: the distinct ones. ids: of all words in order. parts, documents: where each begins, and the end.

    A part is a sentence. counts: of each corpus.
    """

    words: tuple[str, ...]
    ids: NDArray[np.uint32]
    parts: Ids
    documents: Ids
    counts: tuple[TextCounts, ...]


def read_text(corpora: Sequence[Corpus]) -> WordText:
    """All words of `corpora`, those that tagging sees. Raises DataError when there are none, or a file is damaged."""
    index: dict[str, int] = {}
    ids, parts, documents = array("I"), array("q", [0]), array("q", [0])
    counts = []
    for corpus in corpora:
        begun, number = len(ids), len(documents)
        for words, is_end in _sentences(corpus):
            ids.extend([index.setdefault(word, len(index)) for word in words])
            parts.append(len(ids))
            if is_end:
                documents.append(len(ids))
        if documents[-1] != len(ids):
            documents.append(len(ids))
        counts.append(TextCounts(corpus.domain, len(documents) - number, len(ids) - begun))
    if not len(ids):
        raise DataError(
            "there is nothing to learn from: the corpora hold no words",
            where=", ".join(str(corpus.path) for corpus in corpora),
            expected="text, one paragraph per line, or a built corpus with sentences",
            hint="look at the files; `nerbridge corpus stats` counts what a built corpus holds",
        )
    return WordText(
        tuple(index),
        np.frombuffer(ids, np.uint32),
        np.frombuffer(parts, np.int64),
        np.frombuffer(documents, np.int64),
        tuple(counts),
    )


def _sentences(corpus: Corpus) -> Iterator[Part]:
    """The sentences of `corpus`, and whether a document ends behind each.

    A built corpus has them; text files are cut by the rules of `corpus build` and `predict`, or a tagger would ask for
    words that the language model has never met.
    """
    built = corpus.path.is_dir()
    for words, is_end in corpus.parts():
        *sentences, last = ([] if built else sentences_of(" ".join(words))) or [words]
        for sentence in sentences:
            yield sentence, False
        yield last, is_end
