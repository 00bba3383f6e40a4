"""Rows of word vectors, as every form of file gives them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nerbridge.errors import DataError

Rows = NDArray[np.float32]


@dataclass(frozen=True)
class WordVectors:
    """Some words of a vector file, in its order, and a row for each.

    num_frequent: those of its head come first. num_repeated: rows of words that had one already, left out.
    """

    words: tuple[str, ...]
    rows: Rows
    num_frequent: int
    num_repeated: int = 0

    @property
    def width(self) -> int:
        """Numbers per word."""
        return int(self.rows.shape[1])


def unusable(path: Path, what: str, *, line: int | None = None) -> DataError:
    """The fault of a file at `path` that is no file of word vectors: why, in a few words; `line` where one shows it."""
    return DataError(
        f"{path.name}: {what}",
        where=str(path) if line is None else f"{path}:{line}",
        expected="GloVe or word2vec text, or an array (word, width) with an index of as many words",
        hint="fetch the vectors again; the packaged ones are encoder.vectors = 'glove'",
    )
