"""Lines of lists of names, plain or compressed, of whatever size: no line is held that is too long for a name."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from nerbridge.corpus.compression import SUFFIXES, DamagedFileError, open_bytes
from nerbridge.errors import DataError

LONGEST_LINE = 1 << 16  # bytes
UNREADABLE = "not UTF-8"
TOO_LONG = f"a line of more than {LONGEST_LINE:,} bytes"

Skip = Callable[[str, str, str], None]  # reason, the line's beginning, file:line


def inner_suffix(path: Path) -> str:
    """The suffix of what is packed, in small letters: '.txt' for names.TXT.gz and for names.txt."""
    return _unpacked(path).suffix.lower()


def stem(path: Path) -> str:
    """The file name without the suffixes of packing and kind: 'person' for person.txt.gz."""
    return _unpacked(path).stem


def _unpacked(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in SUFFIXES else path


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The unpacked bytes of `path`. Raises DataError when they cannot be read to their end."""
    try:
        with open_bytes(path) as stream:
            yield stream
    except DamagedFileError as fault:
        raise DataError(
            f"the packed file is damaged: {fault}",
            where=str(path),
            expected="a whole file, packed as its suffix says",
            hint="fetch or pack it again",
        ) from None
    except OSError as fault:
        raise DataError(
            f"'{path}' cannot be read: {fault.strerror}",
            where=str(path),
            expected="a readable file of names",
            hint="check the spelling, its permissions and the disk that it lies on",
        ) from None


def text_lines(path: Path, skip: Skip) -> Iterator[tuple[int, str]]:
    """(number from 1, text without its end) of every line; `skip` is told of those too long or not UTF-8."""
    with opened(path) as stream:
        number = 0
        while raw := stream.readline(LONGEST_LINE):
            number += 1
            if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
                skip(TOO_LONG, raw[:60].decode("utf-8", "replace"), f"{path.name}:{number}")
                _pass_line(stream)
                continue
            try:
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                skip(UNREADABLE, raw[:60].decode("utf-8", "backslashreplace"), f"{path.name}:{number}")
                continue
            yield number, text.rstrip("\r\n")


def _pass_line(stream: BinaryIO) -> None:
    while (raw := stream.readline(LONGEST_LINE)) and not raw.endswith(b"\n"):
        pass
