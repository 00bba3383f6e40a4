"""The raw text that an experiment names: files, folders and built corpora -> sentences without labels."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from nerbridge.config.dictionary import DictionarySettings
from nerbridge.config.experiment import Experiment
from nerbridge.config.transfer import StreamsSettings
from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.folder_writing import MANIFEST
from nerbridge.corpus.gazetteer_files import read_gazetteer
from nerbridge.corpus.reading import read_documents
from nerbridge.corpus.segmentation import sentences_of
from nerbridge.data.registry.card import find_card
from nerbridge.data.registry.loading import check_files, existing_root
from nerbridge.data.sentence import Annotation, Sentence
from nerbridge.errors import DataError
from nerbridge.transfer.dictionary import Dictionary
from nerbridge.transfer.stage import RawTexts
from nerbridge.wording import counted


def load_raw(experiment: Experiment, data_root: Path | None, notes: list[str]) -> RawTexts:
    """The raw texts of an experiment with streams, and its dictionary; nothing for others. Adds to `notes` what was
    drawn and what was left out. data_root: where registered lists of names lie.

    Raises DataError for paths without text or names, ConfigError where a data root is needed and missing.
    """
    strategy = experiment.transfer
    if not isinstance(strategy, StreamsSettings):
        return RawTexts()
    seed = experiment.target.holdout_seed
    sides = (
        ("source", strategy.source_raw, strategy.source_sentences),
        ("target", strategy.target_raw, strategy.target_sentences),
    )
    found = {
        side: _drawn(read_raw(paths), number, seed, f"raw text of the {side}", notes) for side, paths, number in sides
    }
    return RawTexts(**found, dictionary=_dictionary(strategy.dictionary, data_root, notes))


def _dictionary(settings: DictionarySettings, data_root: Path | None, notes: list[str]) -> Dictionary | None:
    """The names of all lists; None where there is no list."""
    if not settings.is_given:
        return None
    paths: list[str | Path] = [*settings.files]
    for name in settings.datasets:
        card, root = find_card(name), existing_root(data_root, name)
        notes += check_files(card, root)
        paths += [root / file.path for file in card.files.values()]
    names = read_gazetteer(paths, settings.matching)
    notes += [f"dictionary: {line}" for line in names.counts.report()]
    return Dictionary(names, settings)


def read_raw(paths: Sequence[str]) -> tuple[Sentence, ...]:
    """The sentences of built corpora, and of files, folders and patterns of raw text, in order.

    Raises DataError for a path that leads to no sentence.
    """
    sentences: list[Sentence] = []
    for path in paths:
        before = len(sentences)
        sentences += (Sentence(words, annotation=Annotation.NONE) for words in _sentences(path))
        if len(sentences) == before:
            raise DataError(
                f"'{path}' holds no sentence",
                where=path,
                expected="raw text, or a corpus that `nerbridge corpus build` has written",
                hint="look into the file",
            )
    return tuple(sentences)


def _sentences(path: str) -> Iterator[tuple[str, ...]]:
    if (Path(path) / MANIFEST).is_file():
        for document in CorpusFolder(path).documents():
            yield from map(tuple, document)
    else:
        for item in read_documents([path]):
            for paragraph in item.text.splitlines():
                yield from map(tuple, sentences_of(paragraph))


def _drawn(
    sentences: tuple[Sentence, ...], number: int | None, seed: int, name: str, notes: list[str]
) -> tuple[Sentence, ...]:
    """`number` of the sentences, in their order."""
    if number is None or number >= len(sentences):
        return sentences
    notes.append(f"{name}: {number} of {counted(len(sentences), 'sentence')} used")
    chosen = random.Random(seed).sample(range(len(sentences)), number)
    return tuple(sentences[position] for position in sorted(chosen))
