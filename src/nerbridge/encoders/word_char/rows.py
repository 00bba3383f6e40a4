"""First rows of words: from a vector file where it knows them, random where not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from nerbridge.config.encoder import WordCharSettings
from nerbridge.data.word_vectors import WordVectors, read_vectors
from nerbridge.wording import counted


@dataclass(frozen=True)
class Coverage:
    """Distinct words of a stage: in the vector file as they are, lower-cased, or not at all.

    repeated: rows of the file that were left out, for their words had one before.
    """

    exact: int
    lowered: int
    missing: int
    repeated: int = 0

    def describe(self, source: str | None) -> str:
        """A line for people. source: of the vectors; None when there are none."""
        total = self.exact + self.lowered + self.missing
        words = counted(total, "distinct word")
        if source is None:
            return f"{words} of the stage, no vector file: all vectors start random"
        share = 100 / max(total, 1)
        again = f"; {counted(self.repeated, 'row')} of words that stand there before left out" if self.repeated else ""
        return (
            f"{words} of the stage; vectors '{source}' know {self.exact:,} ({share * self.exact:.1f} %) as they are, "
            f"{self.lowered:,} ({share * self.lowered:.1f} %) lower-cased, and lack {self.missing:,} "
            f"({share * self.missing:.1f} %){again}"
        )


def file_rows(settings: WordCharSettings, words: Mapping[str, int]) -> WordVectors | None:
    """What the vector file says of `words` and of its most frequent words; None without a file.

    Raises ConfigError, DataError or MissingExtraError when the file cannot be read.
    """
    if settings.vectors is None:
        return None
    return read_vectors(
        settings.vectors, frequent=settings.frequent, wanted={*words, *(word.lower() for word in words)}
    )


def starting_rows(
    words: Sequence[str], known: WordVectors | None, width: int, random: torch.Generator
) -> tuple[Float[Tensor, "word width"], Coverage]:
    """A row for each word, and the coverage. Random rows are uniform in +-sqrt(3 / width), as in the papers' code."""
    limit = (3 / width) ** 0.5
    rows = torch.empty(len(words), width).uniform_(-limit, limit, generator=random)
    index = {word: number for number, word in enumerate(known.words)} if known else {}
    found = [(place, index[word]) for place, word in enumerate(words) if word in index]
    lowered = [
        (place, index[word.lower()]) for place, word in enumerate(words) if word not in index and word.lower() in index
    ]
    if known and (pairs := [*found, *lowered]):
        places, numbers = zip(*pairs, strict=True)
        rows[list(places)] = torch.from_numpy(known.rows)[list(numbers)]
    missing, repeated = len(words) - len(found) - len(lowered), known.num_repeated if known else 0
    return rows, Coverage(len(found), len(lowered), missing, repeated)
