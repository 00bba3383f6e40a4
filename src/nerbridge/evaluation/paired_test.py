"""Is one system better than another, or was it luck? A paired test over sentences.

approximate randomisation (Noreen 1989): if two systems were alike, swapping their outputs on any sentence would not
    matter. Swap each with probability 1/2 and count the rounds whose difference is at least as large as the real one:
    p = (count + 1) / (rounds + 1), two-sided. Over several pairs of runs the statistic is the mean of their
    differences. Pairs on the same sentences (seeds) swap the same sentences in a round: a sentence that suits one
    system suits it in every seed, and must not count as several pieces of evidence. Pairs on other sentences (data
    sets) have swaps of their own. Sentences are the same where all their numbers of gold spans are.
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
    observed = sum(float(f1_of(second.sum(axis=0)) - f1_of(first.sum(axis=0))) for first, second in pairs) / len(pairs)
    shuffled = np.zeros(rounds)
    for group in _on_same_sentences(pairs):
        shuffled += _swap(group, rounds, generator) / len(pairs)
    extreme = int(np.count_nonzero(np.abs(shuffled) >= abs(observed) - _ROUNDING))
    return PairedTest(observed, (extreme + 1) / (rounds + 1), rounds)


def _on_same_sentences(pairs: Sequence[tuple[Counts, Counts]]) -> list[list[tuple[Counts, Counts]]]:
    groups: dict[bytes, list[tuple[Counts, Counts]]] = {}
    for first, second in pairs:
        groups.setdefault(first[:, 0].tobytes(), []).append((first, second))
    return list(groups.values())


def _swap(pairs: Sequence[tuple[Counts, Counts]], rounds: int, generator: np.random.Generator) -> Floats:
    """The differences second - first of `rounds` random swaps of sentences, added up over pairs on the same ones."""
    change = np.hstack([second - first for first, second in pairs]).astype(np.float64)  # (sentence, 3 per pair)
    sum_first = np.array([first.sum(axis=0) for first, _ in pairs])
    sum_second = np.array([second.sum(axis=0) for _, second in pairs])
    pieces = []
    for size in pieces_of(rounds, len(change)):
        swapped = generator.integers(2, size=(size, len(change)), dtype=np.int8)
        moved = (swapped.astype(np.float64) @ change).reshape(size, len(pairs), 3)
        pieces.append((f1_of(sum_second - moved) - f1_of(sum_first + moved)).sum(axis=1))
    return np.concatenate(pieces)
