"""Which sentences share a batch: neighbours in length, under a budget of sentences and padded pieces."""

from collections.abc import Sequence

import numpy as np

# Sentences are sorted by length inside pools of so many batches: little padding, much chance. A small data set has
# smaller pools (half of it) and its lengths are blurred, or the same sentences would meet in every epoch.
POOL_BATCHES = 50
JITTER = 0.1


def epoch_batches(
    costs: Sequence[int], *, max_sentences: int, max_pieces: int, seed: int, shuffle: bool = True
) -> list[list[int]]:
    """Batches of indices into `costs`; every index is in exactly one.

    costs: pieces of each sentence. max_pieces: budget of a batch, padding counted (longest x number of sentences); a
    sentence beyond it gets a batch of its own. The same arguments give the same batches. Without `shuffle`, sentences
    and batches stay in order.
    """
    if not shuffle:
        return _cut(range(len(costs)), costs, max_sentences, max_pieces)
    random = np.random.default_rng(seed)
    order = random.permutation(len(costs))
    blurred = np.asarray(costs, np.float64)[order] * (1 + JITTER * random.uniform(-1, 1, len(costs)))
    pool = min(POOL_BATCHES * max_sentences, max(4 * max_sentences, len(costs) // 2))
    parts = []
    for number, start in enumerate(range(0, len(order), pool)):
        ranks = np.argsort(blurred[start : start + pool], kind="stable")
        parts.append(order[start : start + pool][ranks[::-1] if number % 2 else ranks])  # up, down: no jump between
    batches = _cut([int(index) for part in parts for index in part], costs, max_sentences, max_pieces)
    return [batches[number] for number in random.permutation(len(batches))]


def inference_batches(costs: Sequence[int], max_pieces: int) -> list[list[int]]:
    """Batches of neighbours in length, longest first, each of at most `max_pieces` padded pieces."""
    order = sorted(range(len(costs)), key=lambda index: -costs[index])
    return _cut(order, costs, len(costs), max_pieces)


def _cut(order: Sequence[int], costs: Sequence[int], max_sentences: int, max_pieces: int) -> list[list[int]]:
    batches: list[list[int]] = []
    longest = 0
    for index in order:
        longest = max(longest, costs[index])
        size = len(batches[-1]) if batches else max_sentences
        if size >= max_sentences or longest * (size + 1) > max_pieces:
            batches.append([])
            longest = costs[index]
        batches[-1].append(index)
    return batches
