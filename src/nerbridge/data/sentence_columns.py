"""Columns that tell sentences apart: taken from the names of columns, and noticed where nobody named them.

A spreadsheet has a row for each word and often no empty row between sentences; read by default, such a file is one
sentence of the words 'Sentence 1 Sentence 1 ...'.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from itertools import groupby, islice, pairwise

from nerbridge.data.column_layout import ColumnLayout, LineKind
from nerbridge.data.format_options import with_options
from nerbridge.errors import DataError

ROWS = 1000  # of which the habits of columns are read off
FEW = 8  # rows that show no habit yet
COUNTED = 5  # rows enough to see counting
DIGITS = 9  # of numbers of rows
Lines = Callable[[], Iterable[tuple[int, str]]]  # of the file, from its beginning
Block = list[tuple[str, ...]]  # the rows between two borders


class Habit(StrEnum):
    """How the values of a column follow each other."""

    RUNS = "come in runs of the same text"
    COUNTS = "count up"
    OTHER = "differ"


def settle_sentences(layout: ColumnLayout, lines: Lines, path: str) -> tuple[ColumnLayout, str]:
    """`layout` with the sentence column that is to be used, and a remark on what looks wrong, or ''.

    A column named so is used unless nearly every row has another value there; blank lines end sentences too. Raises
    DataError for a file without any border whose words are no words but numbers of sentences or rows.
    """
    named = layout.named
    if named and named.sentence is not None:
        taken = named.sentence in (layout.word_column, layout.tag_column)
        if taken or _numbers_rows(list(islice(_blocks(layout, lines(), ROWS), ROWS)), named.sentence):
            layout = replace(layout, named=replace(named, sentence=None))
    if layout.width < 3 or layout.sentence_column is not None:
        return layout, ""
    sample = list(islice(_blocks(layout, lines(), ROWS), ROWS))
    default = layout.settings.word_column == 0 and not (layout.named and layout.named.word is not None)
    habit = _habit([[row[layout.word_column] for row in block] for block in sample])
    if default and habit is not Habit.OTHER:
        return layout, _of_words(layout, habit, sample, path, refuse=sum(1 for _ in _blocks(layout, lines())) == 1)
    return layout, _of_numbers(layout, sample) if len(sample) == 1 else ""


def _blocks(layout: ColumnLayout, lines: Iterable[tuple[int, str]], limit: int | None = None) -> Iterator[Block]:
    """The rows of full width between two lines that are no words; of the first `limit` rows."""
    rows: Iterable[tuple[LineKind, tuple[str, ...]]] = ((kind, fields) for _, kind, _, fields in layout.kinds(lines))
    for is_word, block in groupby(islice(rows, limit), lambda row: row[0] is LineKind.WORD):
        whole = [fields for _, fields in block if is_word and len(fields) == layout.width]
        if whole:
            yield whole


def _habit(blocks: list[list[str]]) -> Habit:
    pairs = [pair for block in blocks for pair in pairwise(block)]
    rows = sum(map(len, blocks))
    distinct = len({value for block in blocks for value in block})
    if rows >= COUNTED and 2 * len(pairs) > rows and all(_counts_up(a, b, blocks[0][0]) for a, b in pairs):
        return Habit.COUNTS
    repeated = sum(a == b or not b for a, b in pairs)
    return Habit.RUNS if rows >= FEW and repeated * 2 >= rows and distinct * 2 <= rows else Habit.OTHER


def _counts_up(before: str, value: str, first: str) -> bool:
    """Is `value` the greater number, or the beginning of another count? Numbers left out are no matter."""
    if not (before.isdecimal() and value.isdecimal() and len(before) <= DIGITS >= len(value)):
        return False
    return int(before) < int(value) or before != value == first


def _of_words(layout: ColumnLayout, habit: Habit, sample: list[Block], path: str, *, refuse: bool) -> str:
    """The remark that the words of a file are none. Raises DataError instead where `refuse`."""
    word = layout.word_column
    values = [row[word] for row in sample[0][:3]]
    what = f"the words of column {word} {habit}: {', '.join(map(repr, values))}, ..."
    hint = f"{_options(layout, habit, sample)}; if they are the words: --read word_column={word - layout.width}"
    if not refuse:
        return f"{what}; {hint}"
    raise DataError(
        f"{what}, and no blank line ends a sentence",
        where=path,
        expected="a word in each line, and a blank line or a new number of the sentence between sentences",
        hint=hint,
    )


def _options(layout: ColumnLayout, habit: Habit, sample: list[Block]) -> str:
    habits = {
        column: _habit([[row[column] for row in block] for block in sample])
        for column in range(layout.width)
        if column != layout.tag_column
    }
    word = next((column for column, each in habits.items() if each is Habit.OTHER), layout.word_column + 1)
    runs = [column for column in habits if column != word and _numbers_sentences(sample, column)]
    if not runs and habit is Habit.RUNS:
        runs = [layout.word_column]
    if runs:
        options = with_options(f"sentence_column={runs[0]}", f"word_column={word}")
        return f"if column {runs[0]} tells sentences apart, read {options}"
    return f"if column {word} holds the words, read {with_options(f'word_column={word}')}"


def _of_numbers(layout: ColumnLayout, sample: list[Block]) -> str:
    """The remark that a column seems to tell apart the sentences of a file that is read as one."""
    others = set(range(layout.width)) - {layout.word_column, layout.tag_column}
    column = next((column for column in sorted(others) if _numbers_sentences(sample, column)), None)
    if column is None:
        return ""
    options = with_options(f"sentence_column={column}", f"word_column={layout.word_column}")
    return f"no blank line ends a sentence; if column {column} tells them apart, read {options}"


def _numbers_rows(sample: list[Block], column: int) -> bool:
    """Has nearly every row another value than the one before?"""
    values = [row[column] for block in sample for row in block]
    changes = sum(after not in ("", before) for before, after in pairwise(values))
    return len(values) >= FEW and changes * 10 > len(values) * 9


def _numbers_sentences(sample: list[Block], column: int) -> bool:
    """Are there several values, most of them in several rows, and does none come back?"""
    values = [row[column] for block in sample for row in block if row[column]]
    rows = sum(map(len, sample))
    runs = [value for value, _ in groupby(values)]
    return rows >= FEW and 1 < len(runs) == len(set(runs)) and len(runs) * 2 <= rows
