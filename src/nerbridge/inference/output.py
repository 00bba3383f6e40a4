"""Where results go: standard output, or a file that is either complete or not there."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from nerbridge.data.writing import atomic_writer
from nerbridge.errors import DataError


@contextmanager
def open_output(path: Path | None) -> Iterator[TextIO]:
    """A stream for text (UTF-8): standard output for None, else `path`, which is replaced when all went well.

    Raises DataError when `path` is a folder or cannot be written.
    """
    if path is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # JSON and HTML are UTF-8 in every locale
        yield sys.stdout
        sys.stdout.flush()
        return
    if path.is_dir():
        raise _unwritable(path, "it is a folder")
    if path.exists() and not path.is_file():  # a pipe or a device takes what it gets
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    try:
        with atomic_writer(path) as stream:
            yield stream
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from error


def _unwritable(path: Path, reason: str) -> DataError:
    return DataError(
        f"'{path}' cannot be written: {reason}",
        where="--output",
        expected="a file in a folder that can be written",
        hint="name another file, or leave `--output` out to print the results",
    )
