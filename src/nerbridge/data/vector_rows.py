"""Rows of word vectors, as every form of file gives them."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nerbridge.errors import DataError

MOST_WIDTH = 10_000  # numbers per word, as in encoder.word_width
HINT = "fetch the vectors again; the packaged ones are encoder.vectors = 'glove'"

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
        hint=HINT,
    )


def check_width(path: Path, width: int, where: str) -> None:
    """Raises DataError for more numbers per word than any vectors have; `where` in the file at `path` it shows."""
    if width > MOST_WIDTH:
        raise DataError(
            f"{path.name}: {width:,} numbers per word",
            where=where,
            expected=f"at most {MOST_WIDTH:,} numbers per word",
            hint=HINT,
        )


def odd_number(word: str, number: int, value: float, where: str, more: str = "") -> DataError:
    """The fault of a word whose number at place `number`, counted from 1, is none of 32 bits. more: said behind it."""
    kind = "nan" if math.isnan(value) else "infinite" if math.isinf(value) else f"{value:g}, too large for 32 bits"
    return DataError(
        f"number {number} of word '{word[:40]}' is {kind}{more}",
        where=where,
        expected=f"finite numbers of at most {np.finfo(np.float32).max:.1e} in size",
        hint="fetch the vectors again, or leave the word out",
    )
