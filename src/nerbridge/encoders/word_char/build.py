"""Settings and words -> encoder."""

from collections.abc import Mapping
from pathlib import Path
from typing import assert_never

import torch

from nerbridge.config.encoder import WordCharSettings
from nerbridge.encoders.word_char.characters import CharacterCnn, CharacterLstm
from nerbridge.encoders.word_char.encoder import WordCharEncoder
from nerbridge.encoders.word_char.files import read_architecture
from nerbridge.encoders.word_char.growth import first_words
from nerbridge.encoders.word_char.table import WordTable
from nerbridge.encoders.word_char.vectorizer import WordCharVectorizer
from nerbridge.encoders.word_char.vocabulary import PLAIN_CHARACTERS


def build_word_char(
    settings: WordCharSettings, *, words: Mapping[str, int] | None = None, folder: Path | None = None, seed: int = 0
) -> WordCharEncoder:
    """The encoder for a stage that trains on `words` (with their number of occurrences), drawn with `seed`.

    folder: one that `save_architecture` wrote; the encoder is then made from it, with weights to be overwritten.
    Raises ConfigError when the vector file cannot be found, DataError when it cannot be read, MissingExtraError when
    'glove' is asked for and not installed.
    """
    if folder is not None:
        vocabulary, alphabet, width, coverage = read_architecture(folder)
        learnt = torch.zeros(1 + len(vocabulary.learnt), width)
        fixed = torch.zeros(len(vocabulary.fixed), width)
    else:
        random = torch.Generator().manual_seed(seed)
        vocabulary, learnt, fixed, coverage = first_words(words or {}, settings, random)
        alphabet = PLAIN_CHARACTERS.with_words(words or {})
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        characters = _characters(settings, len(alphabet))
    table = WordTable(learnt, fixed, fine_tune=settings.fine_tune)
    return WordCharEncoder(settings, WordCharVectorizer(vocabulary, alphabet), table, characters, coverage)


def _characters(settings: WordCharSettings, num_characters: int) -> CharacterCnn | CharacterLstm | None:
    width, hidden = settings.character_width, settings.character_hidden
    match settings.characters:
        case "none":
            return None
        case "cnn":
            return CharacterCnn(num_characters, width, hidden, settings.kernel)
        case "lstm":
            return CharacterLstm(num_characters, width, hidden)
        case _:
            assert_never(settings.characters)
