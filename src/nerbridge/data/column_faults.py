"""What can be wrong with the columns of a file and of one line."""

import re

from nerbridge.data.column_layout import ColumnLayout
from nerbridge.data.format_options import with_options
from nerbridge.data.separators import MARKS, QUOTING, open_quote
from nerbridge.errors import DataError
from nerbridge.wording import counted


def row_fault(layout: ColumnLayout, fields: tuple[str, ...], line: str, where: str) -> DataError | None:
    """What is wrong with a word line that was cut into `fields`, or None.

    Every line needs as many columns as most lines have, unless word and tag column are both counted from the front.
    """
    settings, columns = layout.settings, (layout.word_column, layout.tag_column, layout.sentence_column)
    needed = max(column for column in columns if column is not None) + 1
    from_front = settings.word_column >= 0 and settings.tag_column is not None and settings.tag_column >= 0
    mark = MARKS[layout.separator]
    rows = [row for row in line.split("\r") if row]
    if len(rows) > 1 and all(mark in row.strip(mark) for row in rows):
        return DataError(
            f"the line is {len(rows)} lines that end with CR alone: {shortened(line)!r}",
            where=where,
            expected="lines that end with LF or CRLF",
            hint="convert the file, as in: tr '\\r' '\\n' < OLD > NEW",
        )
    if len(fields) < needed or (len(fields) != layout.width and not from_front):
        return DataError(
            f"the line has {counted(len(fields), 'column')}: '{shortened(line)}'",
            where=where,
            expected=f"{counted(layout.width, 'column')}, {layout.separator} between, as in most lines",
            hint=_hint(layout, line),
        )
    return _empty_field(layout, fields, line, where)


def _empty_field(layout: ColumnLayout, fields: tuple[str, ...], line: str, where: str) -> DataError | None:
    """Word and tag must be there; other fields may be empty."""
    word, tag = layout.word_column, layout.tag_column
    empty = "word" if not fields[word] else ""
    if not empty and tag is not None and not fields[tag]:
        empty = "tag"
    if not empty:
        return None
    hint = "fill it in, or remove the line"
    if empty == "word" and layout.settings.names_no_column and layout.width > 2:  # perhaps first words alone have it
        options = with_options(f"sentence_column={word}", f"word_column={word + 1}")
        hint += f"; if column {word} tells sentences apart, read {options}"
    return DataError(f"the {empty} is empty: '{shortened(line)}'", where=where, expected="a word and a tag", hint=hint)


def _hint(layout: ColumnLayout, line: str) -> str:
    comment = layout.settings.comment
    if comment and line.startswith(comment):
        return f"if the line is a comment, put a space behind '{comment}'; else give the word its tag"
    if open_quote(line, layout.separator):
        return 'close the quote; a word that holds a quote stands in quotes, and its own are doubled, as in """"'
    if layout.separator in QUOTING:
        return f"mend the line; a field that holds '{MARKS[layout.separator]}' stands in quotes"
    if layout.settings.tag_column is None:  # words only, as `nerbridge predict` reads them
        return "mend the line, or name the columns and the separator: `--read word_column=1 --read separator=tab`"
    return f"mend the line, or name columns and separator: read {with_options('tag_column=1', 'separator=tab')}"


def check_columns(layout: ColumnLayout, path: str) -> None:
    """Raises DataError for running text, and when the settings name a column that the file lacks, or one twice."""
    width, settings = layout.width, layout.settings
    if layout.text_lines and settings.separator is None and settings.tag_column == -1:
        raise _running_text(layout, path)
    columns = {"word": settings.word_column, "tag": settings.tag_column, "sentence": settings.sentence_column}
    for name, column in columns.items():
        if column is not None and not -width <= column < width:
            raise DataError(
                f"there is no {name} column {column}: most lines have {counted(width, 'column')}",
                where=path,
                expected=f"a column from 0 to {width - 1}, or from -1 to -{width} counted from the last",
                hint="look at a line of the file and count its columns from 0",
            )
    if settings.sentence_column is not None:
        _check_sentence_column(layout, path)


def _check_sentence_column(layout: ColumnLayout, path: str) -> None:
    column, word, tag = layout.sentence_column, layout.word_column, layout.tag_column
    if column not in (word, tag):
        return
    free = next((other for other in range(layout.width) if other not in (word, tag)), None)
    hint = "leave the sentence column out where blank lines end sentences"
    if free is not None:
        option = f"word_column={free}" if column == word else f"sentence_column={free}"
        hint = f"name another column, as in {with_options(option).removeprefix('with ')}, or {hint}"
    raise DataError(
        f"column {column} cannot hold both the sentence's number and the {'word' if column == word else 'tag'}",
        where=path,
        expected="three columns for sentence, word and tag",
        hint=hint,
    )


def _running_text(layout: ColumnLayout, path: str) -> DataError:
    hint = "label some of its sentences first, a tagger cannot learn from text alone; if these are columns, "
    if layout.parted:
        hint += f"read {with_options(f'separator={layout.parted}')}"
    else:
        hint += "name that of the tags, as in `--read tag_column=1` (in a recipe: read = { tag_column = 1 })"
    return DataError(
        f"the file looks like running text: {counted(layout.text_lines, 'line')} without tags",
        where=path,
        expected="labelled sentences: a word and its tag on each line, or JSON lines with spans",
        hint=hint,
    )


def joined_remark(layout: ColumnLayout) -> str:
    """What to say of a file of one column whose lines seem to hold a word and its tag; '' for others."""
    line = layout.joined
    if not line:
        return ""
    parting = re.findall("[,;|]", line)[-1]
    named = next((separator for separator in QUOTING if MARKS[separator] == parting), None)
    remedy = f"read {with_options(f'separator={named}')}" if named else "put a TAB or a space between"
    return f"lines such as '{shortened(line)}' seem to hold a word and its tag, with '{parting}' between: {remedy}"


def shortened(text: str, length: int = 60) -> str:
    """`text`, cut behind `length` characters with its true length."""
    return text if len(text) <= length else f"{text[:length]}... ({counted(len(text), 'character')})"
