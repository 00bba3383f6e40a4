"""From one stage's words to the next one's: rows that were learnt stay, new words get theirs."""

from collections.abc import Mapping

import torch
from jaxtyping import Float
from torch import Tensor

from nerbridge.config.encoder import WordCharSettings
from nerbridge.data.word_vectors import WordVectors
from nerbridge.encoders.word_char.rows import Coverage, file_rows, starting_rows
from nerbridge.encoders.word_char.vocabulary import WordVocabulary, ordered
from nerbridge.errors import ConfigError

Grown = tuple[WordVocabulary, Float[Tensor, "grown width"], Float[Tensor, "fixed width"], Coverage]


def first_words(words: Mapping[str, int], settings: WordCharSettings, random: torch.Generator) -> Grown:
    """Vocabulary and rows (that of the unknown word first, then learnt ones; fixed ones) of a first stage.

    Raises what reading the vector file raises.
    """
    known = file_rows(settings, words)
    width = known.width if known else settings.word_width
    unknown, _ = starting_rows(("",), None, width, random)
    nothing = WordVocabulary((), ())
    return _grown(nothing, unknown, words, known, settings, random)


def further_words(
    vocabulary: WordVocabulary,
    learnt: Float[Tensor, "word width"],
    words: Mapping[str, int],
    settings: WordCharSettings,
    random: torch.Generator,
) -> Grown:
    """The same for a further stage: present words keep their ids and rows, fixed ones that it trains on learn now.

    Raises ConfigError when the vectors are of another width, and what reading the vector file raises.
    """
    known = file_rows(settings, words)
    if known and known.width != learnt.shape[1]:
        raise ConfigError(
            f"the word vectors '{settings.vectors}' are {known.width} wide",
            where="encoder.vectors",
            expected=f"{learnt.shape[1]}, as in the stage before",
            hint="name the vectors that the stage before was trained with",
        )
    return _grown(vocabulary, learnt, words, known, settings, random)


def _grown(
    before: WordVocabulary,
    learnt: Float[Tensor, "word width"],
    words: Mapping[str, int],
    known: WordVectors | None,
    settings: WordCharSettings,
    random: torch.Generator,
) -> Grown:
    kept = ordered(words, settings.min_count)
    old = dict(zip(before.learnt, before.counts, strict=True))
    new = [word for word in kept if word not in old]
    rows, _ = starting_rows(new, known, learnt.shape[1], random)
    _, coverage = starting_rows(list(words), known, learnt.shape[1], torch.Generator())
    counts = (*(count + kept.get(word, 0) for word, count in old.items()), *(kept[word] for word in new))
    vocabulary = WordVocabulary((*old, *new), counts, _others(before, known, {*old, *new}, words))
    file = {word: number for number, word in enumerate(known.words)} if known else {}
    numbers = [file[word] for word in vocabulary.fixed]
    fixed = torch.from_numpy(known.rows[numbers]) if known else torch.empty(0, learnt.shape[1])
    return vocabulary, torch.cat([learnt.detach().cpu(), rows]), fixed, coverage


def _others(
    before: WordVocabulary, known: WordVectors | None, learnt: set[str], words: Mapping[str, int]
) -> tuple[str, ...]:
    """Words with fixed rows: the most frequent of the file, and those of stages that are too rare to learn."""
    if known is None:
        return ()
    rare = {*words, *before.fixed}
    file = enumerate(known.words)
    return tuple(word for n, word in file if word not in learnt and (n < known.num_frequent or word in rare))
