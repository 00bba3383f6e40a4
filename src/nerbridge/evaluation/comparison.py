"""Two runs on the same sentences: how far apart they are, how sure that is, and where they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nerbridge.evaluation.label_differences import LabelDifference, compare_labels
from nerbridge.evaluation.paired_test import PairedTest, compare_paired
from nerbridge.evaluation.pairing import check_same_sentences, pair_runs
from nerbridge.evaluation.prediction import Prediction, Spans
from nerbridge.evaluation.readings import Reading
from nerbridge.evaluation.uncertainty import (
    Interval,
    Spread,
    bootstrap_difference,
    bootstrap_mean_f1,
    count_sentences,
    f1_of,
    spread,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A sentence that the two runs of pair `run` answer differently."""

    run: str
    first: Prediction
    second: Prediction

    @property
    def gain(self) -> int:
        """How many more gold spans the second run found; negative when it lost some."""
        gold = set(self.first.gold)
        return len(gold & set(self.second.predicted)) - len(gold & set(self.first.predicted))

    def to_json(self) -> dict[str, Any]:
        """Words, gold spans and both answers as [start, end, label]."""
        return {
            "run": self.run,
            "origin": self.first.origin,
            "text": " ".join(self.first.words),
            "gold": _spans_to_json(self.first.gold),
            "first": _spans_to_json(self.first.predicted),
            "second": _spans_to_json(self.second.predicted),
            "gain": self.gain,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """first, second: F1 of the paired runs; intervals: of the means, over sentences; all numbers are fractions.

    pairs: the names of the paired runs ("seed-1"); unpaired: runs that only one side has, left out.
    """

    names: tuple[str, str]
    reading: Reading
    pairs: tuple[str, ...]
    unpaired: tuple[str, ...]
    num_sentences: int
    first: Spread
    second: Spread
    intervals: tuple[Interval, Interval]
    difference_interval: Interval
    test: PairedTest
    per_label: tuple[LabelDifference, ...]
    differing: tuple[Difference, ...]

    def to_json(self) -> dict[str, Any]:
        """Everything, ready for `json.dumps`."""
        sides = zip(self.names, (self.first, self.second), self.intervals, strict=True)
        first, second = (
            {"name": name, "f1": side.to_json(), "interval": interval.to_json()} for name, side, interval in sides
        )
        return {
            "reading": self.reading,
            "pairs": list(self.pairs),
            "unpaired": list(self.unpaired),
            "sentences": self.num_sentences,
            "first": first,
            "second": second,
            "difference": self.test.difference,
            "difference_interval": self.difference_interval.to_json(),
            "p_value": self.test.p_value,
            "rounds": self.test.rounds,
            "per_label": {one.label: one.to_json() for one in self.per_label},
            "differing": [one.to_json() for one in self.differing],
        }


def compare(
    first: Sequence[Prediction],
    second: Sequence[Prediction],
    *,
    names: tuple[str, str] = ("first", "second"),
    reading: Reading = "conlleval",
    rounds: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """The comparison of two runs on the same sentences in the same order; see `compare_runs`."""
    return compare_runs({"": first}, {"": second}, names=names, reading=reading, rounds=rounds, seed=seed)


def compare_runs(
    first: Mapping[str, Sequence[Prediction]],
    second: Mapping[str, Sequence[Prediction]],
    *,
    names: tuple[str, str] = ("first", "second"),
    reading: Reading = "conlleval",
    rounds: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """The comparison of two systems with one run per seed, paired by name ("seed-1"); a lone run pairs with a lone run.

    rounds, seed: of the paired approximate randomisation test. Raises DataError when no names agree or when a
    sentence or its gold spans differ, naming the first difference.
    """
    paired = pair_runs(first, second, names)
    for one, other in paired.values():
        check_same_sentences(one, other, names, reading)
    pairs = [
        (count_sentences(one, reading=reading), count_sentences(other, reading=reading))
        for one, other in paired.values()
    ]
    sides = ([one for one, _ in pairs], [other for _, other in pairs])
    return Comparison(
        names,
        reading,
        pairs=tuple(paired),
        unpaired=tuple(sorted(set(first) ^ set(second))) if len(first) + len(second) > 2 else (),
        num_sentences=len(pairs[0][0]),
        first=spread([float(f1_of(run.sum(axis=0))) for run in sides[0]]),
        second=spread([float(f1_of(run.sum(axis=0))) for run in sides[1]]),
        intervals=(bootstrap_mean_f1(sides[0], seed=seed), bootstrap_mean_f1(sides[1], seed=seed)),
        difference_interval=bootstrap_difference(pairs, seed=seed),
        test=compare_paired(pairs, rounds=rounds, seed=seed),
        per_label=tuple(compare_labels(list(paired.values()), reading=reading, seed=seed)),
        differing=_list_differences(paired, reading),
    )


def _list_differences(
    paired: Mapping[str, tuple[Sequence[Prediction], Sequence[Prediction]]], reading: Reading
) -> tuple[Difference, ...]:
    return tuple(
        Difference(run, one, other)
        for run, pair in paired.items()
        for one, other in zip(*pair, strict=True)
        if one.read_predicted(reading) != other.read_predicted(reading)
    )


def _spans_to_json(spans: Spans) -> list[list[int | str]]:
    return [[span.start, span.end, span.label] for span in spans]
