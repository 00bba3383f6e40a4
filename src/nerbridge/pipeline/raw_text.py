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
from nerbridge.corpus.inputs import find_inputs, refuse_twice
from nerbridge.corpus.labelled_text import refuse_other_than_raw
from nerbridge.corpus.preparation import unreadable
from nerbridge.corpus.reading import read_documents
from nerbridge.corpus.segmentation import sentences_of
from nerbridge.corpus.tally import REASONS, Tally
from nerbridge.data.registry.loading import check_files, existing_root
from nerbridge.data.registry.names import find_names
from nerbridge.data.sentence import Annotation, Sentence
from nerbridge.errors import DataError
from nerbridge.transfer.dictionary import Dictionary
from nerbridge.transfer.stage import RawTexts
from nerbridge.wording import counted, counted_as

READ_IT = "look into the file"
FEW = 100  # sentences that say little of a domain
REPEATED = 0.1  # share of sentences that stand there before, from which on it is said


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
    found = {side: _side(paths, number, seed, f"raw text of the {side}", notes) for side, paths, number in sides}
    return RawTexts(**found, dictionary=_dictionary(strategy.dictionary, data_root, notes))


def _side(paths: Sequence[str], number: int | None, seed: int, name: str, notes: list[str]) -> tuple[Sentence, ...]:
    """What is learnt of one side; `notes` get what makes it less than it seems."""
    sentences = read_raw(paths, notes)
    repeated = len(sentences) - len({one.words for one in sentences})
    if repeated > REPEATED * len(sentences):
        notes.append(
            f"{name}: {repeated:,} of {counted(len(sentences), 'sentence')} stand there before, and are learnt again "
            "(`nerbridge corpus build` leaves repeated text out)"
        )
    if sentences and min(len(sentences), number or len(sentences)) < FEW:
        notes.append(f"{name}: so few sentences teach little of a domain; thousands are usual")
    return _drawn(sentences, number, seed, name, notes)


def _dictionary(settings: DictionarySettings, data_root: Path | None, notes: list[str]) -> Dictionary | None:
    """The names of all lists; None where there is no list."""
    if not settings.is_given:
        return None
    paths: list[str | Path] = [*settings.files]
    for name in settings.datasets:
        card, root = find_names(name), existing_root(data_root, name)
        notes += check_files(card, root)
        paths += [root / file.path for file in card.files.values()]
    names = read_gazetteer(paths, settings.matching)
    notes += [f"dictionary: {line}" for line in names.counts.report()]
    return Dictionary(names, settings)


def read_raw(paths: Sequence[str], notes: list[str]) -> tuple[Sentence, ...]:
    """The sentences of built corpora, and of files, folders and patterns of raw text, in order.

    What cannot be read is left out, and `notes` get its number. Raises DataError for a path that leads to no sentence,
    and for labelled sentences, whose tags would be read as words, ConfigError for a path that is given twice.
    """
    sentences: list[Sentence] = []
    refuse_twice(
        paths,
        where="the raw text of one side",
        expected="each text once: twice, it would be learnt twice",
        hint="leave one of them out",
    )
    for path in paths:
        before, tally = len(sentences), Tally()
        sentences += (Sentence(words, annotation=Annotation.NONE) for words in _sentences(path, tally))
        if tally.faults:
            raise tally.faults[0]
        if len(sentences) == before:
            raise _no_sentence(path, tally)
        notes += [f"raw text '{path}': {line} left out" for line in _left_out(tally)]
    return tuple(sentences)


def _sentences(path: str, tally: Tally) -> Iterator[tuple[str, ...]]:
    if (Path(path) / MANIFEST).is_file():
        for document in CorpusFolder(path).documents():
            yield from map(tuple, document)
        return
    refuse_other_than_raw(find_inputs([path]))
    for item in read_documents([path], tally=tally):
        for paragraph in item.text.splitlines():
            if not any(map(_is_seen, paragraph)):
                continue
            if unreadable(paragraph):
                tally.drop("unreadable", paragraphs=1)
            else:
                yield from map(tuple, sentences_of(paragraph))


def _is_seen(character: str) -> bool:
    """Neither space nor one of the characters without width that some files have in empty lines."""
    return not character.isspace() and (character.isprintable() or unreadable(character))


def _left_out(tally: Tally) -> list[str]:
    """How much was left out, by reason: '3 paragraphs with control or replacement characters'."""
    counts = {reason: size.paragraphs or size.documents for reason, size in tally.dropped.items()}
    return [counted_as(number, REASONS[reason]) for reason, number in counts.items()]


def _no_sentence(path: str, tally: Tally) -> DataError:
    left_out = "".join(f"; {line} left out" for line in _left_out(tally))
    return DataError(
        f"'{path}' holds no sentence{left_out}",
        where=path,
        expected="raw text, or a corpus that `nerbridge corpus build` has written",
        hint="`nerbridge corpus build` reads other encodings and fields; name its folder" if left_out else READ_IT,
    )


def _drawn(
    sentences: tuple[Sentence, ...], number: int | None, seed: int, name: str, notes: list[str]
) -> tuple[Sentence, ...]:
    """`number` of the sentences, in their order; all where there are no more."""
    if number is None or number >= len(sentences):
        if number is not None and sentences and number > len(sentences):
            notes.append(f"{name}: all {counted(len(sentences), 'sentence')} used, fewer than the {number:,} asked for")
        return sentences
    notes.append(f"{name}: {number} of {counted(len(sentences), 'sentence')} used")
    chosen = random.Random(seed).sample(range(len(sentences)), number)
    return tuple(sentences[position] for position in sorted(chosen))
