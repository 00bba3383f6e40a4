"""Physical lines of a text file, plain or gzip, with every fault of the bytes named and none hiding another.

Lines end at LF only: U+2028, U+0085, vertical tab and form feed are characters like others. Line numbers start at 1.
"""

import codecs
import difflib
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from nerbridge.errors import DataError

GZIP_MAGIC = b"\x1f\x8b"
# First bytes of files that must be unpacked before they are read -> what they are, and what unpacks them.
PACKED = {
    b"BZh": ("bzip2", "bunzip2 -k"),
    b"\xfd7zXZ\x00": ("xz", "unxz -k"),
    b"\x28\xb5\x2f\xfd": ("zstd", "unzstd"),
    b"PK\x03\x04": ("a zip archive, as spreadsheets and documents are, too", "unzip"),
}
FIRST_BYTES = 10
# Files in these encodings say so with their first bytes, and cannot be split at the byte 0x0A.
WIDE_MARKS = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32"} | {
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
WIDE = ("utf-16", "utf-32")
AT_ONCE = 32 * 2**20  # bytes of a file that is decoded as a whole


class TextFile:
    """A text file that can be read several times, even where the path is a pipe.

    path: another TextFile passes on what it has taken from a pipe. has_option: can the user name another encoding?
    Raises DataError when `path` is missing, a folder, not readable, or `encoding` is unknown.
    """

    comes_once = False  # line by line, as it is written

    def __init__(self, path: "str | Path | TextFile", encoding: str = "utf-8", *, has_option: bool = True) -> None:
        self._has_option = has_option
        self.path: Path = path.path if isinstance(path, TextFile) else Path(path)
        self.encoding = encoding
        self._kept: bytes | None = path._kept if isinstance(path, TextFile) else None
        self._codec = codec_of(encoding, str(self.path))
        try:
            self._check_path()
        except OSError as error:
            raise DataError(
                f"'{self.path}' cannot be looked at: {error.strerror}",
                where=str(self.path),
                expected="a readable file",
                hint="check the spelling, and the permissions of its folders",
            ) from error

    def _check_path(self) -> None:
        where = str(self.path)
        if self.path.is_dir():
            raise DataError(
                f"'{self.path}' is a folder", where=where, expected="a file", hint="name one of the files in it"
            )
        if not self.path.exists():
            near = difflib.get_close_matches(self.path.name, _names_beside(self.path), n=1, cutoff=0.75)
            hint = f"nearest is '{self.path.parent / near[0]}'" if near else "check the spelling and the current folder"
            raise DataError(f"'{self.path}' does not exist", where=where, expected="a file", hint=hint)

    def lines(self, faults: list[DataError]) -> Iterator[tuple[int, str]]:
        """(line number, text without LF) of every sound line; what is wrong with the others is added to `faults`."""
        try:
            with self._open() as stream:
                if fault := self._otherwise_packed(stream):
                    faults.append(fault)
                    return
                whole = self._whole(stream)
                yield from self._decoded(stream, faults) if whole is None else enumerate(whole, start=1)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            faults.append(
                DataError(
                    f"the gzip file is damaged: {error}",
                    where=str(self.path),
                    expected="a whole gzip file",
                    hint="fetch or compress the file again; `gzip -t` checks it",
                )
            )
        except UnicodeError as error:  # wide encodings only: others are decoded line by line
            reason = error.reason if isinstance(error, UnicodeDecodeError) else str(error)
            faults.append(
                DataError(
                    f"the bytes at offset {getattr(error, 'start', 0)} are not {self.encoding}: {reason}",
                    where=str(self.path),
                    expected=f"text encoded in {self.encoding}",
                    hint="leave out `--encoding` if the file is UTF-8",
                )
            )
        except OSError as error:
            faults.append(
                DataError(
                    f"the file cannot be read: {error.strerror}",
                    where=str(self.path),
                    expected="a readable file",
                    hint="check its permissions and the disk that it lies on",
                )
            )

    @contextmanager
    def _open(self) -> Iterator[IO[bytes]]:
        if not self.path.is_file() and self._kept is None:
            self._kept = self.path.read_bytes()
        with self.path.open("rb") if self._kept is None else io.BytesIO(self._kept) as raw:
            packed = self.path.suffix == ".gz" or raw.read(2) == GZIP_MAGIC
            raw.seek(0)
            if not packed:
                yield raw
                return
            with gzip.open(raw) as unpacked:
                yield cast(IO[bytes], unpacked)

    def _otherwise_packed(self, stream: IO[bytes]) -> DataError | None:
        """The fault of a file that is packed, but not as gzip."""
        head = cast(io.BufferedReader, stream).peek(FIRST_BYTES)[:FIRST_BYTES] if self.comes_once else _head(stream)
        found = next((PACKED[mark] for mark in PACKED if head.startswith(mark)), None)
        if found is None or (head.startswith(b"BZh") and head[4:] != b"1AY&SY"):
            return None
        return DataError(
            f"the file is packed: it is {found[0]}",
            where=str(self.path),
            expected="text, plain or gzip",
            hint=f"unpack it: {found[1]} {self.path}",
        )

    def _whole(self, stream: IO[bytes]) -> list[str] | None:
        """All lines at once, several times as fast as one by one; None where the file is long, packed or at fault."""
        if self.comes_once or isinstance(stream, gzip.GzipFile) or self._codec.startswith(WIDE):
            return None
        data = stream.read(AT_ONCE + 1)
        stream.seek(0)
        if len(data) > AT_ONCE or b"\0" in data:
            return None
        try:
            lines = data.decode(self._codec).split("\n")
        except UnicodeError:  # said line by line
            return None
        if not lines[-1]:
            lines.pop()
        return [line.removeprefix("\ufeff") for line in lines[:1]] + lines[1:]

    def _decoded(self, stream: IO[bytes], faults: list[DataError]) -> Iterator[tuple[int, str]]:
        offset = 0
        for number, raw in enumerate(self._raw_lines(stream), start=1):
            try:
                text = raw if isinstance(raw, str) else raw.decode(self._codec)
            except UnicodeError as error:
                faults.append(self._undecodable(raw, number, offset + getattr(error, "start", 0)))
                offset += len(raw)
                continue
            offset += len(raw)
            if number == 1:
                text = text.removeprefix("\ufeff")
            if "\0" in text:
                faults.append(self._holds_nul(number, text.index("\0")))
            else:
                yield number, text[:-1] if text.endswith("\n") else text

    def _raw_lines(self, stream: IO[bytes]) -> Iterator[bytes | str]:
        if self._codec.startswith(WIDE):
            wrapper = io.TextIOWrapper(stream, self._codec, newline="\n")
            try:
                yield from wrapper
            finally:
                wrapper.detach()  # closing belongs to who opened the stream
        else:
            yield from stream

    def _undecodable(self, raw: bytes | str, number: int, offset: int) -> DataError:
        assert isinstance(raw, bytes)
        wide = next((name for mark, name in WIDE_MARKS.items() if number == 1 and raw.startswith(mark)), None)
        guess = wide or ("latin-1" if self._codec == "utf-8" else "utf-8")
        return DataError(
            f"the bytes at offset {offset} are not {self.encoding}",
            where=f"{self.path}:{number}",
            expected=f"text encoded in {self.encoding}",
            hint=f"if the file is {guess}, read it with `--encoding {guess}` or convert it with iconv"
            if self._has_option
            else f"if the file is {guess}, convert it: iconv -f {guess} -t utf-8",
        )

    def _holds_nul(self, number: int, column: int) -> DataError:
        return DataError(
            f"character {column + 1} of the line is NUL",
            where=f"{self.path}:{number}",
            expected="text without NUL characters",
            hint="the file is binary, damaged, or UTF-16; the last "
            + ("reads with `--encoding utf-16`" if self._has_option else "is converted by iconv -f utf-16 -t utf-8"),
        )


def _head(stream: IO[bytes]) -> bytes:
    """The first bytes, which are read again."""
    head = stream.read(FIRST_BYTES)
    stream.seek(0)
    return head


def codec_of(encoding: str, where: str) -> str:
    """The codec's own name. Raises DataError unless `encoding` names an encoding of text."""
    try:
        "".encode(encoding)
        codecs.getincrementaldecoder(encoding)("replace").decode(b"\x80", final=True)  # names of hosts are no text
        return codecs.lookup(encoding).name
    except (LookupError, ValueError):  # a UnicodeError is a ValueError, and so is a name with NUL in it
        raise DataError(
            f"'{encoding}' is not an encoding of text",
            where=where,
            expected="a name such as utf-8, latin-1, cp1252 or utf-16",
            hint="leave `--encoding` out if the file is UTF-8",
        ) from None


def _names_beside(path: Path) -> list[str]:
    return [other.name for other in path.parent.iterdir()] if path.parent.is_dir() else []
