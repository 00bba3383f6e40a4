"""The files that the user's paths, folders and patterns stand for, and how each is to be read."""

import difflib
import glob
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nerbridge.config.corpus import TextFormat
from nerbridge.corpus.built_documents import corpus_as_text, is_corpus
from nerbridge.corpus.compression import SUFFIXES
from nerbridge.corpus.folder_writing import MANIFEST
from nerbridge.corpus.left_alone import left_alone, not_read
from nerbridge.errors import ConfigError, DataError
from nerbridge.wording import counted

logger = logging.getLogger(__name__)

Format = Literal["text", "jsonl", "parquet", "mediawiki", "corpus"]
FORMATS: Mapping[str, Format] = {
    ".txt": "text",
    ".text": "text",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".xml": "mediawiki",
}


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file of raw text, or of a built corpus, and its format. sha256: what it must be; "" where nothing says so."""

    path: Path
    format: Format
    sha256: str = ""


def find_inputs(paths: Sequence[str | Path], format: TextFormat = "auto") -> list[InputFile]:
    """The files behind `paths`, each once, in order; those of a folder or pattern sorted by name.

    A path is a file, a folder (searched with its sub-folders, hidden files aside), a built corpus or a pattern with
    *, ? or [. format: "auto" takes it from the suffix; a file without a known one is text where it was named, and left
    alone in a folder.
    Raises DataError when a path leads to no file or to a damaged corpus, OSError when a folder cannot be read.
    """
    found: dict[Path, InputFile] = {}
    for path in paths:
        for file in _files(str(path), format):
            found.setdefault(file.path.resolve(), file)
    if not found:
        raise _nothing("no path was given", "the inputs", "nerbridge corpus build FILE --output FOLDER")
    return list(found.values())


def check_paths(paths: Iterable[str | Path]) -> None:
    """Raises DataError, as `find_inputs` does, for paths that lead nowhere. What is there is not looked at."""
    for path in paths:
        if not Path(path).exists():
            find_inputs([path])


def _files(text: str, format: TextFormat) -> Iterator[InputFile]:
    path = Path(text)
    if not text:
        raise _nothing(
            "a path is empty", "the inputs", "'.' is the current folder; is a variable of the shell not set?"
        )
    if is_corpus(path):
        yield from _corpus_files(path)
    elif path.is_dir():
        yield from _folder_files(path, format)
    elif path.is_file():
        yield InputFile(path, format_of(path, format) or "text")
    elif path.exists():
        raise DataError(
            f"'{path}' is a pipe or a device",
            where=text,
            expected="a file, which can be read twice: once for its checksum",
            hint="write its content to a file first",
        )
    elif glob.has_magic(text):
        matches = sorted(Path(match) for match in glob.glob(text, recursive=True))  # noqa: PTH207 (from anywhere)
        files = [match for match in matches if match.is_file()]
        if not files:
            hint = "look at the folder; ** goes into sub-folders"
            hint = "name the folders: a pattern stands for files" if matches else hint
            raise _nothing(f"no file fits the pattern '{text}'", text, hint)
        yield from (InputFile(file, format_of(file, format) or "text") for file in files)
    elif path.is_symlink():
        raise _nothing(f"the link '{path}' leads nowhere", text, "name the file itself")
    else:
        beside = [other.name for other in path.parent.iterdir()] if path.parent.is_dir() else []
        near = difflib.get_close_matches(path.name, beside, n=1, cutoff=0.75)
        hint = f"nearest is '{path.parent / near[0]}'" if near else "check the spelling and the current folder"
        raise _nothing(f"'{path}' does not exist", text, hint)


def _corpus_files(folder: Path) -> Iterator[InputFile]:
    corpus = corpus_as_text(folder)
    if others := len([path for path in _files_below(folder) if path.name != MANIFEST]) - len(corpus.shards):
        logger.info("%s: %s beside the corpus are not read", folder, counted(others, "file"))
    yield from (InputFile(folder / shard.name, "corpus", shard.sha256) for shard in corpus.shards)


def _folder_files(folder: Path, format: TextFormat) -> Iterator[InputFile]:
    number, others = 0, list[Path]()
    for path in _files_below(folder):
        kind = format_of(path, format)
        if kind is None:
            others.append(path)
            continue
        number += 1
        yield InputFile(path, kind)
    if others:
        logger.info("%s: %s", folder, left_alone(others))
    if not number:
        known = ", ".join(FORMATS)
        raise _nothing(f"'{folder}' holds no raw text ({known})", str(folder), "name the files, or their format")


def _files_below(folder: Path) -> list[Path]:
    """All files of a folder and its sub-folders, sorted, hidden ones aside.

    Raises OSError for a sub-folder that cannot be read.
    """

    def refused(error: OSError) -> None:
        raise error

    found: list[Path] = []
    linked = 0
    for place, folders, names in os.walk(folder, onerror=refused):
        folders[:] = [name for name in folders if not name.startswith(".")]
        linked += sum(os.path.islink(os.path.join(place, name)) for name in folders)  # noqa: PTH114, PTH118 (speed)
        found += [Path(place, name) for name in names if not name.startswith(".")]
    if linked:
        logger.info(
            "%s: %s not entered; links are followed where they are named", folder, counted(linked, "linked folder")
        )
    if lost := not_read([path for path in found if not path.is_file()]):
        logger.warning("%s: %s", folder, lost)
    return sorted(path for path in found if path.is_file())


def format_of(path: Path, format: TextFormat = "auto") -> Format | None:
    """The format of a file: `format`, or what its suffix says, one for compression aside; None for an unknown one."""
    if format != "auto":
        return format
    name = path.name
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return FORMATS.get(Path(name).suffix.lower())


def _nothing(what: str, where: str, hint: str) -> DataError:
    return DataError(
        what, where=where, expected="files of raw text, their folders, or patterns such as 'a/*.txt'", hint=hint
    )


def refuse_twice(paths: Iterable[str | Path], *, where: str, expected: str, hint: str) -> None:
    """Raises ConfigError, with these parts, for a path that is named twice, be it in two spellings."""
    seen: dict[Path, str] = {}
    for path in map(str, paths):
        place = Path(path).resolve()
        if place in seen:
            same = (
                f"'{path}' is given twice" if path == seen[place] else f"'{path}' and '{seen[place]}' are the same text"
            )
            raise ConfigError(same, where=where, expected=expected, hint=hint)
        seen[place] = path
