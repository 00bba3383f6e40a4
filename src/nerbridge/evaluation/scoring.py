"""Spans -> scores: exact matches, what they add up to, and two looser looks at the same spans.

    precision = correct / predicted,   recall = correct / gold,   F1 = 2 precision recall / (precision + recall)

A ratio with nothing below the line is 0.0, so that a sample without gold entities has F1 0.0 and its counts say why.
All numbers are fractions from 0 to 1. Sentences are scored one by one; nothing ever spans two.

exact      start, end and label are equal (the headline: micro F1 over all labels)
macro      mean of the labels' own scores, over the labels that occur in gold or predicted spans
boundary   start and end are equal, whatever the label
type_only  the label is equal and the spans share at least one word; each span is matched at most once
"""

from collections import Counter
from collections.abc import Sequence

from nerbridge.data.sentence import Span
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.readings import Reading
from nerbridge.evaluation.scores import Scores, Tally

__all__ = ["Scores", "Tally", "score", "score_spans"]


def score(predictions: Sequence[Prediction], *, reading: Reading = "conlleval") -> Scores:
    """The scores of `predictions` under `reading` ("conlleval" or "strict", see `readings`)."""
    gold = [prediction.read_gold(reading) for prediction in predictions]
    predicted = [prediction.read_predicted(reading) for prediction in predictions]
    malformed = [prediction.num_malformed() for prediction in predictions]
    return _score(gold, predicted, reading, malformed)


def score_spans(gold: Sequence[Sequence[Span]], predicted: Sequence[Sequence[Span]]) -> Scores:
    """The scores of predicted spans against gold spans, one list per sentence, in the same order.

    Order inside a sentence does not matter; a span given twice counts once. Raises ValueError when the two have
    different numbers of sentences.

    >>> score_spans([[Span(0, 2, "person")]], [[Span(0, 2, "person"), Span(3, 4, "city")]]).precision
    0.5
    """
    if len(gold) != len(predicted):
        raise ValueError(f"{len(gold)} sentences of gold spans, but {len(predicted)} of predicted spans")
    return _score(gold, predicted, "conlleval", [])


def _score(
    gold: Sequence[Sequence[Span]],
    predicted: Sequence[Sequence[Span]],
    reading: Reading,
    malformed: Sequence[tuple[int, int]],
) -> Scores:
    labels_gold: Counter[str] = Counter()
    labels_predicted: Counter[str] = Counter()
    labels_correct: Counter[str] = Counter()
    boundary = type_only = num_edges_gold = num_edges_predicted = 0
    for answer, guess in zip(map(set, gold), map(set, predicted), strict=True):
        labels_gold.update(span.label for span in answer)
        labels_predicted.update(span.label for span in guess)
        labels_correct.update(span.label for span in answer & guess)
        edges_gold, edges_predicted = _edges(answer), _edges(guess)
        boundary += len(edges_gold & edges_predicted)
        num_edges_gold += len(edges_gold)
        num_edges_predicted += len(edges_predicted)
        type_only += _count_type_matches(answer, guess)
    labels = sorted(labels_gold | labels_predicted)
    num_gold, num_predicted = labels_gold.total(), labels_predicted.total()
    return Scores(
        reading,
        len(gold),
        exact=Tally(num_gold, num_predicted, labels_correct.total()),
        per_label={name: Tally(labels_gold[name], labels_predicted[name], labels_correct[name]) for name in labels},
        boundary=Tally(num_edges_gold, num_edges_predicted, boundary),
        type_only=Tally(num_gold, num_predicted, type_only),
        malformed_gold=sum(pair[0] for pair in malformed),
        malformed_predicted=sum(pair[1] for pair in malformed),
    )


def _edges(spans: set[Span]) -> set[tuple[int, int]]:
    return {(span.start, span.end) for span in spans}


def _count_type_matches(gold: set[Span], predicted: set[Span]) -> int:
    """Pairs of overlapping spans of one label, each span used once: a sweep by ends, label by label."""
    count = 0
    for label in {span.label for span in gold} & {span.label for span in predicted}:
        answers = sorted((s for s in gold if s.label == label), key=lambda s: (s.end, s.start), reverse=True)
        guesses = sorted((s for s in predicted if s.label == label), key=lambda s: (s.end, s.start), reverse=True)
        while answers and guesses:
            answer, guess = answers[-1], guesses[-1]
            if answer.start < guess.end and guess.start < answer.end:
                count += 1
                answers.pop()
                guesses.pop()
            elif answer.end <= guess.start:
                answers.pop()
            else:
                guesses.pop()
    return count
