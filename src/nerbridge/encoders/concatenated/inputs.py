"""What several encoders read of the same sentences."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import cast

import torch

from nerbridge.batching.batch import EncoderInputs, Vectorized, Vectorizer
from nerbridge.data.sentence import Sentence
from nerbridge.encoders.report import Reporting, VectorizerReport


@dataclass(frozen=True, slots=True)
class ConcatenatedItem:
    """One sentence as the numbers of each part."""

    parts: tuple[Vectorized, ...]

    @property
    def num_pieces(self) -> int:
        """Cost of the part that has most to read."""
        return max(part.num_pieces for part in self.parts)


@dataclass(frozen=True)
class ConcatenatedInputs:
    """One padded batch for each part."""

    parts: tuple[EncoderInputs, ...]

    def to(self, device: torch.device) -> "ConcatenatedInputs":
        """The same inputs on `device`."""
        return ConcatenatedInputs(tuple(part.to(device) for part in self.parts))


class ConcatenatedVectorizer:
    """The vectorizers of all parts."""

    def __init__(self, parts: Sequence[Vectorizer]) -> None:
        self.parts = tuple(parts)

    def vectorize(self, sentences: list[Sentence]) -> list[Vectorized]:
        """One item per sentence, in order."""
        columns = [part.vectorize(sentences) for part in self.parts]
        return cast(list[Vectorized], [ConcatenatedItem(row) for row in zip(*columns, strict=True)])

    def collate(self, items: list[Vectorized]) -> ConcatenatedInputs:
        """The items as one padded batch for each part."""
        rows = cast(list[ConcatenatedItem], items)
        columns = zip(self.parts, zip(*(item.parts for item in rows), strict=True), strict=True)
        return ConcatenatedInputs(tuple(part.collate(list(column)) for part, column in columns))

    def report(self) -> VectorizerReport:
        """Counts of all sentences vectorized so far; of every fault, those of the part that has most."""
        found = VectorizerReport()
        for part in self.parts:
            for name, count in asdict(part.report() if isinstance(part, Reporting) else found).items():
                counts = [one for one in (getattr(found, name), count) if one is not None]
                setattr(found, name, max(counts, default=None))
        return found
