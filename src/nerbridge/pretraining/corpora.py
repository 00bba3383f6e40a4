"""The raw text of a pre-training: built corpora and plain text files, read as a stream in bounded memory."""

import codecs
import gzip
import hashlib
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TextIO, cast

from nerbridge.corpus.folder import CorpusFolder
from nerbridge.data.fingerprint import file_sha256
from nerbridge.data.stamps import Stamps
from nerbridge.errors import DataError

CHUNK = 2**20  # characters that are read at once; a longer paragraph comes in parts
Part = tuple[list[str], bool]  # words, and whether a document ends behind them


@dataclass(frozen=True)
class Corpus:
    """Raw text of one domain. path: a built corpus (a folder), or a text file with one paragraph per line."""

    path: Path
    domain: str

    @cached_property
    def _stamps(self) -> Stamps:
        return Stamps([self.path])

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the text's files, which are read once.

        Raises DataError for a damaged built corpus, OSError for an unreadable file.
        """
        self._stamps.check()  # taken here, or before
        if self.path.is_dir():
            parts = [shard.sha256 for shard in CorpusFolder(self.path).shards]
            return hashlib.sha256("\n".join(parts).encode()).hexdigest()
        return file_sha256(self.path)

    def parts(self) -> Iterator[Part]:
        """The words of all documents in order, in parts of bounded size.

        Raises DataError for a file that is damaged, or changes between its checksum and its end.
        """
        if self.path.is_dir():
            for document in CorpusFolder(self.path).documents():
                for sentence in document[:-1]:
                    yield sentence, False
                yield document[-1], True
            return
        with _readable(self.path), _open(self.path) as stream:
            yield from _paragraphs(stream)
        self._stamps.check()


def _open(path: Path) -> TextIO:
    if path.name.endswith(".gz"):
        return cast(TextIO, gzip.open(path, "rt", encoding="utf-8", newline="\n"))
    return path.open(encoding="utf-8", newline="\n")


def _paragraphs(stream: TextIO) -> Iterator[Part]:
    """Words of lines; a line without any is skipped. A line longer than CHUNK comes in parts, cut at white space."""
    rest, begun = stream.read(1).removeprefix("\ufeff"), False
    while chunk := stream.read(CHUNK):
        *lines, rest = (rest + chunk).split("\n")
        for line in lines:
            words = line.split()
            if words or begun:
                yield words, True
            begun = False
        if len(rest) > CHUNK:
            cut = _last_space(rest)
            yield rest[:cut].split(), False
            rest, begun = rest[cut:], True
    words = rest.split()
    if words or begun:
        yield words, True


def _last_space(text: str) -> int:
    """Where `text` can be cut: behind its last white space; at its end when it has none."""
    begin = max(len(text) - 1000, 0)
    found = re.search(r"\s\S*\Z", text[begin:])
    return len(text) if found is None else begin + found.start() + 1


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Makes what a damaged file raises our own error; what the system refuses passes through."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DataError(
            f"'{path.name}' cannot be read: {error}",
            where=f"{path}:{_undecodable_line(path)}" if isinstance(error, UnicodeDecodeError) else str(path),
            expected="text in UTF-8, compressed by gzip where the name ends in .gz",
            hint="get the file again; `nerbridge corpus build` reads other encodings",
        ) from error


def _undecodable_line(path: Path) -> int:
    """The number of the first line that is not UTF-8, from 1."""
    decoder, line = codecs.getincrementaldecoder("utf-8")(), 1
    with gzip.open(path) if path.name.endswith(".gz") else path.open("rb") as stream:
        while block := stream.read(CHUNK):
            try:
                decoder.decode(block)
            except UnicodeDecodeError as error:
                return line + error.object[: error.start].count(b"\n")
            line += block.count(b"\n")
    return line
