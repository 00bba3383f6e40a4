"""Scores against a naive count, and what must not matter."""

import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Span
from nerbridge.data.tags import TagVocabulary
from nerbridge.evaluation.confusion import NONE, confuse
from nerbridge.evaluation.matching import Kind, match
from nerbridge.evaluation.predictions import Prediction
from nerbridge.evaluation.readings import count_malformed, read_tags
from nerbridge.evaluation.scoring import score, score_spans
from nerbridge.evaluation.uncertainty import bootstrap_f1, count_labels, count_sentences

LABELS = ("city", "person", "band")
LENGTH = 8


@st.composite
def spans(draw: st.DrawFn) -> list[Span]:
    """Spans of one sentence, not overlapping, in any order."""
    edges = sorted(draw(st.sets(st.integers(0, LENGTH), max_size=LENGTH)))
    pairs = list(zip(edges[::2], edges[1::2], strict=False))
    found = [Span(start, end, draw(st.sampled_from(LABELS))) for start, end in pairs]
    return draw(st.permutations(found))


SENTENCES = st.lists(st.tuples(spans(), spans()), max_size=6)


def predictions_of(sentences: list[tuple[list[Span], list[Span]]]) -> list[Prediction]:
    words = tuple(f"w{number}" for number in range(LENGTH))
    return [Prediction(words, tuple(gold), tuple(predicted)) for gold, predicted in sentences]


@given(SENTENCES)
def test_equal_to_a_naive_count(sentences: list[tuple[list[Span], list[Span]]]) -> None:
    scores = score(predictions_of(sentences))
    gold = [(number, span) for number, (answer, _) in enumerate(sentences) for span in answer]
    predicted = [(number, span) for number, (_, guess) in enumerate(sentences) for span in guess]
    correct = [item for item in predicted if item in gold]
    precision = len(correct) / len(predicted) if predicted else 0.0
    recall = len(correct) / len(gold) if gold else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    assert (scores.precision, scores.recall) == (precision, recall)
    assert scores.f1 == pytest.approx(f1)
    for label, tally in scores.per_label.items():
        assert tally.gold == sum(span.label == label for _, span in gold)
        assert tally.correct == sum(span.label == label for _, span in correct)
    edges = {(number, span.start, span.end) for number, span in gold}
    assert scores.boundary.correct == sum((number, s.start, s.end) in edges for number, s in predicted)


@given(SENTENCES)
def test_type_only_is_the_largest_possible_pairing(sentences: list[tuple[list[Span], list[Span]]]) -> None:
    assert score(predictions_of(sentences)).type_only.correct == sum(
        largest_pairing(gold, predicted) for gold, predicted in sentences
    )


def largest_pairing(gold: list[Span], predicted: list[Span]) -> int:
    if not gold:
        return 0
    first, rest = gold[0], gold[1:]
    best = largest_pairing(rest, predicted)
    for guess in predicted:
        if guess.label == first.label and guess.start < first.end and first.start < guess.end:
            best = max(best, 1 + largest_pairing(rest, [other for other in predicted if other != guess]))
    return best


@given(SENTENCES, st.randoms(use_true_random=False))
def test_order_never_matters(sentences: list[tuple[list[Span], list[Span]]], chance: random.Random) -> None:
    moved = [(chance.sample(gold, len(gold)), chance.sample(guess, len(guess))) for gold, guess in sentences]
    chance.shuffle(moved)
    assert score(predictions_of(moved)) == score(predictions_of(sentences))
    assert confuse(predictions_of(moved)) == confuse(predictions_of(sentences))


@given(SENTENCES)
def test_looser_scores_are_never_lower(sentences: list[tuple[list[Span], list[Span]]]) -> None:
    scores = score(predictions_of(sentences))
    assert scores.exact.correct <= min(scores.boundary.correct, scores.type_only.correct)


@given(SENTENCES)
def test_a_perfect_prediction_is_one(sentences: list[tuple[list[Span], list[Span]]]) -> None:
    gold = [answer for answer, _ in sentences]
    scores = score_spans(gold, gold)
    expected = 1.0 if any(gold) else 0.0
    assert {scores.f1, scores.macro_f1, scores.boundary.f1, scores.type_only.f1} == {expected}


@given(SENTENCES)
def test_counts_per_sentence_add_up(sentences: list[tuple[list[Span], list[Span]]]) -> None:
    predictions = predictions_of(sentences)
    scores = score(predictions)
    exact = (scores.exact.gold, scores.exact.predicted, scores.exact.correct)
    assert tuple(count_sentences(predictions).sum(axis=0)) == exact
    labels = list(scores.per_label)
    by_label = count_labels(predictions, labels).reshape(len(predictions), len(labels), 3).sum(axis=0)
    assert [tuple(row) for row in by_label] == [(t.gold, t.predicted, t.correct) for t in scores.per_label.values()]


@given(SENTENCES)
def test_matching_keeps_every_span_once(sentences: list[tuple[list[Span], list[Span]]]) -> None:
    for gold, predicted in sentences:
        matches = match(gold, predicted)
        assert sorted(one.gold for one in matches if one.gold) == sorted(gold)
        assert sorted(one.predicted for one in matches if one.predicted) == sorted(predicted)
        assert sum(one.kind is Kind.CORRECT for one in matches) == len(set(gold) & set(predicted))


@given(SENTENCES)
def test_confusion_rows_and_columns_are_the_supports(sentences: list[tuple[list[Span], list[Span]]]) -> None:
    predictions = predictions_of(sentences)
    scores, confusion = score(predictions), confuse(predictions)
    order = (*confusion.labels, NONE)
    for label, tally in scores.per_label.items():
        assert sum(confusion.count(label, other) for other in order) == tally.gold
        assert sum(confusion.count(other, label) for other in order) == tally.predicted


@given(SENTENCES, st.integers(0, 5))
def test_the_bootstrap_is_fixed_by_its_seed_and_holds_possible_scores(
    sentences: list[tuple[list[Span], list[Span]]], seed: int
) -> None:
    counts = count_sentences(predictions_of(sentences))
    interval = bootstrap_f1(counts, rounds=50, seed=seed)
    assert interval == bootstrap_f1(np.array(counts), rounds=50, seed=seed)
    assert 0.0 <= interval.low <= interval.high <= 1.0


@given(spans(), st.sampled_from(["BIO", "BIOES"]))
def test_well_formed_tags_read_the_same_both_ways(found: list[Span], scheme: str) -> None:
    vocabulary = TagVocabulary(LabelSet.of(LABELS), scheme)
    tags = [vocabulary.tags[number] for number in vocabulary.encode(found, LENGTH)]
    expected = tuple(sorted(found))
    assert read_tags(tags, scheme=scheme) == read_tags(tags, scheme=scheme, reading="strict") == expected
    assert count_malformed(tags, scheme) == 0


@given(st.sampled_from(["BIO", "BIOES"]), st.data())
def test_any_tags_read_as_the_heads_read_them(scheme: str, data: st.DataObject) -> None:
    vocabulary = TagVocabulary(LabelSet.of(LABELS), scheme)
    numbers = data.draw(st.lists(st.integers(0, len(vocabulary) - 1), max_size=LENGTH))
    tags = [vocabulary.tags[number] for number in numbers]
    assert read_tags(tags, scheme=scheme) == vocabulary.decode(numbers)
    strict = read_tags(tags, scheme=scheme, reading="strict")
    assert (strict == vocabulary.decode(numbers)) or count_malformed(tags, scheme) > 0
    allowed, first, last = vocabulary.may_follow(), vocabulary.may_start(), vocabulary.may_end()
    illegal = sum(not allowed[one][other] for one, other in pairwise(numbers))
    edges = (not first[numbers[0]]) + (not last[numbers[-1]]) if numbers else 0
    assert count_malformed(tags, scheme) == illegal + edges


@given(SENTENCES)
def test_a_prediction_written_in_tags_scores_as_in_spans(sentences: list[tuple[list[Span], list[Span]]]) -> None:
    vocabulary = TagVocabulary(LabelSet.of(LABELS), "BIOES")
    plain = predictions_of(sentences)
    tagged = [
        replace(
            one,
            predicted_tags=tuple(vocabulary.tags[number] for number in vocabulary.encode(one.predicted, LENGTH)),
            predicted_scheme="BIOES",
        )
        for one in plain
    ]
    assert score(tagged, reading="strict") == score(plain, reading="strict")
