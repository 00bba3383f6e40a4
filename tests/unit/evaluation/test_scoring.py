"""What counts, in numbers that can be checked by hand."""

import json
import re

import pytest

from nerbridge.data.sentence import Span
from nerbridge.evaluation.predictions import Prediction
from nerbridge.evaluation.scoring import Tally, score, score_spans

GOLD = [[Span(0, 2, "person"), Span(3, 4, "city")], [Span(0, 1, "city")]]
PREDICTED = [[Span(0, 2, "person"), Span(3, 4, "person"), Span(5, 6, "city")], [Span(0, 2, "city")]]


def test_exact_per_label_boundary_and_type() -> None:
    scores = score_spans(GOLD, PREDICTED)
    assert scores.exact == Tally(gold=3, predicted=4, correct=1)
    assert (scores.precision, scores.recall) == (1 / 4, 1 / 3)
    assert scores.f1 == pytest.approx(2 / 7)
    assert scores.per_label == {"city": Tally(2, 2, 0), "person": Tally(1, 2, 1)}
    assert scores.macro_f1 == pytest.approx((0 + 2 / 3) / 2)
    assert scores.boundary == Tally(3, 4, 2)
    assert scores.type_only == Tally(3, 4, 2)  # person 0:2, and city 0:1 inside 0:2


def test_type_only_uses_each_span_once() -> None:
    one, parts = [[Span(0, 4, "x")]], [[Span(0, 2, "x"), Span(2, 4, "x")]]
    assert score_spans(one, parts).type_only == Tally(1, 2, 1)
    assert score_spans(parts, one).type_only == Tally(2, 1, 1)


def test_sentences_never_meet() -> None:
    assert score_spans([[Span(0, 1, "x")], []], [[], [Span(0, 1, "x")]]).exact.correct == 0


def test_no_entity_anywhere_is_defined() -> None:
    scores = score_spans([[], []], [[], []])
    assert (scores.precision, scores.recall, scores.f1, scores.macro_f1) == (0.0, 0.0, 0.0, 0.0)
    assert (scores.num_sentences, scores.per_label) == (2, {})
    assert score_spans([], []).f1 == 0.0
    assert score_spans([[]], [[Span(0, 1, "x")]]).exact == Tally(0, 1, 0)


def test_lists_of_other_lengths_are_refused() -> None:
    message = "2 sentences of gold spans, but 1 of predicted spans"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        score_spans([[], []], [[]])


def test_the_two_readings_differ_on_malformed_tags() -> None:
    spans = (Span(0, 1, "x"), Span(2, 3, "y"))
    one = Prediction(("a", "b", "c"), spans, spans, predicted_tags=("B-x", "O", "I-y"))
    lenient, strict = score([one]), score([one], reading="strict")
    assert lenient.exact == Tally(2, 2, 2)
    assert strict.exact == Tally(2, 1, 1)
    assert (strict.malformed_gold, strict.malformed_predicted) == (0, 1)
    assert (lenient.reading, strict.reading) == ("conlleval", "strict")


def test_json_holds_fractions_and_counts() -> None:
    content = json.loads(json.dumps(score_spans(GOLD, PREDICTED).to_json()))
    assert content["micro"] == {
        "precision": 1 / 4,
        "recall": 1 / 3,
        "f1": 2 / 7,
        "gold": 3,
        "predicted": 4,
        "correct": 1,
    }
    assert content["per_label"]["person"]["f1"] == 2 / 3
    assert content["macro"]["f1"] == 1 / 3
