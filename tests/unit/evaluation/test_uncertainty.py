"""Intervals and tests against slow loops, known answers, and the clock."""

import time
from itertools import product

import numpy as np
import pytest

from nerbridge.data.sentence import Span
from nerbridge.evaluation.paired_test import compare_paired
from nerbridge.evaluation.predictions import Prediction
from nerbridge.evaluation.uncertainty import (
    Counts,
    bootstrap_difference,
    bootstrap_f1,
    bootstrap_labels,
    bootstrap_mean_f1,
    count_sentences,
    f1_of,
    resample,
    spread,
)


def counts(num_sentences: int, skill: float, seed: int = 0) -> Counts:
    """Random (gold, predicted, correct); gold is the same for every skill."""
    gold = np.random.default_rng(7).integers(0, 6, num_sentences)
    correct = np.random.default_rng(seed).binomial(gold, skill)
    return np.stack([gold, gold, correct], axis=1)


def test_resampling_draws_as_many_sentences_as_there_are() -> None:
    sums = resample(np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), rounds=2000, seed=3)
    assert (sums.sum(axis=1) == 3).all()
    # a sentence is drawn Binomial(3, 1/3) times: mean 1, variance 2/3
    assert sums.mean(axis=0) == pytest.approx([1, 1, 1], abs=0.06)
    assert sums.var(axis=0) == pytest.approx([2 / 3] * 3, abs=0.06)


def test_the_interval_is_as_wide_as_theory_says() -> None:
    """All spans gold and predicted: F1 is the share of right ones, its standard error sqrt(p (1 - p) / n)."""
    number = 400
    correct = (np.arange(number) < 0.7 * number).astype(np.int64)
    ones = np.ones(number, dtype=np.int64)
    interval = bootstrap_f1(np.stack([ones, ones, correct], axis=1), rounds=10_000)
    error = 1.96 * (0.7 * 0.3 / number) ** 0.5
    assert (interval.low, interval.high) == pytest.approx((0.7 - error, 0.7 + error), abs=0.004)


def test_the_same_seed_gives_the_same_interval() -> None:
    data = counts(50, 0.6)
    assert bootstrap_f1(data, seed=1) == bootstrap_f1(data, seed=1)
    assert bootstrap_f1(data, seed=1) != bootstrap_f1(data, seed=2)


def test_memory_pieces_do_not_change_what_is_drawn_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nerbridge.evaluation.uncertainty._CELLS_AT_ONCE", 130)
    sums = resample(counts(50, 0.6), rounds=31, seed=0)
    assert sums.shape == (31, 3)


def test_equal_runs_have_the_interval_of_one() -> None:
    data = counts(50, 0.6)
    one, three = bootstrap_f1(data), bootstrap_mean_f1([data, data, data])
    assert (three.low, three.high) == pytest.approx((one.low, one.high))


def test_no_sentence_and_no_entity() -> None:
    empty = np.zeros((0, 3), dtype=np.int64)
    assert (bootstrap_f1(empty).low, bootstrap_f1(empty).high) == (0.0, 0.0)
    assert bootstrap_f1(np.zeros((4, 3), dtype=np.int64)).high == 0.0
    assert count_sentences([]).shape == (0, 3)


def test_counts_of_sentences_follow_the_reading() -> None:
    tags = ("O", "I-a", "B-b")
    one = Prediction(("x", "y", "z"), (Span(2, 3, "b"),), (Span(1, 2, "a"), Span(2, 3, "b")), predicted_tags=tags)
    other = Prediction(("x", "y", "z"), one.predicted, one.gold, gold_tags=tags)
    assert count_sentences([one, other]).tolist() == [[1, 2, 1], [2, 1, 1]]
    assert count_sentences([one, other], reading="strict").tolist() == [[1, 1, 1], [1, 1, 1]]


def test_an_interval_per_label() -> None:
    right, wrong = Span(0, 1, "a"), Span(1, 2, "b")
    run = [Prediction(("x", "y"), (right, wrong), (right,)) for _ in range(5)]
    intervals = bootstrap_labels([run], ["a", "b"])
    assert (intervals["a"].low, intervals["a"].high) == (1.0, 1.0)
    assert (intervals["b"].low, intervals["b"].high) == (0.0, 0.0)


def test_spread() -> None:
    assert spread([0.5]).deviation is None
    assert spread([0.5, 0.7, 0.6]).deviation == pytest.approx(0.1)
    with pytest.raises(ValueError, match=r"^a spread needs at least one value$"):
        spread([])


def test_the_p_value_approaches_all_swaps() -> None:
    """Six sentences have 64 swaps: the exact p-value can be counted."""
    first, second = counts(6, 0.3, seed=1), counts(6, 0.9, seed=2)
    observed = abs(f1_of(second.sum(axis=0)) - f1_of(first.sum(axis=0)))
    extreme = 0
    for swaps in product([False, True], repeat=6):
        mask = np.array(swaps)[:, None]
        one, other = np.where(mask, second, first), np.where(mask, first, second)
        extreme += abs(f1_of(other.sum(axis=0)) - f1_of(one.sum(axis=0))) >= observed - 1e-12
    test = compare_paired([(first, second)], rounds=20_000)
    assert test.p_value == pytest.approx(extreme / 64, abs=0.01)


def test_equal_systems_have_p_one_and_clear_ones_the_smallest() -> None:
    weak, strong = counts(200, 0.3, seed=1), counts(200, 0.8, seed=2)
    assert compare_paired([(weak, weak)], rounds=99).p_value == 1.0
    better = compare_paired([(weak, strong)], rounds=99)
    assert better.p_value == 1 / 100
    assert better.difference > 0
    worse = compare_paired([(strong, weak)], rounds=99)
    assert (worse.difference, worse.p_value) == (-better.difference, better.p_value)


def test_the_test_is_right_when_nothing_is_there() -> None:
    """Two runs of equal skill: p below 0.2 in about a fifth of many trials."""
    values = [compare_paired([(counts(60, 0.6, s), counts(60, 0.6, s + 500))], rounds=400).p_value for s in range(200)]
    assert np.mean(np.array(values) < 0.2) == pytest.approx(0.2, abs=0.08)


def test_several_seeds_add_evidence() -> None:
    pairs = [(counts(150, 0.60, seed), counts(150, 0.66, seed + 50)) for seed in range(4)]
    together = compare_paired(pairs, rounds=2000)
    assert together.difference == pytest.approx(np.mean([compare_paired([p], rounds=1).difference for p in pairs]))
    assert together.p_value < min(compare_paired([pair], rounds=2000).p_value for pair in pairs)


def test_the_same_answers_in_three_seeds_are_no_more_evidence_than_in_one() -> None:
    pair = (counts(150, 0.60, 1), counts(150, 0.66, 51))
    once, thrice = compare_paired([pair], rounds=2000), compare_paired([pair] * 3, rounds=2000)
    assert 0.01 < once.p_value < 0.5
    assert thrice.difference == pytest.approx(once.difference)
    assert thrice.p_value == once.p_value


def test_seeds_swap_the_same_sentences_and_data_sets_their_own() -> None:
    """Two seeds on five sentences and a run on three others have 2 ** 8 swaps: the exact p-value can be counted."""
    seeds = [(counts(5, 0.4, seed), counts(5, 0.9, seed + 10)) for seed in (1, 2)]
    other = np.array([[2, 2, 1], [3, 3, 1], [2, 2, 0]]), np.array([[2, 2, 2], [3, 3, 1], [2, 2, 1]])
    pairs = [*seeds, other]

    def difference(swaps: tuple[bool, ...]) -> float:
        total = 0.0
        for number, (first, second) in enumerate(pairs):
            mask = np.array(swaps[5:] if number == 2 else swaps[:5])[:, None]
            one, two = np.where(mask, second, first), np.where(mask, first, second)
            total += float(f1_of(two.sum(axis=0)) - f1_of(one.sum(axis=0))) / 3
        return total

    observed = abs(difference((False,) * 8))
    extreme = sum(abs(difference(swaps)) >= observed - 1e-12 for swaps in product([False, True], repeat=8))
    test = compare_paired(pairs, rounds=20_000)
    assert test.difference == pytest.approx(difference((False,) * 8))
    assert test.p_value == pytest.approx(extreme / 256, abs=0.01)


def test_the_difference_interval_is_paired() -> None:
    """A run against itself has no spread at all, though each alone has."""
    data = counts(80, 0.5)
    interval = bootstrap_difference([(data, data)])
    assert (interval.low, interval.high) == (0.0, 0.0)


def test_pairs_must_fit() -> None:
    with pytest.raises(ValueError, match=r"^a paired test needs pairs of runs on the same sentences$"):
        compare_paired([(counts(3, 0.5), counts(4, 0.5))])


def test_fast_enough() -> None:
    pairs = [(counts(650, 0.6, seed), counts(650, 0.62, seed + 9)) for seed in range(3)]
    start = time.process_time()
    compare_paired(pairs, rounds=10_000)
    assert time.process_time() - start < 10
