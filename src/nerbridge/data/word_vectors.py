"""Word vectors from files: GloVe text, word2vec text (a first line with count and width), or an array with an index.

A text line is a word and its numbers, separated by spaces. Files hold millions of words, so only those that are asked
for are kept: the head of the file, which holds the most frequent words, and words by name.
"""

import logging
import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from nerbridge.data.lines import TextFile
from nerbridge.data.packaged_vectors import vectors_place
from nerbridge.data.vector_arrays import read_arrays
from nerbridge.data.vector_rows import Rows, WordVectors, check_width, odd_number, unusable
from nerbridge.errors import DataError, FileFaults
from nerbridge.wording import counted

__all__ = ["WordVectors", "read_vectors"]

logger = logging.getLogger(__name__)

MOST_DIGITS = 9  # of the counts in a first line
TOGETHER = 1024  # lines whose numbers are read at once
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
PLAIN = re.compile(r"[0-9eE+.-]+(?: [0-9eE+.-]+)*")  # numbers, each behind one space


def read_vectors(name: str, *, frequent: int, wanted: Collection[str]) -> WordVectors:
    """The first `frequent` words of the vectors that settings call `name`, and every further one that is `wanted`.

    A word that stands twice in the file has its first row.
    Raises ConfigError when there is no such file, DataError or FileFaults when it cannot be read, MissingExtraError
    when a folder is given and pyarrow is not installed.
    """
    place = vectors_place(name)
    return read_arrays(place, frequent, wanted) if place.is_dir() else _from_text(place, frequent, wanted)


@dataclass
class _Reading:
    """How far a text file is read. told: words that its first line tells of, None where it is a word's; there: words
    that it has had so far."""

    told: int | None = None
    width: int = 0
    there: int = 0


def _from_text(path: Path, frequent: int, wanted: Collection[str]) -> WordVectors:
    reading, faults = _Reading(), list[DataError]()
    words: dict[str, Rows] = {}
    num_frequent, num_repeated, num_other = 0, 0, 0
    longer: list[tuple[int, str]] = []
    lines = _chosen(path, reading, frequent, wanted, faults)
    while batch := list(islice(lines, TOGETHER)):
        entries = _entries([line for _, line, _ in batch], reading.width)
        for (number, line, inside), (word, row) in zip(batch, entries, strict=True):
            if row is None:
                faults.append(_bad_line(path, number, line, reading.width))
                num_other += line.count(" ") < reading.width
            elif word in words:
                num_repeated += 1
            else:
                words[word] = row
                num_frequent += inside
                if " " in word and NUMBER.fullmatch(word.rpartition(" ")[2]):
                    longer.append((number, word))
    if num_other * 2 > len(words) + len(faults):
        raise _other_width(path, reading.width, num_other, len(words) + len(faults), reading.told)
    if faults:
        raise FileFaults(faults)
    _check(path, words, reading)
    if longer:
        _say_longer(path, longer, reading.width)
    return WordVectors(tuple(words), np.stack(list(words.values())), num_frequent, num_repeated)


def _say_longer(path: Path, found: Sequence[tuple[int, str]], width: int) -> None:
    """found: lines whose word seems to have taken in a number."""
    number, word = found[0]
    numbers, lines = counted(width, "number"), counted(len(found), "such line")
    logger.warning("%s:%d: more than %s, so '%s' is read as the word; %s", path, number, numbers, word[:40], lines)


def _chosen(
    path: Path, reading: _Reading, frequent: int, wanted: Collection[str], faults: list[DataError]
) -> Iterator[tuple[int, str, bool]]:
    """(line number, line, is it of the head of the file?) of the words that are kept."""
    for number, line in _numbered(path, faults):
        if number == 1 and (header := _header(line)):
            reading.told, reading.width = header
            check_width(path, reading.width, f"{path}:1")
            continue
        reading.width = reading.width or _width(path, number, line)
        inside = reading.there < frequent
        reading.there += 1
        if inside or line.partition(" ")[0] in wanted:
            yield number, line, inside


def _other_width(path: Path, width: int, number: int, of: int, told: int | None) -> DataError:
    """The fault of a first line that most others contradict."""
    numbers, lines = counted(width, "number"), counted(of, "line")
    first = f"tells of {numbers} per word" if told is not None else f"has {numbers}"
    return unusable(path, f"its first line {first}, {number:,} of {lines} that were read have fewer", line=1)


def _check(path: Path, words: Collection[str], reading: _Reading) -> None:
    told, there, width = reading.told, reading.there, reading.width
    if told == there == 0:
        raise unusable(path, "its first line tells of 0 words, and none follows", line=1)
    if told is not None and told > there:
        more = counted(told - there, "word")
        raise unusable(path, f"the file is cut: its first line tells of {more} more than it has", line=1)
    if told is not None and told < there:
        logger.warning("%s:1: the first line tells of %s, the file has %s", path, counted(told, "word"), f"{there:,}")
    if not there:
        raise unusable(path, "the file is empty")
    if not words:
        raise unusable(path, "the file has no word that is looked for")
    if (spaced := sum(" " in word for word in words)) * 2 > len(words):  # they are read as parts of the words
        numbers = counted(width, "number")
        more = f"{spaced:,} of {len(words):,} lines have more"
        raise unusable(path, f"its first line tells of {numbers} per word, {more}", line=1)


def _width(path: Path, number: int, line: str) -> int:
    if width := line.count(" "):
        check_width(path, width, f"{path}:{number}")
        return width
    raise DataError(
        f"no number stands behind the word '{line[:40]}'",
        where=f"{path}:{number}",
        expected="a word and its numbers, separated by single spaces",
        hint="where tabs separate them: tr '\\t' ' '; check that the file is one of word vectors",
    )


def _numbered(path: Path, faults: list[DataError]) -> Iterator[tuple[int, str]]:
    for number, line in TextFile(path, has_option=False).lines(faults):
        if text := line.strip(" \r"):
            yield number, text


def _header(line: str) -> tuple[int, int] | None:
    """Words and width that the first line of word2vec text tells; None for the first word of GloVe text."""
    fields = line.split(" ")
    if len(fields) != 2 or not all(field.isdecimal() and len(field) <= MOST_DIGITS for field in fields):
        return None
    return int(fields[0]), int(fields[1])


def _entries(lines: Sequence[str], width: int) -> list[tuple[str, Rows | None]]:
    """`_entry` of each line; the numbers of all of them are read at once where nothing about them is odd."""
    cut = [line.partition(" ") for line in lines]
    numbers = " ".join(tail for _, _, tail in cut)
    if width > 0 and PLAIN.fullmatch(numbers) and all(line.count(" ") == width for line in lines):
        with warnings.catch_warnings(), np.errstate(over="ignore"):
            warnings.simplefilter("error", DeprecationWarning)  # what older versions of NumPy say of odd numbers
            try:
                rows = np.fromstring(numbers, np.float32, sep=" ")
            except (ValueError, DeprecationWarning):
                rows = np.empty(0, np.float32)
        if len(rows) == len(lines) * width and np.isfinite(rows).all():
            return [(word, row) for (word, _, _), row in zip(cut, rows.reshape(-1, width), strict=True)]
    return [_entry(line, width) for line in lines]


def _entry(line: str, width: int) -> tuple[str, Rows | None]:
    """The word, which may itself hold spaces, and its row; None where the numbers are not sound."""
    word, *fields = line.rsplit(" ", width)
    try:
        with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite, and that is refused
            row = np.array(fields, np.float32)
    except ValueError:
        return word, None
    is_sound = len(row) == width > 0 and "_" not in line[len(word) :] and bool(np.isfinite(row).all())
    return word, row if is_sound else None  # Python reads 1_0 as a number


def _bad_line(path: Path, number: int, line: str, width: int) -> DataError:
    """The fault of a line that `_entry` finds no row in: the first number that 32 bits cannot hold, or another."""
    word, *fields = line.rsplit(" ", width)
    if len(fields) == width and "_" not in line[len(word) :]:
        for place, value in enumerate(_values(fields), start=1):
            with np.errstate(over="ignore"):
                held = np.isfinite(np.float32(value))
            if not held:
                return odd_number(word, place, value, f"{path}:{number}")
    return DataError(
        f"the line of word '{word[:40]}' is not a vector",
        where=f"{path}:{number}",
        expected=f"a word and {width} numbers, separated by single spaces",
        hint="fetch the file again, or leave the line out",
    )


def _values(fields: Iterable[str]) -> Iterator[float]:
    """The numbers of `fields`, up to one that is none."""
    for field in fields:
        try:
            yield float(field)
        except ValueError:
            return
