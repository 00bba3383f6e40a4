"""Sentences -> numbers of either kind of language model."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from nerbridge.batching.batch import EncoderInputs, Vectorized
from nerbridge.data.sentence import Sentence
from nerbridge.encoders.language_model import character_inputs as by_character
from nerbridge.encoders.language_model import word_inputs as by_word
from nerbridge.encoders.language_model.rows import Ids
from nerbridge.encoders.report import VectorizerReport
from nerbridge.encoders.word_char.vocabulary import CharacterVocabulary


@dataclass(frozen=True, slots=True)
class WordModelItem:
    """One sentence: its words."""

    words: tuple[str, ...]

    @property
    def num_pieces(self) -> int:
        return len(self.words)


@dataclass(frozen=True, slots=True)
class CharacterModelItem:
    """One sentence: ids of its characters, and how many each word has, the space behind it included."""

    text: NDArray[np.int32]
    sizes: Ids

    @property
    def num_pieces(self) -> int:
        return len(self.sizes)


class LanguageModelVectorizer(ABC):
    """Characters to ids by `alphabet`. longest: characters of a word that are read."""

    longest: int

    def __init__(self, alphabet: CharacterVocabulary) -> None:
        self.alphabet = alphabet
        self._known = frozenset(alphabet.index)
        self._report = VectorizerReport()

    def vectorize(self, sentences: list[Sentence]) -> list[Vectorized]:
        """One item per sentence, in order."""
        report, known = self._report, self._known
        report.sentences += len(sentences)
        for sentence in sentences:
            report.words += len(sentence)
            report.shortened_words += sum(len(word) > self.longest for word in sentence.words)
            report.unknown_words += sum(not known.issuperset(word) for word in sentence.words)
        return [self._item(sentence.words) for sentence in sentences]

    @abstractmethod
    def collate(self, items: list[Vectorized]) -> EncoderInputs:
        """The items as one padded batch."""

    @abstractmethod
    def _item(self, words: tuple[str, ...]) -> Vectorized: ...

    def report(self) -> VectorizerReport:
        """Counts of all sentences vectorized so far."""
        return replace(self._report)


class WordModelVectorizer(LanguageModelVectorizer):
    """For the word-level model."""

    longest = by_word.MAX_CHARACTERS

    def _item(self, words: tuple[str, ...]) -> Vectorized:
        return WordModelItem(words)

    def collate(self, items: list[Vectorized]) -> by_word.WordModelInputs:
        sentences = cast(list[WordModelItem], items)
        distinct: dict[str, int] = {}
        numbers = [distinct.setdefault(word, len(distinct)) for item in sentences for word in item.words]
        lengths = np.fromiter((len(item.words) for item in sentences), np.int64, len(sentences))
        return by_word.word_inputs(np.array(numbers, np.int64), lengths, by_word.spell(list(distinct), self.alphabet))


class CharacterModelVectorizer(LanguageModelVectorizer):
    """For the character-level model."""

    longest = by_character.MAX_CHARACTERS

    def _item(self, words: tuple[str, ...]) -> Vectorized:
        return CharacterModelItem(*by_character.spell_text(words, self.alphabet))

    def collate(self, items: list[Vectorized]) -> by_character.CharacterModelInputs:
        sentences = cast(list[CharacterModelItem], items)
        counts = np.fromiter((len(item.sizes) for item in sentences), np.int64, len(sentences))
        text = np.concatenate([item.text for item in sentences])
        sizes = np.concatenate([item.sizes for item in sentences])
        return by_character.character_inputs(text, sizes, counts, self.alphabet.index[by_character.SPACE])
