"""Files of bytes, plain or compressed, by what their first bytes say."""

import bz2
import gzip
import importlib
import io
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedIOBase, BufferedReader
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, cast

from nerbridge.errors import DataError, MissingExtraError

SUFFIXES = (".gz", ".bz2", ".xz", ".zst")
_MARKS = {b"\x1f\x8b\x08": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}
_BLOCK_MARKS = (b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90")  # behind the first four bytes of bzip2
BUFFER = 1 << 20
_Decompressor = bz2.BZ2Decompressor | lzma.LZMADecompressor


class DamagedFileError(Exception):
    """A compressed file that ends too early or holds other bytes than it should; for this room alone."""


@contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """The decompressed bytes of `path`, several streams in one file read as one.

    Inside, what is wrong with the compressed bytes is raised as DamagedFileError. Raises MissingExtraError for .zst
    when its library is not installed, OSError when the file cannot be opened.
    """
    with path.open("rb", buffering=BUFFER) as raw:
        start = raw.read(16)
        raw.seek(0)
        kind = compression_of(start)
        if kind is None and path.suffix in SUFFIXES and start:
            raise DamagedFileError(f"it does not begin as a {path.suffix} file does")
        damage: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error, lzma.LZMAError)
        if kind == ".zst":
            damage = (*damage, zstandard().ZstdError)
        try:
            yield cast(BinaryIO, _unpacked(cast(BufferedReader, raw), kind))
        except damage as error:
            if kind is None or getattr(error, "errno", None):  # the disk, not the file
                raise
            raise DamagedFileError(str(error) or type(error).__name__) from error


def compression_of(start: bytes) -> str | None:
    """The suffix of the compression whose mark stands at the `start` of a file, None for plain files."""
    kind = next((suffix for mark, suffix in _MARKS.items() if start.startswith(mark)), None)
    if kind == ".bz2" and start[4:10] not in _BLOCK_MARKS:
        return None  # a text that begins with these letters
    return kind


def damage_fault(path: Path, error: Exception) -> DataError:
    """The fault of a file that could be read in part only."""
    return DataError(
        f"'{path.name}' is damaged: {str(error).rstrip('.')}; what stands before is used",
        where=str(path),
        expected="a whole file",
        hint="fetch or compress the file again",
    )


def _unpacked(raw: BufferedReader, kind: str | None) -> BufferedIOBase:
    match kind:
        case ".gz":
            return gzip.GzipFile(fileobj=raw, mode="rb")
        case ".bz2":
            return io.BufferedReader(_Streams(raw, bz2.BZ2Decompressor), BUFFER)
        case ".xz":
            return io.BufferedReader(_Streams(raw, lzma.LZMADecompressor), BUFFER)
        case ".zst":
            return cast(BufferedIOBase, zstandard().ZstdFile(raw))
        case _:
            return raw


class _Streams(io.RawIOBase):
    """One compressed stream after another, zeros between them aside.

    The files of `bz2` and `lzma` take a later stream that cannot be read for the end; here it is an error like others.
    """

    def __init__(self, raw: BufferedReader, begin: Callable[[], _Decompressor]) -> None:
        self._raw = raw
        self._begin = begin
        self._stream: _Decompressor | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _read(self, size: int) -> bytes:
        """At most `size` bytes; none at the end of the last stream. Raises what the decompressor raises, EOFError."""
        data = b""
        while not data:
            if self._stream is None or self._stream.eof:
                compressed = self._next_begin()
                if not compressed:
                    return b""
                self._stream = self._begin()
            else:
                compressed = self._raw.read(BUFFER) if self._stream.needs_input else b""
                if self._stream.needs_input and not compressed:
                    raise EOFError("Compressed file ended before the end-of-stream marker was reached")
            data = self._stream.decompress(compressed, size)
        return data

    def _next_begin(self) -> bytes:
        """The first bytes of the next stream, none behind the last one."""
        data = self._stream.unused_data.lstrip(b"\0") if self._stream else b""
        while not data and (block := self._raw.read(BUFFER)):
            data = block.lstrip(b"\0")
        return data


def zstandard() -> ModuleType:
    """The standard library's zstd, or the package that brings it to older Pythons."""
    try:
        return importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    except ModuleNotFoundError:
        raise MissingExtraError("backports.zstd (for .zst files)", "corpus") from None
