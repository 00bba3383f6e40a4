"""Data sets by name and the user's own files -> sentences by split."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from nerbridge.data.columns import ColumnReader
from nerbridge.data.counts import ReadCounts
from nerbridge.data.labels import LabelSet
from nerbridge.data.reading import FileFormat, read_sentences
from nerbridge.data.registry.card import Card, CardFile, find_card
from nerbridge.data.registry.dataset import DataSet
from nerbridge.data.registry.presence import Presence, presence
from nerbridge.data.schemes import Repair
from nerbridge.data.sentence import Sentence, labels_of
from nerbridge.errors import ConfigError, DataError
from nerbridge.wording import counted


def load_dataset(
    name: str, data_root: Path | None, *, verify: bool = True, repair: Repair = Repair.CONLLEVAL
) -> DataSet:
    """The registered data set `name`, read from its files under `data_root`.

    repair: how malformed tags are read. verify: refuse a file that is not the one the card pins; without, it is read
    and a note says so.
    Raises DataError for an unknown name, missing files or other content, ConfigError without a data root, FileFaults
    when lines cannot be read.
    """
    card = find_sentences(name)
    root = existing_root(data_root, name)
    notes = list(check_files(card, root, verify=verify))
    splits: dict[str, list[Sentence]] = {}
    counts: dict[str, ReadCounts] = {}
    for split, file in card.files.items():
        reader = open_file(card, file, root, repair)
        splits[split] = list(reader)
        counts[split] = reader.counts
        notes += reading_notes(f"{name} {split}", reader.counts, repair)
    return DataSet(name, card.domain, splits, card.labels, tuple(notes), card, counts)


def find_sentences(name: str) -> Card:
    """The card of a data set of labelled sentences. Raises DataError for an unknown name or a name list."""
    card = find_card(name)
    if card.format is None:
        raise DataError(
            f"'{name}' holds lists of names, not sentences",
            where=f"data set '{name}'",
            expected="a data set of labelled sentences",
            hint="use it as a gazetteer; `nerbridge data list` shows which is which",
        )
    return card


def open_file(card: Card, file: CardFile, root: Path, repair: Repair = Repair.CONLLEVAL) -> ColumnReader:
    """A reader of one of the card's files, with nothing left to detection."""
    assert card.format is not None, "name lists have no sentences"
    return ColumnReader(root / file.path, replace(card.format.column_format(card.domain), repair=repair))


def existing_root(data_root: Path | None, name: str = "NAME") -> Path:
    """`data_root`. Raises ConfigError when it was not given or is no folder; `name` is the data set that is wanted."""
    if data_root is not None and data_root.is_dir():
        return data_root
    needed = "" if name == "NAME" else f", and '{name}' is a public data set that is read from there"
    what = f"no data root was given{needed}" if data_root is None else f"the data root '{data_root}' is not a folder"
    raise ConfigError(
        what,
        where="--data-root (from Python: data_root), or the environment variable NERBRIDGE_DATA",
        expected="the folder that holds the public data sets",
        hint=f"nerbridge data fetch {name} --data-root {data_root or 'FOLDER'}, then the same --data-root here",
    )


def check_files(card: Card, root: Path, *, verify: bool = True) -> list[str]:
    """One note per file with other content than the card pins (none when all are right).

    Raises DataError when files are missing, and when files have other content unless `verify` is off.
    """
    states = {file.path: presence(file, root) for file in card.files.values()}
    missing = [path for path, state in states.items() if state is Presence.MISSING]
    if missing:
        raise DataError(
            f"{len(missing)} of {counted(len(states), 'file')} of '{card.name}' missing: {', '.join(missing)}",
            where=str(root),
            expected=f"the files of '{card.name}' under the data root",
            hint=f"nerbridge data fetch {card.name} --data-root {root}",
        )
    other = [path for path, state in states.items() if state is Presence.OTHER]
    if other and verify:
        raise DataError(
            f"{len(other)} of {counted(len(states), 'file')} of '{card.name}' not as published: {', '.join(other)}",
            where=str(root),
            expected="the SHA-256 of its card: a damaged or edited file gives scores that compare with nothing",
            hint=f"`nerbridge data fetch {card.name} --data-root {root}` replaces them; to use them as they are, "
            "name the files instead of the data set",
        )
    return [f"{card.name}: {path} is not the published file (its SHA-256 differs)" for path in other]


def reading_notes(name: str, counts: ReadCounts, repair: Repair = Repair.CONLLEVAL) -> list[str]:
    """What the reader repaired or left out, to be said."""
    notable = [
        (counts.repaired, "malformed tag place", f"read by the policy '{repair}'"),
        (counts.snapped, "span", "widened to word borders"),
        (counts.dropped, "overlapping span", "dropped"),
    ]
    said = [f"{name}: {counted(number, noun)} {what}" for number, noun, what in notable if number]
    return [*said, *(f"{name}: {remark}" for remark in [*counts.of_names(), *counts.remarks()])]


def load_files(
    *,
    train: str | Path | None = None,
    dev: str | Path | None = None,
    test: str | Path | None = None,
    domain: str = "target",
    format: FileFormat | None = None,
    **options: Any,
) -> DataSet:
    """The user's own labelled files, in any format that can be read.

    domain: the name of the data set, and the domain of its sentences. format and options: see `read_sentences`;
    without them each file's own format and scheme are detected.
    Raises ConfigError when no file is given, DataError when one cannot be used, FileFaults when lines cannot.
    """
    paths = {"train": train, "dev": dev, "test": test}
    given = {split: str(path) for split, path in paths.items() if path is not None}
    if not given:
        raise ConfigError(
            "no file was given",
            where=f"domain '{domain}'",
            expected="at least one of train, dev and test",
            hint="name the labelled file of the split",
        )
    results = {split: read_sentences(path, format, domain=domain, **options) for split, path in given.items()}
    notes = [
        note
        for split, result in results.items()
        for note in reading_notes(given[split], result.counts, options.get("repair", Repair.CONLLEVAL))
    ]
    splits = {split: result.sentences for split, result in results.items()}
    labels = LabelSet.of(name for sentences in splits.values() for name in labels_of(sentences))
    counts = {split: result.counts for split, result in results.items()}
    return DataSet(domain, domain, splits, labels, tuple(notes), counts=counts)
