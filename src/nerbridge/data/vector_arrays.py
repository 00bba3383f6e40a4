"""Word vectors as an array (.npy) beside an index of their words (.parquet)."""

import zipfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import MAGIC_PREFIX
from numpy.typing import NDArray

from nerbridge.data.packaged_vectors import array_pair
from nerbridge.data.vector_rows import Rows, WordVectors, check_width, odd_number, unusable
from nerbridge.errors import DataError, MissingExtraError
from nerbridge.wording import counted

STARTS = (MAGIC_PREFIX, b"PK\x03\x04", b"PK\x05\x06")  # of an array, and of an archive of some


def read_arrays(folder: Path, frequent: int, wanted: Collection[str]) -> WordVectors:
    """What `read_vectors` returns, of a folder with an array (word, width) and an index of its words.

    Raises ConfigError unless there is one of each, DataError when they cannot be read or do not belong together,
    MissingExtraError when pyarrow is not installed.
    """
    array, index = array_pair(folder)
    words = _indexed_words(index)
    table = _table(array, len(words))
    positions, num_repeated = _chosen(words, frequent, wanted)
    if not positions:
        raise unusable(index, "the index has no word that is looked for")
    chosen = tuple(words[position] for position in positions)
    with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite, and that is refused
        rows = np.array(table[list(positions)], np.float32)
    if not np.isfinite(rows).all():
        raise _odd_row(array, table, chosen, positions, rows)
    return WordVectors(chosen, rows, sum(position < frequent for position in positions), num_repeated)


def _odd_row(array: Path, table: NDArray[Any], words: Sequence[str], positions: Sequence[int], rows: Rows) -> DataError:
    """The fault of the first of `rows` with a number that is none of 32 bits."""
    odd = ~np.isfinite(rows)
    faulty = np.flatnonzero(odd.any(axis=1))
    row, column = int(faulty[0]), int(odd[faulty[0]].argmax())
    more = "" if len(faulty) == 1 else f"; {counted(len(faulty), 'such row')}"
    place = f"{array}, row {positions[row] + 1:,}"
    return odd_number(words[row], column + 1, float(table[positions[row], column]), place, more)


def _table(array: Path, num_words: int) -> NDArray[Any]:
    try:
        with array.open("rb") as stream:
            start = stream.read(len(MAGIC_PREFIX))
        if start and not start.startswith(STARTS):  # numpy would advise to unpickle it
            raise unusable(array, "it is no file of an array, as numpy writes it")
        table = np.load(array, mmap_mode="r", allow_pickle=False)
    except (OSError, EOFError, ValueError, zipfile.BadZipFile) as error:
        raise unusable(array, f"the array cannot be read: {error}") from error
    if not isinstance(table, np.ndarray):
        raise unusable(array, "an archive of arrays")
    if table.dtype.kind not in "fiu":
        raise unusable(array, f"an array of {table.dtype} instead of numbers")
    if table.ndim != 2 or len(table) != num_words or not table.shape[1]:
        raise unusable(array, f"an array of shape {table.shape} for {num_words:,} words")
    check_width(array, table.shape[1], str(array))
    return table


def _chosen(words: Sequence[str], frequent: int, wanted: Collection[str]) -> tuple[list[int], int]:
    """The positions of the words that are kept, each where it stands first, and how often one stands there again."""
    seen: set[str] = set()
    positions, num_repeated = [], 0
    for position, word in enumerate(words):
        if word in seen and (position < frequent or word in wanted):
            num_repeated += 1
        elif position < frequent or word in wanted:
            seen.add(word)
            positions.append(position)
    return positions, num_repeated


def _indexed_words(index: Path) -> list[str]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise MissingExtraError("pyarrow (for the index of word vectors)", "vectors") from None
    try:
        table = parquet.read_table(index)
    except (pyarrow.ArrowException, OSError) as error:
        raise unusable(index, f"the index cannot be read: {error}") from error
    types = pyarrow.types
    columns = [column for column in table.columns if types.is_string(column.type) or types.is_large_string(column.type)]
    if len(columns) != 1:
        raise unusable(index, f"the index has {len(columns)} columns of text")
    if missing := columns[0].null_count:
        raise unusable(index, f"{counted(missing, 'word')} of the index {'is' if missing == 1 else 'are'} missing")
    words: list[str] = columns[0].to_pylist()
    return words
