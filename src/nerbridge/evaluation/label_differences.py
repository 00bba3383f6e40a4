"""Where two systems differ, label by label: F1 of both, and how sure the difference is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.readings import Reading
from nerbridge.evaluation.support import Support, count_support
from nerbridge.evaluation.uncertainty import Counts, Floats, Interval, count_labels, f1_of, percentiles, resample

Pair = tuple[Sequence[Prediction], Sequence[Prediction]]
_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class LabelDifference:
    """One label. first, second: mean F1 over the pairs, as fractions; interval: of second - first, over sentences.

    interval is None where the label has too little support (see `Support`). No p-value: with many labels, some small
    ones are small by chance.
    """

    label: str
    support: Support
    first: float
    second: float
    interval: Interval | None

    @property
    def difference(self) -> float:
        return self.second - self.first

    def to_json(self) -> dict[str, Any]:
        """Fractions and counts; "interval" is null where the support is too small."""
        return {
            "gold": self.support.gold,
            "sentences": self.support.sentences,
            "first": self.first,
            "second": self.second,
            "difference": self.difference,
            "interval": None if self.interval is None else self.interval.to_json(),
        }


def compare_labels(pairs: Sequence[Pair], *, reading: Reading = "conlleval", seed: int = 0) -> list[LabelDifference]:
    """The difference of every label that occurs in a pair, by name.

    pairs: (first, second) predictions of the same sentences, one pair per seed. The interval is the percentile
    bootstrap over sentences of the mean difference; both systems and all pairs share their draws.
    """
    supports = [count_support(side, reading=reading) for pair in pairs for side in pair]
    support = {label: found for one in supports for label, found in one.items()}
    labels = sorted(support)
    counted = [tuple(count_labels(side, labels, reading=reading) for side in pair) for pair in pairs]
    first, second = (np.mean([_f1(pair[side].sum(axis=0)) for pair in counted], axis=0) for side in (0, 1))
    bounds = _bound([(pair[0], pair[1]) for pair in counted], len(labels), seed)
    return [
        LabelDifference(
            label,
            support[label],
            float(first[number]),
            float(second[number]),
            bounds[number] if support[label].is_enough else None,
        )
        for number, label in enumerate(labels)
    ]


def _f1(sums: Counts | Floats) -> Floats:
    """F1 per label of columns (gold, predicted, correct) that stand side by side."""
    return f1_of(sums.reshape(*sums.shape[:-1], -1, 3))


def _bound(pairs: Sequence[tuple[Counts, Counts]], num_labels: int, seed: int) -> list[Interval]:
    total = np.zeros((_ROUNDS, num_labels))
    for first, second in pairs:
        if len(first) and num_labels:
            sums = resample(np.hstack([first, second]), rounds=_ROUNDS, seed=seed)
            total += _f1(sums[:, first.shape[1] :]) - _f1(sums[:, : first.shape[1]])
    return [percentiles(total[:, number] / len(pairs), 0.95) for number in range(num_labels)]
