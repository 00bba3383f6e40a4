"""What differs between elmo and flair: what is predicted, how text is cut, what is read."""

from collections import Counter

import numpy as np

from nerbridge.batching.word_vocabulary import OTHER_WORD, WordVocabulary
from nerbridge.config.language_models import ElmoSettings, FlairSettings
from nerbridge.encoders.language_model.character_inputs import SPACE, spell_text
from nerbridge.encoders.language_model.character_model import CharacterModel
from nerbridge.encoders.language_model.sizes import ElmoSizes, FlairSizes
from nerbridge.encoders.language_model.word_inputs import BEGIN, END
from nerbridge.encoders.language_model.word_model import WordModel
from nerbridge.encoders.word_char.vocabulary import CharacterVocabulary
from nerbridge.pretraining.language_model.character_objective import CharacterObjective
from nerbridge.pretraining.language_model.character_rows import CharacterCollator
from nerbridge.pretraining.language_model.cutting import cut_characters, cut_words
from nerbridge.pretraining.language_model.text import WordText
from nerbridge.pretraining.language_model.word_objective import WordObjective
from nerbridge.pretraining.language_model.word_rows import WordCollator, predicted_numbers
from nerbridge.pretraining.masking import Flags, Ids


class WordKind:
    """ELMo. counts: how often each distinct word of `text` is learnt from. num_sentences: about, of boundaries."""

    def __init__(self, text: WordText, counts: Ids, settings: ElmoSettings, *, num_sentences: int) -> None:
        self._text, self._length = text, settings.length
        self._vocabulary = word_vocabulary(text.words, counts, settings, num_sentences)
        self.alphabet, _ = alphabet(text.words, counts, BEGIN + END, settings.max_characters)
        self.predicted = len(self._vocabulary.words)
        self.other_share = self._vocabulary.share_of_others
        sizes = ElmoSizes(**{name: getattr(settings, name) for name in ElmoSizes.__dataclass_fields__})
        self.objective = WordObjective(WordModel(sizes, len(self.alphabet)), settings, self._vocabulary)

    def collator(self, chosen: Flags) -> WordCollator:
        """Batches of the documents `chosen`."""
        rows = cut_words(self._text, chosen, self._length)
        predicted = predicted_numbers(self._text.words, self._vocabulary.index, OTHER_WORD)
        return WordCollator(self._text, rows, self.alphabet, predicted)


class CharacterKind:
    """FLAIR. counts: how often each distinct word of `text` is learnt from."""

    def __init__(self, text: WordText, counts: Ids, settings: FlairSettings) -> None:
        self._text, self._length = text, settings.length
        self.alphabet, self.other_share = alphabet(text.words, counts, SPACE, settings.max_characters)
        self.predicted = len(self.alphabet.characters)
        sizes = FlairSizes(**{name: getattr(settings, name) for name in FlairSizes.__dataclass_fields__})
        number = len(self.alphabet)
        self.objective = CharacterObjective(CharacterModel(sizes, number), settings, number)

    def collator(self, chosen: Flags) -> CharacterCollator:
        """Batches of the documents `chosen`."""
        _, sizes = spell_text(self._text.words, self.alphabet)
        return CharacterCollator(self._text, cut_characters(self._text, chosen, self._length, sizes), self.alphabet)


def word_vocabulary(words: tuple[str, ...], counts: Ids, settings: ElmoSettings, num_sentences: int) -> WordVocabulary:
    """The most frequent of `words`, with their counts; those of boundaries and of all other words in front."""
    order = sorted(np.flatnonzero(counts >= settings.min_count).tolist(), key=lambda n: (-int(counts[n]), words[n]))
    kept = order[: settings.max_words]
    known = [int(counts[number]) for number in kept]
    others = int(counts.sum()) - sum(known)
    return WordVocabulary(tuple(words[number] for number in kept), (num_sentences, others, *known))


def alphabet(words: tuple[str, ...], counts: Ids, always: str, most: int) -> tuple[CharacterVocabulary, float]:
    """The characters in `always` and the `most` frequent ones, and the share (0 to 1) of the text that is left out."""
    found: Counter[str] = Counter()
    for word, count in zip(words, counts.tolist(), strict=True):
        for character in word if count else "":
            found[character] += count
    for character in always:
        found.pop(character, None)
    ranked = sorted(found, key=lambda character: (-found[character], character))[:most]
    total = found.total()
    left_out = total - sum(found[character] for character in ranked)
    return CharacterVocabulary(always + "".join(ranked)), left_out / max(total, 1)
