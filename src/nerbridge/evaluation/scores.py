"""Counts of spans and the scores that follow from them; `scoring` says how they are counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nerbridge.evaluation.readings import Reading


@dataclass(frozen=True, slots=True)
class Tally:
    """How many spans are gold, predicted, and correct (both).

    >>> Tally(gold=4, predicted=2, correct=1).precision
    0.5
    """

    gold: int
    predicted: int
    correct: int

    @property
    def precision(self) -> float:
        return self.correct / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        total = self.gold + self.predicted
        return 2 * self.correct / total if total else 0.0

    def to_json(self) -> dict[str, float | int]:
        """Scores as fractions, then counts."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "gold": self.gold,
            "predicted": self.predicted,
            "correct": self.correct,
        }


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of one list of sentences under one reading; `f1` is the headline (exact, micro).

    malformed_gold, malformed_predicted: illegal tag neighbours, 0 where no tags were known.
    """

    reading: Reading
    num_sentences: int
    exact: Tally
    per_label: Mapping[str, Tally]
    boundary: Tally
    type_only: Tally
    malformed_gold: int = 0
    malformed_predicted: int = 0

    @property
    def precision(self) -> float:
        return self.exact.precision

    @property
    def recall(self) -> float:
        return self.exact.recall

    @property
    def f1(self) -> float:
        return self.exact.f1

    @property
    def macro_precision(self) -> float:
        return _mean([tally.precision for tally in self.per_label.values()])

    @property
    def macro_recall(self) -> float:
        return _mean([tally.recall for tally in self.per_label.values()])

    @property
    def macro_f1(self) -> float:
        return _mean([tally.f1 for tally in self.per_label.values()])

    def to_json(self) -> dict[str, Any]:
        """Everything, as fractions and counts, ready for `json.dumps`."""
        return {
            "reading": self.reading,
            "f1": self.f1,
            "precision": self.precision,
            "recall": self.recall,
            "sentences": self.num_sentences,
            "micro": self.exact.to_json(),
            "macro": {"precision": self.macro_precision, "recall": self.macro_recall, "f1": self.macro_f1},
            "boundary_only": self.boundary.to_json(),
            "type_only": self.type_only.to_json(),
            "per_label": {label: tally.to_json() for label, tally in self.per_label.items()},
            "malformed_gold": self.malformed_gold,
            "malformed_predicted": self.malformed_predicted,
        }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
