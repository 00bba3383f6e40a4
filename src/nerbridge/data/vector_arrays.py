"""Word vectors as an array (.npy) beside an index of their words (.parquet)."""

import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nerbridge.data.packaged_vectors import array_pair
from nerbridge.data.vector_rows import WordVectors, unusable
from nerbridge.errors import MissingExtraError
from nerbridge.wording import counted


def read_arrays(folder: Path, frequent: int, wanted: Collection[str]) -> WordVectors:
    """What `read_vectors` returns, of a folder with an array (word, width) and an index of its words.

    Raises ConfigError unless there is one of each, DataError when they cannot be read or do not belong together,
    MissingExtraError when pyarrow is not installed.
    """
    array, index = array_pair(folder)
    words = _indexed_words(index)
    table = _table(array, len(words))
    positions = _chosen(enumerate(words), frequent, wanted)
    if not positions:
        raise unusable(index, "the index has no word that is looked for")
    chosen = tuple(words[position] for position in positions)
    with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite, and that is refused
        rows = np.array(table[list(positions)], np.float32)
    if not np.isfinite(rows).all():
        raise unusable(array, "the array holds NaN, infinity or what 32 bits cannot hold")
    return WordVectors(chosen, rows, sum(position < frequent for position in positions))


def _table(array: Path, num_words: int) -> NDArray[Any]:
    try:
        table = np.load(array, mmap_mode="r", allow_pickle=False)
    except (OSError, EOFError, ValueError, zipfile.BadZipFile) as error:
        raise unusable(array, f"the array cannot be read: {error}") from error
    if not isinstance(table, np.ndarray):
        raise unusable(array, "an archive of arrays")
    if table.dtype.kind not in "fiu":
        raise unusable(array, f"an array of {table.dtype} instead of numbers")
    if table.ndim != 2 or len(table) != num_words or not table.shape[1]:
        raise unusable(array, f"an array of shape {table.shape} for {num_words:,} words")
    return table


def _chosen(words: Any, frequent: int, wanted: Collection[str]) -> list[int]:
    seen: set[str] = set()
    positions = []
    for position, word in words:
        if (position < frequent or word in wanted) and word not in seen:
            seen.add(word)
            positions.append(position)
    return positions


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
