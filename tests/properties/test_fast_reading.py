"""The fast ways of reading say the same as the slow ones, by which long files and odd ones are read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerbridge.data import column_layout, columns, lines, word_vectors
from nerbridge.data.columns import ColumnReader
from nerbridge.data.lines import TextFile
from nerbridge.errors import DataError, FileFaults

PIECES = [b"a", b"\n", b"\r\n", b"\0", b"\xef\xbb\xbf", b"\xe9", "é".encode(), b"\x85", b" ", b"\tO"]
NUMBERS = ["1", "-0.25", "3e-3", "1_0", "nan", "1e99", "", "0x1", "1.2.3", "+7", ".5", "1\t2", "x", "12-", "1e"]
SOUND = ["0.418", "-1.2e-05", "7", "+0.5", "1e-40", "16777217", ".25", "3."]
BYTES = st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join)
COLUMN_LINE = st.sampled_from(["a O", "b B-X", "b I-X", "c I-Y", "# c O", "# id 3", "", "-DOCSTART- O", "d", "e Z"])
VECTOR_LINE = st.tuples(st.sampled_from(["a", "b", "c d"]), st.lists(st.sampled_from(SOUND + NUMBERS), max_size=4))


@contextmanager
def written(data: bytes) -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "data.txt"
        path.write_bytes(data)
        yield path


def both(read: Callable[[], Any]) -> tuple[Any, Any]:
    """What the fast way says, and what the slow one says."""
    fast = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "AT_ONCE", -1)
        patch.setattr(columns, "KEPT_SENTENCES", 0)
        patch.setattr(column_layout, "KNOWN_LINES", 0)
        patch.setattr(word_vectors, "TOGETHER", 1)
        return fast, read()


def said(faults: list[DataError]) -> list[str]:
    return [str(fault) for fault in faults]


@given(BYTES, st.sampled_from(["utf-8", "latin-1", "ascii"]))
def test_lines(data: bytes, encoding: str) -> None:
    def read() -> tuple[list[tuple[int, str]], list[str]]:
        faults: list[DataError] = []
        return list(TextFile(path, encoding).lines(faults)), said(faults)

    with written(data) as path:
        fast, slow = both(read)
    assert fast == slow


@given(st.lists(COLUMN_LINE, max_size=12))
def test_column_files(rows: list[str]) -> None:
    def read() -> tuple[Any, ...]:
        sentences = []
        try:
            reader = ColumnReader(path)
            sentences.extend(reader)
        except FileFaults as error:
            return sentences, said(error.faults), asdict(reader.counts)
        except DataError as error:
            return sentences, str(error)
        return sentences, asdict(reader.counts)

    with written("\n".join(rows).encode()) as path:
        fast, slow = both(read)
    assert fast == slow


def vectors_of(path: Path) -> tuple[Any, ...]:
    try:
        found = word_vectors.read_vectors(str(path), frequent=100, wanted=())
    except FileFaults as error:
        return ("faults", said(error.faults))
    except DataError as error:
        return ("fault", str(error))
    return (found.words, found.rows.tolist(), found.num_repeated)


@given(st.lists(VECTOR_LINE, max_size=6))
def test_word_vectors(rows: list[tuple[str, list[str]]]) -> None:
    with written("".join(f"{' '.join([word, *numbers])}\n" for word, numbers in rows).encode()) as path:
        fast, slow = both(lambda: vectors_of(path))
    assert fast == slow


@given(st.lists(st.lists(st.sampled_from(SOUND), min_size=3, max_size=3), min_size=1, max_size=6))
def test_sound_numbers_are_those_of_python(rows: list[list[str]]) -> None:
    with written("".join(f"w{place} {' '.join(row)}\n" for place, row in enumerate(rows)).encode()) as path:
        found = word_vectors.read_vectors(str(path), frequent=100, wanted=())
    assert np.array_equal(found.rows, np.array([[float(text) for text in row] for row in rows], np.float32))
