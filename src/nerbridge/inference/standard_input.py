"""Standard input as a text file that is read once, line by line, and never kept."""

import gzip
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from nerbridge.data.lines import GZIP_MAGIC, TextFile

STANDARD_INPUT = "-"  # as it is written in place of a file name


class StandardInput(TextFile):
    """The lines of standard input, plain or gzip; unlike another TextFile it can be read only once."""

    comes_once = True

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__("<stdin>", encoding)

    def _check_path(self) -> None:
        self.path = Path("<stdin>")  # a name for messages

    @contextmanager
    def _open(self) -> Iterator[IO[bytes]]:
        stream = cast(io.BufferedReader, sys.stdin.buffer)
        if stream.peek(2)[:2] != GZIP_MAGIC:
            yield stream
            return
        with gzip.open(stream) as unpacked:
            yield cast(IO[bytes], unpacked)
