"""How sure a score is: intervals by resampling sentences, and spread over seeds.

Everything starts from counts per sentence, a row (gold, predicted, correct); F1 = 2 correct / (gold + predicted).

bootstrap (Efron 1979): draw as many sentences as there are, with replacement, and score them; the percentiles of many
    such draws bound the score. It says what another sample of sentences would do, not what another seed would do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.readings import Reading

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]
_CELLS_AT_ONCE = 4_000_000  # rounds x sentences drawn in one piece: about 32 MB, whatever the number of rounds


@dataclass(frozen=True, slots=True)
class Interval:
    """`low` to `high` holds the score in `level` (0 to 1) of the rounds."""

    low: float
    high: float
    level: float = 0.95

    def to_json(self) -> dict[str, float]:
        """Bounds as fractions."""
        return {"low": self.low, "high": self.high, "level": self.level}


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and sample standard deviation (n - 1) of several runs; the deviation of one run is unknown: None."""

    mean: float
    deviation: float | None
    values: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """Mean, deviation (null for one run) and the values, as fractions."""
        return {"mean": self.mean, "deviation": self.deviation, "values": list(self.values)}


def spread(values: Sequence[float]) -> Spread:
    """Mean and deviation over runs. Raises ValueError without values."""
    if not values:
        raise ValueError("a spread needs at least one value")
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return Spread(float(np.mean(values)), deviation, tuple(values))


def count_sentences(predictions: Sequence[Prediction], *, reading: Reading = "conlleval") -> Counts:
    """One row (gold, predicted, correct) of exact matches per sentence."""
    rows = []
    for prediction in predictions:
        gold, predicted = set(prediction.read_gold(reading)), set(prediction.read_predicted(reading))
        rows.append((len(gold), len(predicted), len(gold & predicted)))
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def count_labels(predictions: Sequence[Prediction], labels: Sequence[str], *, reading: Reading = "conlleval") -> Counts:
    """One row per sentence: (gold, predicted, correct) of each of `labels` side by side."""
    column = {label: 3 * number for number, label in enumerate(labels)}
    counts = np.zeros((len(predictions), 3 * len(labels)), dtype=np.int64)
    for row, one in zip(counts, predictions, strict=True):
        gold, predicted = set(one.read_gold(reading)), set(one.read_predicted(reading))
        for offset, spans in enumerate((gold, predicted, gold & predicted)):
            for span in spans:
                row[column[span.label] + offset] += 1
    return counts


def bootstrap_f1(counts: Counts, *, rounds: int = 2000, level: float = 0.95, seed: int = 0) -> Interval:
    """The percentile interval of micro F1 over resampled sentences; the same counts and seed give the same interval.

    counts: as `count_sentences` gives them. Without sentences the interval is 0.0 to 0.0.
    """
    return bootstrap_mean_f1([counts], rounds=rounds, level=level, seed=seed)


def bootstrap_mean_f1(runs: Sequence[Counts], *, rounds: int = 2000, level: float = 0.95, seed: int = 0) -> Interval:
    """The interval of the mean F1 of several runs; runs on the same sentences are resampled by the same draws."""
    total = np.zeros(rounds)
    for counts in runs:
        if len(counts):
            total += f1_of(resample(counts, rounds=rounds, seed=seed))
    return percentiles(total / max(len(runs), 1), level)


def bootstrap_labels(
    runs: Sequence[Sequence[Prediction]], labels: Sequence[str], *, rounds: int = 1000, seed: int = 0
) -> dict[str, Interval]:
    """Per label the 95 % interval of its F1 (mean over runs), conlleval reading. `labels`: all that occur in them."""
    total = np.zeros((rounds, len(labels)))
    for predictions in runs:
        if len(predictions):
            sums = resample(count_labels(predictions, labels), rounds=rounds, seed=seed)
            total += f1_of(sums.reshape(rounds, len(labels), 3))
    total /= max(len(runs), 1)
    return {label: percentiles(total[:, number], 0.95) for number, label in enumerate(labels)}


def bootstrap_difference(
    pairs: Sequence[tuple[Counts, Counts]], *, rounds: int = 2000, level: float = 0.95, seed: int = 0
) -> Interval:
    """The interval of the mean of second F1 - first F1; all runs on the same sentences share their draws."""
    total = np.zeros(rounds)
    for first, second in pairs:
        if len(first):
            sums = resample(np.hstack([first, second]), rounds=rounds, seed=seed)
            total += f1_of(sums[:, 3:]) - f1_of(sums[:, :3])
    return percentiles(total / max(len(pairs), 1), level)


def f1_of(sums: NDArray[Any]) -> Floats:
    """Micro F1 of counts (gold, predicted, correct) on the last axis; 0.0 where there are no spans."""
    total = sums[..., 0] + sums[..., 1]
    return np.asarray(2.0 * sums[..., 2] / np.maximum(total, 1), dtype=np.float64)


def resample(counts: Counts, *, rounds: int, seed: int) -> Floats:
    """The column sums of `rounds` draws of sentences with replacement: one row per round."""
    generator = np.random.default_rng(seed)
    number = len(counts)
    columns = counts.astype(np.float64)  # sums of counts stay exact far below 2 ** 53
    pieces = []
    for size in pieces_of(rounds, number):
        drawn = generator.integers(number, size=(size, number))
        cells = (drawn + np.arange(size)[:, None] * number).ravel()
        times_drawn = np.bincount(cells, minlength=size * number).reshape(size, number)
        pieces.append(times_drawn @ columns)
    return np.concatenate(pieces)


def pieces_of(rounds: int, width: int) -> Iterator[int]:
    """Sizes that add up to `rounds`, each small enough to hold `width` numbers per round in memory."""
    step = max(1, _CELLS_AT_ONCE // max(width, 1))
    for start in range(0, rounds, step):
        yield min(step, rounds - start)


def percentiles(values: Floats, level: float) -> Interval:
    """The middle `level` (0 to 1) of `values`."""
    tail = 50 * (1 - level)
    low, high = np.percentile(values, [tail, 100 - tail])
    return Interval(float(low), float(high), level)
