"""Documents -> paragraphs that may be kept: cut into sentences and words, looked at, and given their keys.

Everything here depends on the documents alone, so it runs in any number of processes. What depends on what came before
(duplicates) is left to `building`.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from nerbridge.config.corpus import CorpusSettings, FilterSettings
from nerbridge.corpus.document import Document
from nerbridge.corpus.dump_documents import page_documents
from nerbridge.corpus.dump_pages import RawPage
from nerbridge.corpus.hashing import Codes, normalised_words, word_codes
from nerbridge.corpus.language import LanguageFilter
from nerbridge.corpus.overlap_guard import OverlapGuard, comparable_words
from nerbridge.corpus.overlap_marking import mark_overlaps
from nerbridge.corpus.paragraph import Paragraph
from nerbridge.corpus.segmentation import sentences_of
from nerbridge.corpus.similarity import BANDS, SimilarityKeys
from nerbridge.corpus.tally import Tally

Item = Document | RawPage
# Control characters (white space aside), half characters, and the mark of bytes that could not be decoded.
_UNREADABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffd]")


@dataclass(frozen=True, slots=True)
class PreparedBatch:
    """What became of a batch of items.

    paragraphs: those not dropped yet, in order. keys: one row each, for `DuplicateFilter`. reasons: by document, why
    the first dropped paragraph of it was; "" where none was. tally: everything that was read, and dropped so far.
    """

    paragraphs: list[Paragraph]
    keys: NDArray[np.uint64]
    reasons: list[str]
    tally: Tally
    num_items: int


class Preparer:
    """Prepares batches by one set of settings. guard: None compares with no evaluation set."""

    def __init__(self, settings: CorpusSettings, guard: OverlapGuard | None = None) -> None:
        filters = settings.filters
        self._settings = settings
        self._guard = guard
        self._language = LanguageFilter(filters.language) if filters.language else None
        self._similarity = SimilarityKeys(filters.similarity, settings.seed) if filters.similarity else None

    def prepare(self, items: Sequence[Item]) -> PreparedBatch:
        """What becomes of `items`; bad text raises nothing, what cannot be kept is counted."""
        tally = Tally()
        documents = [document for item in items for document in self._documents(item, tally)]
        paragraphs = [one for number, document in enumerate(documents) for one in self._paragraphs(number, document)]
        candidates = [one for one in paragraphs if not one.reason]
        codes = _codes(candidates)
        if self._guard is not None and mark_overlaps(
            candidates, codes, self._guard, tally, min_words=self._settings.filters.min_words
        ):
            codes = _codes(candidates)
        keys = self._keys(candidates, codes)
        stay = np.array([not one.reason for one in candidates], dtype=bool)
        reasons = _count(len(documents), paragraphs, tally)
        kept = [one for one in candidates if not one.reason]
        for one in kept:
            one.compared, one.sizes = [], []  # what goes to another process should be small
        return PreparedBatch(kept, keys[stay], reasons, tally, len(items))

    def _documents(self, item: Item, tally: Tally) -> list[Document]:
        return [item] if isinstance(item, Document) else page_documents(item, self._settings.text, tally)

    def _paragraphs(self, number: int, document: Document) -> list[Paragraph]:
        """The paragraphs of a document, with the reasons that each has in itself."""
        foreign = self._language is not None and not self._language.accepts(document.text)
        if document.cut:
            texts = [document.text]
        else:
            texts = [text for text in document.text.split("\n") if text and not text.isspace()]
        found = []
        for text in texts:
            sentences = [line.split(" ") for line in text.split("\n")] if document.cut else sentences_of(text)
            one = _paragraph(number, sentences, by_sentence=document.cut)
            one.reason = _reason(text, sentences, one, self._settings.filters) or ("language" if foreign else "")
            found.append(one)
        return found

    def _keys(self, candidates: list[Paragraph], codes: Codes) -> NDArray[np.uint64]:
        """Shape (candidates, 1 + BANDS): the key of the exact words, then those of similarity."""
        keys = np.zeros((len(candidates), 1 + BANDS), dtype=np.uint64)
        if self._settings.filters.exact_duplicates:
            keys[:, 0] = [_exact_key(one.compared) for one in candidates]
        if self._similarity is not None:
            sizes = np.array([len(one.compared) for one in candidates], dtype=np.int64)
            keys[:, 1:] = self._similarity.of(codes, sizes)
        return keys


def _paragraph(document: int, sentences: list[list[str]], *, by_sentence: bool) -> Paragraph:
    """A paragraph of these sentences. by_sentence: may each of them be left out alone?"""
    lines = [" ".join(words) for words in sentences]
    parts = list(map(_compared, lines)) if by_sentence else [normalised_words("\n".join(lines))]
    compared = list(chain.from_iterable(parts)) if by_sentence else parts[0]
    return Paragraph(document, lines, sum(map(len, sentences)), compared, list(map(len, parts)))


def _compared(line: str) -> list[str]:
    """The normalised words of a sentence whose words others may have cut: "don't" is cut as evaluation sets are."""
    return comparable_words(line) if "'" in line or "\u2019" in line else normalised_words(line)


def _codes(candidates: list[Paragraph]) -> Codes:
    return word_codes([word for one in candidates for word in one.compared])


def unreadable(text: str) -> bool:
    """Does it hold control characters, or what stands where bytes could not be read?"""
    return _UNREADABLE.search(text) is not None


def _reason(text: str, sentences: list[list[str]], one: Paragraph, filters: FilterSettings) -> str:
    """Why a paragraph cannot be kept, as far as it says so itself; "" where nothing is wrong with it."""
    if unreadable(text):
        return "unreadable"
    if len(one.compared) < filters.min_words:
        return "short"
    if filters.max_words is not None and len(one.compared) > filters.max_words:
        return "long"
    if max(map(len, sentences)) > filters.max_sentence_words:
        return "long_sentence"
    # A long word makes a long line: most paragraphs need no look at their words.
    longest = filters.max_word_characters
    if len(text) > longest and any(len(word) > longest for sentence in sentences for word in sentence):
        return "long_word"
    return ""


def _exact_key(words: list[str]) -> int:
    digest = hashlib.blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") or 1  # 0 stands for no key


def _count(num_documents: int, paragraphs: list[Paragraph], tally: Tally) -> list[str]:
    """Counts what was read and dropped; returns by document the first reason, "" where nothing was dropped."""
    reasons = ["empty"] * num_documents
    tally.read.add(documents=num_documents)
    for one in paragraphs:
        counts = {"paragraphs": 1, "sentences": len(one.lines), "words": one.words}
        tally.read.add(**counts)
        if one.reason:
            tally.drop(one.reason, **counts)
        if reasons[one.document] in ("empty", ""):
            reasons[one.document] = one.reason
    return reasons
