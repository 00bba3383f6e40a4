"""Word vectors from files: GloVe text, word2vec text (a first line with count and width), or an array with an index.

A text line is a word and its numbers, separated by spaces. Files hold millions of words, so only those that are asked
for are kept: the head of the file, which holds the most frequent words, and words by name.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nerbridge.data.lines import TextFile
from nerbridge.data.packaged_vectors import array_pair, vectors_place
from nerbridge.errors import DataError, FileFaults, MissingExtraError

Rows = NDArray[np.float32]


@dataclass(frozen=True)
class WordVectors:
    """Some words of a vector file, in its order, and a row for each. num_frequent: those of its head come first."""

    words: tuple[str, ...]
    rows: Rows
    num_frequent: int

    @property
    def width(self) -> int:
        """Numbers per word."""
        return int(self.rows.shape[1])


def read_vectors(name: str, *, frequent: int, wanted: Collection[str]) -> WordVectors:
    """The first `frequent` words of the vectors that settings call `name`, and every further one that is `wanted`.

    A word that stands twice in the file has its first row.
    Raises ConfigError when there is no such file, DataError or FileFaults when it cannot be read, MissingExtraError
    when a folder is given and pyarrow is not installed.
    """
    place = vectors_place(name)
    return _from_arrays(place, frequent, wanted) if place.is_dir() else _from_text(place, frequent, wanted)


def _from_arrays(folder: Path, frequent: int, wanted: Collection[str]) -> WordVectors:
    array, index = array_pair(folder)
    words = _indexed_words(index)
    try:
        table = np.load(array, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise _unusable(array, f"the array cannot be read: {error}") from error
    if table.ndim != 2 or len(table) != len(words):
        raise _unusable(array, f"an array of shape {table.shape} for {len(words):,} words")
    positions = _chosen(enumerate(words), frequent, wanted)
    chosen = tuple(words[position] for position in positions)
    rows = np.array(table[list(positions)], np.float32)
    if not np.isfinite(rows).all():
        raise _unusable(array, "the array holds NaN or infinity")
    return WordVectors(chosen, rows, sum(position < frequent for position in positions))


def _chosen(words: Any, frequent: int, wanted: Collection[str]) -> list[int]:
    seen: set[str] = set()
    positions = []
    for position, word in words:
        if (position < frequent or word in wanted) and word not in seen:
            seen.add(word)
            positions.append(position)
    return positions


def _indexed_words(index: Path) -> list[str]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise MissingExtraError("pyarrow (for the index of word vectors)", "vectors") from None
    try:
        table = parquet.read_table(index)
    except (pyarrow.ArrowException, OSError) as error:
        raise _unusable(index, f"the index cannot be read: {error}") from error
    columns = [column for column in table.columns if pyarrow.types.is_string(column.type)]
    if len(columns) != 1:
        raise _unusable(index, f"the index has {len(columns)} columns of text")
    words: list[str] = columns[0].to_pylist()
    return words


def _from_text(path: Path, frequent: int, wanted: Collection[str]) -> WordVectors:
    faults: list[DataError] = []
    words: dict[str, Rows] = {}
    num_frequent, position, width = 0, 0, 0
    for number, line in _numbered(path, faults):
        if number == 1 and (header := _header(line)):
            width = header
            continue
        width = width or line.count(" ")
        inside = position < frequent
        position += 1
        if not inside and line.partition(" ")[0] not in wanted:
            continue
        word, row = _entry(line, width)
        if row is None:
            faults.append(_bad_line(path, number, word, width))
        elif word not in words:
            words[word] = row
            num_frequent += inside
    if faults:
        raise FileFaults(faults)
    if not words:
        raise _unusable(path, "the file has no word that is looked for")
    return WordVectors(tuple(words), np.stack(list(words.values())), num_frequent)


def _numbered(path: Path, faults: list[DataError]) -> Iterator[tuple[int, str]]:
    for number, line in TextFile(path).lines(faults):
        if text := line.strip(" \r"):
            yield number, text


def _header(line: str) -> int | None:
    """The width that the first line of word2vec text tells; None for the first word of GloVe text."""
    fields = line.split(" ")
    return int(fields[1]) if len(fields) == 2 and all(field.isdecimal() for field in fields) else None


def _entry(line: str, width: int) -> tuple[str, Rows | None]:
    """The word, which may itself hold spaces, and its row; None where the numbers are not sound."""
    word, *fields = line.rsplit(" ", width)
    try:
        row = np.array(fields, np.float32)
    except ValueError:
        return word, None
    return word, row if len(row) == width > 0 and bool(np.isfinite(row).all()) else None


def _bad_line(path: Path, number: int, word: str, width: int) -> DataError:
    return DataError(
        f"the line of word '{word[:40]}' is not a vector",
        where=f"{path}:{number}",
        expected=f"a word and {width} numbers, separated by single spaces",
        hint="fetch the file again, or leave the line out",
    )


def _unusable(path: Path, what: str) -> DataError:
    return DataError(
        f"{path.name}: {what}",
        where=str(path),
        expected="GloVe or word2vec text, or an array (word, width) with an index of as many words",
        hint="fetch the vectors again; the packaged ones are encoder.vectors = 'glove'",
    )
