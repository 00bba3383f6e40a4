"""The first line of a column file, where it only names the columns."""

from collections.abc import Mapping
from dataclasses import replace

from nerbridge.data.column_layout import ColumnLayout
from nerbridge.data.column_names import named_columns, names_columns
from nerbridge.data.comma_detection import word_lines


def with_header(layout: ColumnLayout, texts: Mapping[str, int]) -> ColumnLayout:
    """`layout` with its first line as names of columns, if it is nothing else: no other line ends in such a tag."""
    settings = layout.settings
    rows = word_lines(texts, layout.separator, settings)
    _, header = next(rows, ("", ()))
    if len(header) != layout.width or not names_columns(header):
        return layout
    named = named_columns(header) if settings.names_no_column else None
    column = layout.tag_column if named is None or named.tag is None else named.tag
    column = layout.width - 1 if column is None else column
    if not 0 <= column < layout.width or not header[column]:
        return layout
    others = (fields for _, fields in rows if fields != header and len(fields) == layout.width)
    if any(fields[column] == header[column] for fields in others):
        return layout
    return replace(layout, header=header, named=named)
