"""A few sentences out of many: seeded, and with every label that the many have, where that can be.

Both ways walk the sentences in a seeded random order and give the rarest label its sentences first, because the
frequent ones come along with them.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random

from nerbridge.data.sentence import Sentence
from nerbridge.errors import DataError


def sample_sentences(sentences: Sequence[Sentence], num: int, *, seed: int = 1) -> list[Sentence]:
    """`num` sentences in their old order, every label among them as long as `num` allows it.

    First one sentence for each label that is still missing, the rarest first; then any. Raises DataError when there
    are fewer than `num`.
    """
    if not 0 < num <= len(sentences):
        raise DataError(
            f"{num} sentences cannot be drawn from {len(sentences)}",
            where="the number of sentences to draw",
            expected=f"a number from 1 to {len(sentences)}",
            hint="draw fewer, or from a larger file",
        )
    order = _shuffled(sentences, seed)
    chosen: set[int] = set()
    have: Counter[str] = Counter()
    for label in _rarest_first(sentences):
        if len(chosen) < num and not have[label]:
            _take(next(i for i in order if label in _labels(sentences[i])), sentences, chosen, have)
    for position in order:
        if len(chosen) == num:
            break
        chosen.add(position)
    return [sentences[position] for position in sorted(chosen)]


def sample_per_label(sentences: Sequence[Sentence], per_label: int, *, seed: int = 1) -> list[Sentence]:
    """As few sentences as this greedy walk finds with at least `per_label` mentions of each label, in their old order.

    A label with fewer mentions keeps all of its sentences; frequent labels get more mentions than asked for. Raises
    DataError when no sentence has a mention.
    """
    totals = Counter(span.label for sentence in sentences for span in sentence.spans)
    if not totals:
        raise DataError(
            "no sentence has a mention to draw by label",
            where="the sentences to draw from",
            expected="labelled sentences",
            hint="draw a number of sentences instead: --num",
        )
    order = _shuffled(sentences, seed)
    chosen: set[int] = set()
    have: Counter[str] = Counter()
    for label in _rarest_first(sentences):
        for position in order:
            if have[label] >= min(per_label, totals[label]):
                break
            if position not in chosen and label in _labels(sentences[position]):
                _take(position, sentences, chosen, have)
    return [sentences[position] for position in sorted(chosen)]


def _take(position: int, sentences: Sequence[Sentence], chosen: set[int], have: Counter[str]) -> None:
    chosen.add(position)
    have.update(span.label for span in sentences[position].spans)


def _labels(sentence: Sentence) -> set[str]:
    return {span.label for span in sentence.spans}


def _rarest_first(sentences: Sequence[Sentence]) -> list[str]:
    """Labels by the number of sentences that have them, then by name."""
    counts = Counter(label for sentence in sentences for label in _labels(sentence))
    return sorted(counts, key=lambda label: (counts[label], label))


def _shuffled(sentences: Sequence[Sentence], seed: int) -> list[int]:
    order = list(range(len(sentences)))
    Random(seed).shuffle(order)
    return order
