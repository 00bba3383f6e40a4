"""Tables of names with their types: CSV, TSV, and JSON lines."""

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nerbridge.corpus.gazetteer_cleaning import NameCollector
from nerbridge.corpus.gazetteer_lines import text_lines
from nerbridge.errors import DataError

# The columns and keys that are understood, the first that a file has.
NAME_KEYS = ("name", "names", "title", "entity", "mention", "term", "pattern", "text")
LABEL_KEYS = ("label", "labels", "type", "types", "class", "category")
NO_OBJECT = "not a JSON object with a name and a label"
NO_CELLS = "a row without a name or a label"
OPEN_QUOTE = "a line behind a quotation mark that is not closed"


def read_table(path: Path, collector: NameCollector, *, delimiter: str | None = None) -> None:
    """Take the names of a CSV or TSV file whose first row names its columns.

    delimiter: None finds a comma, a semicolon or a TAB in the first row. Several labels of a name stand in several
    rows, or in one cell with | between them. Raises DataError when there is no column of names or of labels.
    """
    separator = delimiter or _delimiter(path)
    rows = csv.reader(_texts(path, collector), delimiter=separator, strict=False)
    try:
        header = [cell.strip().lower() for cell in next(rows, [])]
        columns = _columns(header, path)
        for row in rows:
            _take_row(collector, row, columns, separator, f"{path}:{rows.line_num}")
    except csv.Error as fault:
        raise DataError(
            f"the table cannot be read: {fault}",
            where=f"{path}:{rows.line_num}",
            expected="rows of cells, quoted where they hold the separator or a line break",
            hint='a quotation mark inside a quoted cell is written twice: ""',
        ) from None


def read_json_lines(path: Path, collector: NameCollector) -> None:
    """Take the names of objects such as {"name": "Ada Lovelace", "label": "person"}; both may be lists.

    Raises DataError for a label that cannot be one.
    """
    for number, line in text_lines(path, collector.skip):
        if not line.strip():
            continue
        try:
            record: Any = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        names, labels = (_texts_of(record, keys) for keys in (NAME_KEYS, LABEL_KEYS))
        if not names or not labels:
            collector.skip(NO_OBJECT, line, f"{path.name}:{number}")
            continue
        _take(collector, names, labels, f"{path}:{number}")


def _take_row(
    collector: NameCollector, row: Sequence[str], columns: tuple[int, int], separator: str, where: str
) -> None:
    """Take the name of a row. Cells that hold line breaks and separators are rows behind an open quotation mark."""
    if not row:
        return
    cells = [row[at].strip() if at < len(row) else "" for at in columns]
    if any("\n" in cell and separator in cell for cell in (cells if all(cells) else row)):
        for text in ", ".join(row).splitlines():
            collector.skip(OPEN_QUOTE, text, _short(where))
    elif not all(cells):
        collector.skip(NO_CELLS, ", ".join(row), _short(where))
    else:
        _take(collector, cells[:1], cells[1].split("|"), where)


def _take(collector: NameCollector, names: Sequence[str], labels: Sequence[str], where: str) -> None:
    bits = 0
    for label in labels:
        bits |= collector.bit(label.strip(), where)
    for name in names:
        collector.add(name, bits, _short(where))


def _short(where: str) -> str:
    """file:line without the folders."""
    return where[where.rfind("/") + 1 :]


def _texts(path: Path, collector: NameCollector) -> Iterator[str]:
    return (line + "\n" for _, line in text_lines(path, collector.skip))


def _texts_of(record: Any, keys: Sequence[str]) -> list[str]:
    """The text, or the texts, under the first of `keys` that the record has."""
    value = next((record[key] for key in keys if key in record), None) if isinstance(record, dict) else None
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str)]


def _delimiter(path: Path) -> str:
    first = next((line for _, line in text_lines(path, lambda *_: None)), "")
    return max(",;\t", key=first.count)


def _columns(header: Sequence[str], path: Path) -> tuple[int, int]:
    found = [next((header.index(key) for key in keys if key in header), None) for keys in (NAME_KEYS, LABEL_KEYS)]
    if found[0] is None or found[1] is None:
        lacking = "names" if found[0] is None else "labels"
        raise DataError(
            f"the table has no column of {lacking}: {', '.join(map(repr, header[:10])) or 'it is empty'}",
            where=f"{path}:1",
            expected=f"a first row with one of {', '.join(NAME_KEYS)} and one of {', '.join(LABEL_KEYS)}",
            hint="write such a row above the others, for example: name,label",
        )
    return found[0], found[1]
