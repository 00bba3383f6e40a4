"""What stands between the columns of a line, and how a line is cut there."""

import csv
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType


class Separator(StrEnum):
    """What stands between columns."""

    TAB = "tab"  # one TAB; words may hold spaces
    SPACE = "space"  # any run of spaces and TABs
    COMMA = "comma"  # as spreadsheets write it: a field that holds commas or quotes stands in quotes
    SEMICOLON = "semicolon"  # the same, where the comma parts decimals


MARKS: Mapping[Separator, str] = MappingProxyType(
    {Separator.TAB: "\t", Separator.SPACE: " ", Separator.COMMA: ",", Separator.SEMICOLON: ";"}
)
QUOTING = (Separator.COMMA, Separator.SEMICOLON)


@lru_cache(maxsize=1 << 16)
def cut(line: str, separator: Separator) -> tuple[str, ...]:
    """The fields of `line`. Of white space only TAB and space part fields: other kinds belong to words.

    Spaces at the edges of a field are dropped.
    """
    if separator is Separator.SPACE:
        return tuple(part for part in line.replace("\t", " ").split(" ") if part)
    mark = MARKS[separator]
    parts = _unquoted(line, mark) if '"' in line and separator in QUOTING else line.split(mark)
    return tuple(part.strip(" ") for part in parts)


def _unquoted(line: str, mark: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=mark, skipinitialspace=True))
    except csv.Error:  # a line break inside, or a field beyond the limit of the module
        return line.split(mark)


def open_quote(line: str, separator: Separator) -> bool:
    """Does a quote open in `line` that none closes? Then it swallowed what stands behind it."""
    if separator not in QUOTING or '"' not in line:
        return False
    try:
        list(csv.reader([line], delimiter=MARKS[separator], skipinitialspace=True, strict=True))
    except csv.Error:
        return True
    return False
