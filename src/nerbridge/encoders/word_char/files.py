"""What a bundle keeps of the encoder beside its weights: config.json and vocabulary.json."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nerbridge.encoders.word_char.rows import Coverage
from nerbridge.encoders.word_char.vocabulary import CharacterVocabulary, WordVocabulary
from nerbridge.errors import ConfigError

CONFIG, VOCABULARY = "config.json", "vocabulary.json"
WIDEST = 100_000  # numbers of a word vector


def write_architecture(
    folder: Path, vocabulary: WordVocabulary, alphabet: CharacterVocabulary, width: int, coverage: Coverage
) -> None:
    """Write the width of word vectors, what the vector file covered, and every word and character."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {"kind": "word_char", "word_width": width, "coverage": asdict(coverage)}
    words = {"learnt": vocabulary.learnt, "counts": vocabulary.counts, "fixed": vocabulary.fixed}
    content = {**words, "characters": alphabet.characters}
    (folder / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    (folder / VOCABULARY).write_text(json.dumps(content) + "\n", encoding="utf-8")


def read_architecture(folder: Path) -> tuple[WordVocabulary, CharacterVocabulary, int, Coverage]:
    """What `write_architecture` wrote to `folder`. Raises ConfigError when it cannot be read."""
    try:
        config, words = _json(folder / CONFIG), _json(folder / VOCABULARY)
        vocabulary = WordVocabulary(tuple(words["learnt"]), tuple(words["counts"]), tuple(words["fixed"]))
        alphabet, width = CharacterVocabulary(str(words["characters"])), int(config["word_width"])
        _check(vocabulary, alphabet, width)
        return vocabulary, alphabet, width, Coverage(**config["coverage"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(
            f"no word_char encoder can be read from folder '{folder}': {error}",
            where=str(folder),
            expected=f"{CONFIG} and {VOCABULARY}, as a bundle has them",
            hint="copy the bundle again whole",
        ) from error


def _check(vocabulary: WordVocabulary, alphabet: CharacterVocabulary, width: int) -> None:
    """Raises ValueError for what no encoder has."""
    words = (*vocabulary.learnt, *vocabulary.fixed)
    if not 1 <= width <= WIDEST:
        raise ValueError(f"vectors of {width} numbers")
    if len(vocabulary.counts) != len(vocabulary.learnt):
        raise ValueError(f"{len(vocabulary.counts):,} counts for {len(vocabulary.learnt):,} words")
    if not all(isinstance(word, str) for word in words) or len(vocabulary.index) != len(words):
        raise ValueError("a word stands twice, or is no text")
    if len(alphabet.index) != len(alphabet.characters):
        raise ValueError("a character stands twice")


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
