"""Text files that are packed otherwise than as gzip: said as what they are, never read as text."""

import bz2
import gzip
import io
import lzma
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from nerbridge.data.lines import TextFile
from nerbridge.errors import DataError
from nerbridge.inference.standard_input import StandardInput

TEXT = b"Ada wrote\n" * 100


def zipped(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("text.txt", data)
    return file.getvalue()


KINDS: list[tuple[Callable[[bytes], bytes], str, str]] = [
    (bz2.compress, "bzip2", "bunzip2 -k"),
    (lzma.compress, "xz", "unxz -k"),
    (zipped, "a zip archive, as spreadsheets and documents are, too", "unzip"),
    (lambda data: b"\x28\xb5\x2f\xfd" + data, "zstd", "unzstd"),
]


@pytest.mark.parametrize(("pack", "what", "tool"), KINDS, ids=[kind[1].split(",")[0] for kind in KINDS])
def test_what_the_file_is_and_what_unpacks_it_are_said(
    pack: Callable[[bytes], bytes], what: str, tool: str, tmp_path: Path
) -> None:
    path = tmp_path / "text"
    path.write_bytes(pack(TEXT))
    faults: list[DataError] = []
    assert list(TextFile(path).lines(faults)) == []
    assert [str(fault) for fault in faults] == [
        f"the file is packed: it is {what}\n  where: {path}\n  expected: text, plain or gzip\n"
        f"  hint: unpack it: {tool} {path}"
    ]


@pytest.mark.parametrize("packed", [False, True])
def test_text_that_begins_like_a_packed_file_is_read(packed: bool, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(gzip.compress(b"BZh is short\n") if packed else b"BZh is short\n")
    faults: list[DataError] = []
    assert list(TextFile(path).lines(faults)) == [(1, "BZh is short")]
    assert faults == []


def test_standard_input_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for data, lines in ((bz2.compress(TEXT), 0), (TEXT, 100), (gzip.compress(TEXT), 100)):
        raw = io.BufferedReader(io.BytesIO(data))  # type: ignore[arg-type]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))
        faults: list[DataError] = []
        assert len(list(StandardInput().lines(faults))) == lines
        assert len(faults) == (lines == 0)
