"""Documents -> paragraphs that may be kept: cut into sentences and words, looked at, and given their keys.

Everything here depends on the documents alone, so it runs in any number of processes. What depends on what came before
(duplicates) is left to `building`.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nerbridge.config.corpus import CorpusSettings, FilterSettings
from nerbridge.corpus.document import Document
from nerbridge.corpus.dump_documents import page_documents
from nerbridge.corpus.dump_pages import RawPage
from nerbridge.corpus.hashing import Codes, normalised_words, word_codes
from nerbridge.corpus.language import LanguageFilter
from nerbridge.corpus.overlap_guard import OverlapGuard
from nerbridge.corpus.segmentation import sentences_of
from nerbridge.corpus.similarity import BANDS, SimilarityKeys
from nerbridge.corpus.tally import Tally

Item = Document | RawPage
# Control characters (white space aside), half characters, and the mark of bytes that could not be decoded.
_UNREADABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffd]")


@dataclass(slots=True)
class Paragraph:
    """One paragraph on its way: its sentences as lines, its words, and why it is dropped, if it is.

    cut: is it a sentence of a built corpus? Such a corpus has no paragraphs.
    """

    document: int
    lines: list[str]
    words: int
    cut: bool = False
    compared: list[str] = field(default_factory=list)  # its normalised words
    reason: str = ""


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
        sizes = np.array([len(one.compared) for one in candidates], dtype=np.int64)
        codes = word_codes([word for one in candidates for word in one.compared])
        self._mark_overlaps(candidates, codes, sizes, tally)
        keys = self._keys(candidates, codes, sizes)
        stay = np.array([not one.reason for one in candidates], dtype=bool)
        reasons = _count(len(documents), paragraphs, tally)
        kept = [one for one in candidates if not one.reason]
        for one in kept:
            one.compared = []  # what goes to another process should be small
        return PreparedBatch(kept, keys[stay], reasons, tally, len(items))

    def _documents(self, item: Item, tally: Tally) -> list[Document]:
        return [item] if isinstance(item, Document) else page_documents(item, self._settings.text, tally)

    def _paragraphs(self, number: int, document: Document) -> list[Paragraph]:
        """The paragraphs of a document, with the reasons that each has in itself."""
        foreign = self._language is not None and not self._language.accepts(document.text)
        if document.cut:
            return [_cut_sentence(number, line, foreign) for line in document.text.split("\n")]
        found = []
        for text in document.text.split("\n"):
            if text and not text.isspace():
                sentences = sentences_of(text)
                lines = [" ".join(words) for words in sentences]
                one = Paragraph(number, lines, sum(map(len, sentences)))
                one.compared = normalised_words("\n".join(lines))
                one.reason = _reason(text, sentences, one, self._settings.filters) or ("language" if foreign else "")
                found.append(one)
        return found

    def _mark_overlaps(self, candidates: list[Paragraph], codes: Codes, sizes: NDArray[np.int64], tally: Tally) -> None:
        if self._guard is None:
            return
        bits = self._guard.find(codes, sizes)
        if any(one.cut for one in candidates):
            bits = _with_rows_across(bits, candidates, codes, sizes, self._guard)
        for place in np.flatnonzero(bits).tolist():
            candidates[place].reason = "overlap"
            for name in self._guard.names_of(int(bits[place])):
                tally.overlaps[name] = tally.overlaps.get(name, 0) + 1

    def _keys(self, candidates: list[Paragraph], codes: Codes, sizes: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Shape (candidates, 1 + BANDS): the key of the exact words, then those of similarity."""
        keys = np.zeros((len(candidates), 1 + BANDS), dtype=np.uint64)
        if self._settings.filters.exact_duplicates:
            keys[:, 0] = [_exact_key(one.compared) for one in candidates]
        if self._similarity is not None:
            keys[:, 1:] = self._similarity.of(codes, sizes)
        keys[np.array([one.cut for one in candidates], dtype=bool)] = (
            0  # a built corpus has met the filter; copies in a level are meant
        )
        return keys


def _cut_sentence(document: int, line: str, foreign: bool) -> Paragraph:
    """A sentence of a built corpus, in the place of a paragraph. What looks at single paragraphs has seen it before."""
    one = Paragraph(document, [line], line.count(" ") + 1, cut=True, compared=normalised_words(line))
    one.reason = "language" if foreign else ""
    return one


def _with_rows_across(
    bits: NDArray[np.uint64], candidates: list[Paragraph], codes: Codes, sizes: NDArray[np.int64], guard: OverlapGuard
) -> NDArray[np.uint64]:
    """`bits`, and those of rows that no sentence of a built corpus holds, but its document does, over their borders."""
    documents = np.array([one.document for one in candidates])
    starts = np.flatnonzero(np.diff(documents, prepend=-1))
    whole = guard.find(codes, np.add.reduceat(sizes, starts)) & ~np.bitwise_or.reduceat(bits, starts)
    across = np.repeat(whole, np.diff(starts, append=len(documents)))
    return np.where([one.cut for one in candidates], bits | across, bits)


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
