"""The raw text of a pre-training: built corpora and plain text files, read as a stream in bounded memory."""

import codecs
import gzip
import hashlib
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TextIO, cast

from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.labelled_text import looks_labelled, no_raw_text
from nerbridge.data.fingerprint import file_sha256
from nerbridge.data.stamps import Stamps
from nerbridge.errors import ConfigError, DataError, FileFaults

CHUNK = 2**20  # characters that are read at once; a longer paragraph comes in parts
SUFFIXES = (".txt", ".txt.gz")
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


def check_corpora(corpora: Sequence[Corpus]) -> None:
    """Raises ConfigError when there is no corpus, or one twice, FileFaults for all that are missing, of an unknown kind
    or labelled sentences."""
    if not corpora:
        raise ConfigError(
            "there is no text to pre-train on",
            where="the corpora that were given",
            expected="at least one built corpus or text file",
            hint="nerbridge pretrain ai=texts.txt.gz --output FOLDER",
        )
    faults = [fault for corpus in corpora if (fault := _fault(corpus.path)) is not None]
    if faults:
        raise FileFaults(faults)
    _refuse_twice([corpus.path for corpus in corpora])


def _refuse_twice(paths: Sequence[Path]) -> None:
    seen: dict[Path, Path] = {}
    for path in paths:
        if path.resolve() in seen:
            first = seen[path.resolve()]
            raise ConfigError(
                f"'{path}' is given twice" if path == first else f"'{path}' and '{first}' are the same text",
                where="the corpora that were given",
                expected="each text once: held-out text must not be learnt under another name",
                hint="leave one of them out; --epochs learns longer from the same text",
            )
        seen[path.resolve()] = path


def _fault(path: Path) -> DataError | None:
    if path.is_dir():
        return None
    if path.is_file() and path.name.endswith(SUFFIXES):
        hint = "`nerbridge train` and `adapt` learn from labelled sentences, `pretrain` from running text"
        return no_raw_text(path, hint=hint) if looks_labelled(path) else None
    there = "no text file by its name" if path.is_file() else "a pipe or a device, which cannot be read twice"
    return DataError(
        f"'{path}' is {there if path.exists() else 'not there'}",
        where=str(path),
        expected=f"a folder that `nerbridge corpus build` wrote, or a file {' or '.join(SUFFIXES)}",
        hint="`nerbridge corpus build` reads every other kind of text" if path.exists() else "check the path",
    )


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
