"""Files of JSON objects, one a line, that benches add to: cells.jsonl and encoders.jsonl.

A line ends at '\\n' alone: text inside of one may hold U+2028 and other characters that end lines elsewhere.
"""

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nerbridge.errors import DataError


def read_lines(path: Path) -> list[dict[str, Any] | None]:
    """The objects of all lines that are not empty, None for one that is damaged; no file has no lines.

    Raises DataError where the file cannot be read.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DataError(
            f"lines of JSON cannot be read: {error.strerror}",
            where=str(path),
            expected="a file that a bench wrote",
            hint=f"`ls -ld {path}` shows what is there, and who may read it",
        ) from error
    return [_object(text) for text in content.split(b"\n") if text.strip()]


def append_lines(path: Path, lines: Sequence[dict[str, Any]]) -> None:
    """Adds lines; one that was left half written is ended first. What is there already is not written again."""
    with path.open("ab+") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 1, 0))
        torn = file.read(1) not in (b"", b"\n")
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        file.write(f"\n{text}".encode() if torn else text.encode())


def damage(path: Path, number: int) -> Iterable[str]:
    """What is said of a file in which so many lines are passed over."""
    if number:
        yield f"{path}: damaged lines, passed over: {number}"


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
