"""Which labels are taken for which: gold label x predicted label, with a place for "no span at all"."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nerbridge.evaluation.matching import match
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.readings import Reading

NONE = ""  # no label is empty, so this can never be mistaken for one; shown to people as "none"


@dataclass(frozen=True, slots=True)
class Confusion:
    """counts[row][column]: gold spans of label `row` answered by label `column`, matched as `matching` says.

    labels: sorted; the last row holds spurious spans, the last column missed ones, both under `NONE`. The diagonal
    holds right labels, with right boundaries or overlapping ones.
    """

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def count(self, gold: str, predicted: str) -> int:
        """How often `gold` was answered by `predicted`; either may be `NONE`. Raises ValueError for other labels."""
        order = (*self.labels, NONE)
        return self.counts[order.index(gold)][order.index(predicted)]

    def to_json(self) -> dict[str, Any]:
        """The labels, with null for "none", and the rows of counts."""
        return {"labels": [*self.labels, None], "counts": [list(row) for row in self.counts]}


def confuse(predictions: Sequence[Prediction], *, reading: Reading = "conlleval") -> Confusion:
    """The confusion of labels over all sentences."""
    pairs: Counter[tuple[str, str]] = Counter()
    for prediction in predictions:
        for one in match(prediction.read_gold(reading), prediction.read_predicted(reading)):
            pairs[one.gold.label if one.gold else NONE, one.predicted.label if one.predicted else NONE] += 1
    labels = tuple(sorted({label for pair in pairs for label in pair} - {NONE}))
    order = (*labels, NONE)
    return Confusion(labels, tuple(tuple(pairs[gold, predicted] for predicted in order) for gold in order))
