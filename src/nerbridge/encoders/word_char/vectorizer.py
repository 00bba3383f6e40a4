"""Sentences -> word ids and spellings."""

from dataclasses import replace
from typing import cast

import numpy as np

from nerbridge.batching.batch import Vectorized
from nerbridge.data.sentence import Sentence
from nerbridge.encoders.report import VectorizerReport
from nerbridge.encoders.word_char.inputs import MAX_CHARACTERS, WordCharInputs, WordCharItem, collate
from nerbridge.encoders.word_char.vocabulary import UNKNOWN_ID, CharacterVocabulary, WordVocabulary


class WordCharVectorizer:
    """Words to ids by `vocabulary`, characters by `alphabet`."""

    def __init__(self, vocabulary: WordVocabulary, alphabet: CharacterVocabulary) -> None:
        self.vocabulary = vocabulary
        self.alphabet = alphabet
        self._report = VectorizerReport(words_without_vector=0)

    def vectorize(self, sentences: list[Sentence]) -> list[Vectorized]:
        """One item per sentence, in order."""
        look_up, report = self.vocabulary.look_up, self._report
        items, unknown = [], 0
        for sentence in sentences:
            ids = np.fromiter(map(look_up, sentence.words), np.int64, len(sentence))
            items.append(WordCharItem(sentence.words, ids))
            unknown += int((ids == UNKNOWN_ID).sum())
            report.shortened_words += sum(len(word) > MAX_CHARACTERS for word in sentence.words)
        report.words_without_vector = (report.words_without_vector or 0) + unknown
        report.sentences += len(sentences)
        report.words += sum(map(len, sentences))
        return cast(list[Vectorized], items)

    def collate(self, items: list[Vectorized]) -> WordCharInputs:
        """The items as one padded batch."""
        return collate(cast(list[WordCharItem], items), self.alphabet)

    def report(self) -> VectorizerReport:
        """Counts of all sentences vectorized so far."""
        return replace(self._report)
