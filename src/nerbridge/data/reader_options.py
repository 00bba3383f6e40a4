"""Options of the file readers as text, for command lines: 'offsets=utf16' -> {'offsets': OffsetUnit.UTF16}."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from nerbridge.data.jsonl_format import Borders, OffsetUnit, Overlaps
from nerbridge.data.reading import FileFormat
from nerbridge.data.schemes import Repair, Scheme
from nerbridge.data.separators import Separator
from nerbridge.errors import ConfigError


def _column(text: str) -> int | None:
    return None if text == "none" else int(text)


def _mark(text: str) -> str:
    if not text:
        raise ValueError("nothing parts letter and label")
    return text


OPTIONS: Mapping[str, Callable[[str], Any]] = {
    "format": FileFormat,
    "scheme": Scheme,
    "encoding": str,
    "separator": Separator,
    "word_column": int,
    "tag_column": _column,  # 'none' reads words only
    "sentence_column": int,
    "comment": str,
    "delimiter": _mark,
    "repair": Repair,
    "offsets": OffsetUnit,
    "borders": Borders,
    "overlaps": Overlaps,
    "start_shift": int,
    "end_shift": int,
}


def parse_reader_options(pairs: Sequence[str]) -> dict[str, Any]:
    """The options written as 'name=value', ready for `read_sentences`, `format` being one of them.

    Raises ConfigError for an unknown name and for a value that the option cannot have.
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = (part.strip() for part in pair.partition("="))
        if name not in OPTIONS or not sign:
            near = get_close_matches(name, OPTIONS, n=1)
            raise ConfigError(
                f"'{pair}' is no reader option",
                where="--read",
                expected=f"NAME=VALUE with one of the names {', '.join(OPTIONS)}",
                hint=f"nearest is '{near[0]}'" if near else "--read tag_column=1",
            )
        try:
            options[name] = OPTIONS[name](value)
        except ValueError:
            raise ConfigError(
                f"reader option '{name}' cannot be '{value}'",
                where="--read",
                expected=_expected(OPTIONS[name]),
                hint="correct it, or leave the option out",
            ) from None
    return options


def _expected(kind: Callable[[str], Any]) -> str:
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return f"one of {', '.join(kind)}"
    if kind is _mark:
        return "the characters between letter and label of a tag"
    return "a whole number; tag_column may be 'none'" if kind is _column else "a whole number"
