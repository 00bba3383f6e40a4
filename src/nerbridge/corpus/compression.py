"""Files of bytes, plain or compressed, by what their first bytes say."""

import bz2
import gzip
import importlib
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase, BufferedReader
from pathlib import Path
from types import ModuleType
from typing import BinaryIO, cast

from nerbridge.errors import DataError, MissingExtraError

SUFFIXES = (".gz", ".bz2", ".xz", ".zst")
_MARKS = {b"\x1f\x8b\x08": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}
_BLOCK_MARKS = (b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90")  # behind the first four bytes of bzip2
BUFFER = 1 << 20


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
        f"'{path.name}' is damaged: {error}; what stands before is used",
        where=str(path),
        expected="a whole file",
        hint="fetch or compress the file again",
    )


def _unpacked(raw: BufferedReader, kind: str | None) -> BufferedIOBase:
    match kind:
        case ".gz":
            return gzip.GzipFile(fileobj=raw, mode="rb")
        case ".bz2":
            return bz2.BZ2File(raw)
        case ".xz":
            return lzma.LZMAFile(raw)
        case ".zst":
            return cast(BufferedIOBase, zstandard().ZstdFile(raw))
        case _:
            return raw


def zstandard() -> ModuleType:
    """The standard library's zstd, or the package that brings it to older Pythons."""
    try:
        return importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    except ModuleNotFoundError:
        raise MissingExtraError("backports.zstd (for .zst files)", "corpus") from None
