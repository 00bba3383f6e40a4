"""Sentences -> numbers of a transformer: pieces, special pieces, windows."""

from dataclasses import dataclass, replace
from itertools import chain
from typing import cast

import numpy as np
from tokenizers import Tokenizer

from nerbridge.batching.batch import Vectorized
from nerbridge.data.sentence import Sentence
from nerbridge.encoders.report import VectorizerReport
from nerbridge.encoders.transformer.inputs import Ids, TransformerInputs, TransformerItem, collate
from nerbridge.encoders.transformer.pieces import MAX_WORD_PIECES, PieceTable
from nerbridge.encoders.transformer.windows import cut_windows


@dataclass(frozen=True, slots=True)
class SpecialPieces:
    """Ids of the pieces before and after every row, of padding, and of the piece that stands for unknown words."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    padding: int
    unknown: int


class TransformerVectorizer:
    """Words to pieces, with windows where a sentence is longer than the encoder.

    tokenizer: ready for single words (see `word_tokenizer`). max_pieces: of a row, special pieces included.
    overlap: pieces that neighbouring windows share on each side of their border.
    """

    def __init__(self, tokenizer: Tokenizer, special: SpecialPieces, *, max_pieces: int, overlap: int) -> None:
        self.special = special
        self.max_pieces = max_pieces
        self._capacity = max_pieces - len(special.before) - len(special.after)
        self._overlap = overlap
        limit = min(MAX_WORD_PIECES, self._capacity)
        self._table = PieceTable(tokenizer, unknown_id=special.unknown, max_word_pieces=limit)
        self._report = VectorizerReport()

    def vectorize(self, sentences: list[Sentence]) -> list[Vectorized]:
        """One item per sentence, in order."""
        table = self._table.look_up(chain.from_iterable(sentence.words for sentence in sentences))
        items = [self._item([table[word] for word in sentence.words]) for sentence in sentences]
        self._count(sentences)
        return cast(list[Vectorized], items)

    def collate(self, items: list[Vectorized]) -> TransformerInputs:
        """The items as one padded batch."""
        return collate(cast(list[TransformerItem], items), self.special.padding)

    def report(self) -> VectorizerReport:
        """Counts of all sentences vectorized so far."""
        return replace(self._report)

    def _item(self, words: list[tuple[int, ...]]) -> TransformerItem:
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        total = int(lengths.sum())
        if total > self._capacity:
            return self._windowed(words, lengths)
        before, after = self.special.before, self.special.after
        pieces = np.fromiter(chain(before, *words, after), np.int64, len(before) + total + len(after))
        return TransformerItem(pieces, (len(pieces),), lengths.cumsum() - lengths + len(before), lengths)

    def _windowed(self, words: list[tuple[int, ...]], lengths: Ids) -> TransformerItem:
        self._report.windowed_sentences += 1
        before, after = self.special.before, self.special.after
        windows = cut_windows(lengths, self._capacity, self._overlap)
        starts = lengths.cumsum() - lengths
        rows: list[tuple[int, ...]] = []
        shifts: list[int] = []  # of each window: from position among the sentence's pieces to position in its rows
        for begin, end in windows.borders:
            shifts.append(sum(map(len, rows)) + len(before) - int(starts[begin]))
            rows.append((*before, *chain.from_iterable(words[begin:end]), *after))
        pieces = np.fromiter(chain.from_iterable(rows), np.int64)
        return TransformerItem(pieces, tuple(map(len, rows)), starts + np.array(shifts)[windows.owner], lengths)

    def _count(self, sentences: list[Sentence]) -> None:
        report, odd = self._report, self._table.odd
        report.sentences += len(sentences)
        report.words += sum(map(len, sentences))
        if not (odd.pieceless or odd.unknown or odd.shortened):
            return
        for sentence in sentences:
            report.pieceless_words += sum(map(odd.pieceless.__contains__, sentence.words))
            report.unknown_words += sum(map(odd.unknown.__contains__, sentence.words))
            report.shortened_words += sum(map(odd.shortened.__contains__, sentence.words))
