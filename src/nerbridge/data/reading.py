"""Any supported file -> sentences, the same way for training and for use."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from nerbridge.data.columns import ColumnFormat, ColumnReader
from nerbridge.data.counts import ReadCounts
from nerbridge.data.jsonl import JsonlFormat, JsonlReader
from nerbridge.data.lines import TextFile
from nerbridge.data.sentence import Sentence
from nerbridge.errors import ConfigError

Settings = TypeVar("Settings", ColumnFormat, JsonlFormat)
JSONL_SUFFIXES = frozenset({".jsonl", ".ndjson", ".json"})


class FileFormat(StrEnum):
    """The file formats of labelled sentences."""

    COLUMNS = "columns"
    JSONL = "jsonl"


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The sentences of a file, and what reading it found."""

    sentences: list[Sentence]
    counts: ReadCounts
    path: str

    @property
    def format(self) -> str:
        """The format found, in words."""
        return self.counts.format

    def report(self) -> list[str]:
        """Lines for the user."""
        first, *rest = self.counts.report()
        return [f"{self.path}: {first}", *(f"  {line}" for line in rest)]


def detect_format(path: str | Path | TextFile) -> FileFormat:
    """JSONL when the suffix says so or the first line that is not blank opens with '{"', else columns."""
    file = path if isinstance(path, TextFile) else TextFile(path)
    inner = file.path.with_suffix("") if file.path.suffix == ".gz" else file.path
    if inner.suffix in JSONL_SUFFIXES:
        return FileFormat.JSONL
    for _, line in file.lines([]):
        if line.strip(" \t\r"):
            return FileFormat.JSONL if re.match(r'\{\s*"', line) else FileFormat.COLUMNS
    return FileFormat.COLUMNS


def open_reader(path: str | Path, format: FileFormat | str | None = None, **options: Any) -> ColumnReader | JsonlReader:
    """A reader of `path`; iterate it for the sentences, its `counts` are complete behind the last.

    options: fields of ColumnFormat or JsonlFormat. Raises ConfigError for an option that the format does not have.
    """
    file = TextFile(path)
    kind = _kind(format) if format is not None else detect_format(file)
    if kind is FileFormat.JSONL:
        return JsonlReader(file, _settings(JsonlFormat(), kind, options))
    return ColumnReader(file, _settings(ColumnFormat(), kind, options))


def _kind(name: str) -> FileFormat:
    try:
        return FileFormat(name)
    except ValueError:
        raise ConfigError(
            f"'{name}' is no file format",
            where="the option format",
            expected=f"one of {', '.join(FileFormat)}",
            hint="leave it out: suffix and content tell",
        ) from None


def _settings(default: Settings, kind: FileFormat, options: dict[str, Any]) -> Settings:
    names = [field.name for field in fields(default)]
    for name in options:
        if name not in names:
            raise ConfigError(
                f"'{name}' is no option of the format {kind}",
                where=f"the option {name}",
                expected=f"one of {', '.join(names)}",
                hint="leave it out, or name the other format if the file has that",
            )
    return replace(default, **options)


def iterate_sentences(path: str | Path, format: FileFormat | str | None = None, **options: Any) -> Iterator[Sentence]:
    """The sentences of `path` one at a time, for files that should not be held in memory; see `open_reader`."""
    return iter(open_reader(path, format, **options))


def read_sentences(path: str | Path, format: FileFormat | str | None = None, **options: Any) -> ReadResult:
    """All sentences of `path` with the format found and the counts.

    format: None detects it from suffix and content. options: fields of ColumnFormat or JsonlFormat (scheme, repair,
    encoding, domain, ...). Raises DataError when the file cannot be used, FileFaults when some of its lines cannot.
    """
    reader = open_reader(path, format, **options)
    sentences = list(reader)
    return ReadResult(sentences, reader.counts, str(path))
