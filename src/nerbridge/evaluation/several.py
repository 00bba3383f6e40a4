"""More than two systems on the same sentences: every pair tested, with p-values corrected for their number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from nerbridge.evaluation.comparison import Comparison, compare_runs
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.readings import Reading


@dataclass(frozen=True, slots=True)
class Comparisons:
    """pairs: the comparison of every two systems, in their order; adjusted: the p-value of each pair after Holm."""

    names: tuple[str, ...]
    pairs: tuple[Comparison, ...]
    adjusted: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """The systems, and every pair without its differing sentences; fractions."""
        rows = []
        for pair, adjusted in zip(self.pairs, self.adjusted, strict=True):
            content = pair.to_json()
            del content["differing"]
            rows.append({**content, "adjusted_p_value": adjusted})
        return {"systems": list(self.names), "pairs": rows}


def compare_all(
    systems: Mapping[str, Mapping[str, Sequence[Prediction]]],
    *,
    reading: Reading = "conlleval",
    rounds: int = 10_000,
    seed: int = 0,
) -> Comparisons:
    """Every two of `systems`, each with one run per seed; see `compare_runs`, whose errors this raises."""
    pairs = tuple(
        compare_runs(systems[first], systems[second], names=(first, second), reading=reading, rounds=rounds, seed=seed)
        for first, second in combinations(systems, 2)
    )
    return Comparisons(tuple(systems), pairs, tuple(adjust([pair.test.p_value for pair in pairs])))


def adjust(p_values: Sequence[float]) -> list[float]:
    """The p-values after Holm (1979): the k-th smallest of n times n - k + 1, never below a smaller one's, at most 1.

    Calling differences real where the adjusted value is below 0.05 is wrong about any pair at most once in 20 times.
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[place] * (len(p_values) - rank)))
        adjusted[place] = highest
    return adjusted
