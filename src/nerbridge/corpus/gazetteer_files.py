"""Files and folders of names -> one Gazetteer: lists, tables, JSON lines, DBpedia's triples, by their suffix."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from nerbridge.config.gazetteer import GazetteerSettings
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.corpus.gazetteer_cleaning import REPEATED, NameCollector
from nerbridge.corpus.gazetteer_dbpedia import read_dbpedia
from nerbridge.corpus.gazetteer_labelled import take_mentions
from nerbridge.corpus.gazetteer_lines import UNREADABLE, inner_suffix
from nerbridge.corpus.gazetteer_list import read_list
from nerbridge.corpus.gazetteer_tables import read_json_lines, read_table
from nerbridge.corpus.left_alone import left_alone, not_read
from nerbridge.data.reading import iterate_sentences
from nerbridge.errors import DataError
from nerbridge.wording import counted

logger = logging.getLogger(__name__)

TABLES: Mapping[str, str | None] = {".csv": None, ".tsv": "\t"}
JSON_LINES = frozenset({".jsonl", ".ndjson"})
TRIPLES = frozenset({".nt", ".ttl"})
KINDS = frozenset({".txt", *TABLES, *JSON_LINES, *TRIPLES})
LISTED = 8  # folders that are named
NOT_TEXT = "if they are lists of names in another encoding, write them as UTF-8: iconv -f latin1 -t utf-8 LIST > NEW"
FEWER_LEFT_OUT = "put names into the lists, or let less be left out: the settings min_length, ordinary and ambiguous"
EXPECTED = (
    "<label>.txt with one name a line, .csv, .tsv, .jsonl, DBpedia's .nt and .ttl; each also .gz, .bz2, .xz or .zst"
)


def read_gazetteer(
    paths: Sequence[str | Path],
    settings: GazetteerSettings | None = None,
    *,
    classes: Mapping[str, str] | None = None,
    labelled: Sequence[str | Path] = (),
) -> Gazetteer:
    """The names of all `paths` together: files of names, or folders of such files.

    classes: DBpedia class -> label, for triples. labelled: files of labelled sentences whose mentions are taken. What
    is left out is counted in `Gazetteer.counts`. Raises DataError when a path is missing, is no file of names, is
    damaged, or when no name is left.
    """
    collector = NameCollector(settings)
    files = [file for path in paths for file in list_files(Path(path))]
    for path in paths:
        _say_left_alone(Path(path))
    triples = [file for file in files if inner_suffix(file) in TRIPLES]
    useless = [said for file in files if file not in triples and (said := _read(file, collector))]
    if triples:
        read_dbpedia(triples, collector, classes)
    for path in labelled:
        take_mentions(iterate_sentences(path), collector)
    gazetteer = collector.gazetteer()
    if not gazetteer.names:
        raise no_names(gazetteer, ", ".join(map(str, (*paths, *labelled))) or "no path at all")
    for said in useless:
        logger.warning("%s", said)
    return gazetteer


def _read(file: Path, collector: NameCollector) -> str:
    """Take the names of a list, table or file of JSON lines; what is to be said when it has none that can be used.

    A name that the list of its label has already can be used, so that it does no harm to name a list twice.
    """
    before, counts = Counter(collector.counts.left_out), collector.counts
    read = counts.read
    match inner_suffix(file):
        case ".txt":
            read_list(file, collector)
        case suffix if suffix in TABLES:
            read_table(file, collector, delimiter=TABLES[suffix])
        case _:
            read_json_lines(file, collector)
    lost = +(counts.left_out - before)
    del lost[REPEATED]
    if counts.read - read > lost.total():
        return ""
    reasons = "; ".join(f"{number:,} left out: {reason}" for reason, number in lost.most_common())
    return f"{file}: no name in it can be looked for: {reasons or 'it has no entry'}"


def list_files(path: Path) -> list[Path]:
    """The files of names that `path` is or holds, sorted; other files of a folder are left alone.

    Raises DataError when there is none.
    """
    if path.is_file():
        if inner_suffix(path) not in KINDS:
            raise DataError(
                f"'{path.name}' is no file of names by its suffix",
                where=str(path),
                expected=EXPECTED,
                hint="rename it, or name the folder that holds the lists",
            )
        return [path]
    if not path.is_dir():
        raise _no_folder(path)
    found = sorted(file for file in path.iterdir() if file.is_file() and inner_suffix(file) in KINDS)
    if not found:
        deeper = sorted(inner.name for inner in path.iterdir() if inner.is_dir())
        lost = not_read(_lost(path))
        raise DataError(
            f"the folder '{path}' holds no list of names" + (f": {lost}" if lost else ""),
            where=str(path),
            expected=EXPECTED,
            hint=f"name one of its folders: {', '.join(deeper[:LISTED])}" if deeper else "put lists into it",
        )
    return found


def _no_folder(path: Path) -> DataError:
    """What is said of a path that is neither a file nor a folder."""
    what, hint = f"'{path}' does not exist", "check the spelling and the current folder"
    if path.exists():
        what, hint = f"'{path}' is a pipe or a device", "write its content to a file"
    elif path.is_symlink():
        what, hint = f"the link '{path}' leads nowhere", "name the file itself"
    return DataError(what, where=str(path), expected=f"a folder or a file of names: {EXPECTED}", hint=hint)


def _lost(folder: Path) -> list[Path]:
    """Entries that cannot be read: links that lead nowhere, pipes, folders that are named like lists."""
    entries = [one for one in folder.iterdir() if not one.name.startswith(".") and not one.is_file()]
    return [one for one in entries if inner_suffix(one) in KINDS or not one.is_dir()]


def _say_left_alone(path: Path) -> None:
    """What a folder holds beside lists that are read, hidden entries aside."""
    if not path.is_dir():
        return
    if lost := not_read(_lost(path)):
        logger.warning("%s: %s", path, lost)
    others = sorted(one for one in path.iterdir() if not one.name.startswith(".") and inner_suffix(one) not in KINDS)
    if said := left_alone(one for one in others if one.is_file()):
        logger.info("%s: %s", path, said)
    if folders := [one.name for one in others if one.is_dir()]:
        logger.info("%s: %s not entered: %s", path, counted(len(folders), "folder"), ", ".join(folders[:LISTED]))


def no_names(gazetteer: Gazetteer, where: str) -> DataError:
    """What is said when nothing is left to look for."""
    reasons = "; ".join(gazetteer.counts.report()) or "there was no entry"
    return DataError(
        f"none of {gazetteer.counts.read:,} entries can be looked for: {reasons}",
        where=where,
        expected="at least one name",
        hint=NOT_TEXT if 2 * gazetteer.counts.left_out[UNREADABLE] > gazetteer.counts.read else FEWER_LEFT_OUT,
    )
