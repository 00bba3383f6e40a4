"""The files of a built corpus: one sentence a line, words parted by one space, an empty line behind every document.

`sentences-00000.txt.gz`, `sentences-00001.txt.gz`, ...: UTF-8, lines end at LF only. Equal text gives equal bytes.
"""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nerbridge.errors import DataError

Words = list[str]
SHARD_PATTERN = "sentences-*.txt.gz"  # of the names of shards


@dataclass(frozen=True, slots=True)
class Shard:
    """One file of a built corpus: its name in the folder, what it holds, its size in bytes and its SHA-256."""

    name: str
    documents: int
    sentences: int
    words: int
    bytes: int
    sha256: str


def shard_name(number: int) -> str:
    """The name of the shard `number`, from 0."""
    return f"sentences-{number:05d}.txt.gz"


def read_shard(path: Path) -> Iterator[list[Words]]:
    """The documents of one shard, in order: sentences, each a list of words; one document is held at a time.

    Raises DataError when the file is missing or damaged.
    """
    document: list[Words] = []
    for line in shard_lines(path):
        if line:
            document.append(line.split(" "))
        elif document:
            yield document
            document = []
    if document:
        yield document


def shard_lines(path: Path) -> Iterator[str]:
    """The sentences of one shard, "" behind every document. Raises DataError when the file is missing or damaged."""
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
            for line in stream:
                yield line.rstrip("\n")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DataError(
            f"'{path.name}' cannot be read: {error}",
            where=str(path),
            expected="a whole file of a built corpus",
            hint="build the corpus again, or copy its folder again",
        ) from error
