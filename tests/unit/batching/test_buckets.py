"""Which sentences share a batch."""

import random

import pytest

from nerbridge.batching.buckets import epoch_batches, inference_batches

RANDOM = random.Random(1)
COSTS = [RANDOM.randint(3, 60) for _ in range(1000)]


def padded(batch: list[int], costs: list[int]) -> int:
    return len(batch) * max(costs[index] for index in batch)


@pytest.mark.parametrize("shuffle", [True, False])
def test_every_sentence_is_in_exactly_one_batch(shuffle: bool) -> None:
    batches = epoch_batches(COSTS, max_sentences=16, max_pieces=400, seed=1, shuffle=shuffle)
    assert sorted(index for batch in batches for index in batch) == list(range(len(COSTS)))


@pytest.mark.parametrize("shuffle", [True, False])
def test_both_budgets_hold(shuffle: bool) -> None:
    batches = epoch_batches(COSTS, max_sentences=16, max_pieces=400, seed=1, shuffle=shuffle)
    assert all(len(batch) <= 16 and padded(batch, COSTS) <= 400 for batch in batches)


def test_a_sentence_over_the_budget_is_alone() -> None:
    costs = [10, 5000, 10, 10]
    batches = epoch_batches(costs, max_sentences=16, max_pieces=400, seed=1)
    assert [1] in batches


def test_the_same_seed_gives_the_same_batches_and_another_seed_others() -> None:
    first, again, other = (epoch_batches(COSTS, max_sentences=16, max_pieces=8192, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_padding_is_small_and_order_does_not_follow_length() -> None:
    batches = epoch_batches(COSTS, max_sentences=16, max_pieces=8192, seed=1)
    assert sum(padded(batch, COSTS) for batch in batches) < 1.12 * sum(COSTS)
    longest = [max(COSTS[index] for index in batch) for batch in batches]
    assert longest not in (sorted(longest), sorted(longest, reverse=True))
    assert len(batches) == 63  # no more than needed: 1000 / 16


def test_a_small_data_set_does_not_meet_in_the_same_batches_each_epoch() -> None:
    costs = COSTS[:100]
    epochs = [epoch_batches(costs, max_sentences=16, max_pieces=8192, seed=seed) for seed in range(5)]
    together = [{frozenset(batch) for batch in batches} for batches in epochs]
    assert not set.intersection(*together)


def test_without_shuffling_everything_stays_in_order() -> None:
    assert epoch_batches([5, 1, 9, 2, 7], max_sentences=2, max_pieces=100, seed=1, shuffle=False) == [
        [0, 1],
        [2, 3],
        [4],
    ]


def test_inference_batches_are_neighbours_in_length_longest_first() -> None:
    assert inference_batches([3, 9, 1, 8, 2], max_pieces=18) == [[1, 3], [0, 4, 2]]


def test_no_sentences_give_no_batches() -> None:
    assert epoch_batches([], max_sentences=16, max_pieces=400, seed=1) == []
    assert inference_batches([], 400) == []
