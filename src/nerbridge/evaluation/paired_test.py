"""Is one system better than another, or was it luck? A paired test over sentences.

approximate randomisation (Noreen 1989): if two systems were alike, swapping their outputs on any sentence would not
    matter. Swap each with probability 1/2 and count the rounds whose difference is at least as large as the real one:
    p = (count + 1) / (rounds + 1), two-sided. Over several pairs of runs (seeds, data sets) swaps are drawn for each
    pair and the statistic is the mean of their differences.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nerbridge.evaluation.uncertainty import Counts, Floats, f1_of, pieces_of

_ROUNDING = 1e-12  # differences that are equal in exact arithmetic must count as equal


@dataclass(frozen=True, slots=True)
class PairedTest:
    """difference: mean of second F1 - first F1, a fraction. p_value: two-sided, at least 1 / (rounds + 1)."""

    difference: float
    p_value: float
    rounds: int


def compare_paired(pairs: Sequence[tuple[Counts, Counts]], *, rounds: int = 10_000, seed: int = 0) -> PairedTest:
    """Paired approximate randomisation over sentences of one or several pairs of runs (see the module).

    pairs: (first, second) counts of the same sentences in the same order, one pair per seed or data set.
    Raises ValueError when there is no pair or a pair's lengths differ.
    """
    if not pairs or any(len(first) != len(second) for first, second in pairs):
        raise ValueError("a paired test needs pairs of runs on the same sentences")
    generator = np.random.default_rng(seed)
    observed = 0.0
    shuffled = np.zeros(rounds)
    for first, second in pairs:
        observed += float(f1_of(second.sum(axis=0)) - f1_of(first.sum(axis=0))) / len(pairs)
        shuffled += _swap(first, second, rounds, generator) / len(pairs)
    extreme = int(np.count_nonzero(np.abs(shuffled) >= abs(observed) - _ROUNDING))
    return PairedTest(observed, (extreme + 1) / (rounds + 1), rounds)


def _swap(first: Counts, second: Counts, rounds: int, generator: np.random.Generator) -> Floats:
    """The differences second - first of `rounds` random swaps of one pair of runs."""
    change = (second - first).astype(np.float64)
    sum_first, sum_second = first.sum(axis=0), second.sum(axis=0)
    pieces = []
    for size in pieces_of(rounds, len(first)):
        swapped = generator.integers(2, size=(size, len(first)), dtype=np.int8)
        moved = swapped.astype(np.float64) @ change
        pieces.append(f1_of(sum_second - moved) - f1_of(sum_first + moved))
    return np.concatenate(pieces)
