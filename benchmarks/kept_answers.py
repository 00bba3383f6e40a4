"""Gold and predicted spans of a split as numbers: enough to score, to test and to compare, without a word of the data.

    gold     {"words": [2, 5], "labels": ["person"], "spans": [[[0, 1, 0]], []]}
    answers  {"labels": ["city"], "sentences": [[0, [1, 2, 0]], []]}

gold: of every sentence its number of words and its spans; the third number of a span is a place among the labels.
answers: of every sentence how it differs from gold: the places of the gold spans that were not found, and the spans
that are not gold. Both are tight, as most spans are found and runs on the same sentences share one gold.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from nerbridge.data.sentence import Span
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.uncertainty import Counts

WORD = "_"  # stands for every word of a sentence that is read back


def pack_gold(predictions: Sequence[Prediction]) -> dict[str, Any]:
    """The numbers of words and the gold spans."""
    labels = _labels(span for one in predictions for span in one.gold)
    return {
        "words": [len(one.words) for one in predictions],
        "labels": labels,
        "spans": [_numbers(one.gold, labels) for one in predictions],
    }


def pack_answers(predictions: Sequence[Prediction]) -> dict[str, Any]:
    """What was predicted, as its difference from gold."""
    wrong = [[span for span in one.predicted if span not in one.gold] for one in predictions]
    labels = _labels(span for spans in wrong for span in spans)
    sentences = [
        [*(place for place, span in enumerate(one.gold) if span not in one.predicted), *_numbers(spans, labels)]
        for one, spans in zip(predictions, wrong, strict=True)
    ]
    return {"labels": labels, "sentences": sentences}


def unpack_answers(gold: dict[str, Any], answers: dict[str, Any]) -> list[Prediction]:
    """The predictions, with `WORD` for every word.

    Raises ValueError, KeyError, IndexError or TypeError where the two do not belong together.
    """
    predictions = []
    for words, numbers, differences in zip(gold["words"], gold["spans"], answers["sentences"], strict=True):
        right = _spans(numbers, gold["labels"])
        missed = {right[one] for one in differences if isinstance(one, int)}
        wrong = _spans([one for one in differences if not isinstance(one, int)], answers["labels"])
        found = (*(span for span in right if span not in missed), *wrong)
        predictions.append(Prediction((WORD,) * words, right, found))
    return predictions


def count_answers(gold: dict[str, Any], answers: dict[str, Any]) -> Counts:
    """Gold, predicted and correct spans of every sentence, as `count_sentences` finds them in the predictions."""
    rows = []
    for numbers, differences in zip(gold["spans"], answers["sentences"], strict=True):
        missed = sum(isinstance(one, int) for one in differences)
        correct = len(numbers) - missed
        rows.append((len(numbers), correct + len(differences) - missed, correct))
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def _labels(spans: Iterable[Span]) -> list[str]:
    return sorted({span.label for span in spans})


def _numbers(spans: Iterable[Span], labels: Sequence[str]) -> list[list[int]]:
    return [[span.start, span.end, labels.index(span.label)] for span in spans]


def _spans(numbers: Iterable[Sequence[int]], labels: Sequence[str]) -> tuple[Span, ...]:
    return tuple(Span(start, end, labels[label]) for start, end, label in numbers)
