"""Who answers whom: matching, the confusion of labels, and the listing of mistakes."""

import pytest

from nerbridge.data.sentence import Span
from nerbridge.evaluation.confusion import NONE, confuse
from nerbridge.evaluation.error_listing import count_kinds, list_mistakes
from nerbridge.evaluation.matching import Kind, match
from nerbridge.evaluation.predictions import Prediction


@pytest.mark.parametrize(
    ("gold", "predicted", "kinds"),
    [
        ([Span(0, 2, "a")], [Span(0, 2, "a")], ["correct"]),
        ([Span(0, 2, "a")], [], ["missed"]),
        ([], [Span(0, 2, "a")], ["spurious"]),
        ([Span(0, 2, "a")], [Span(0, 2, "b")], ["wrong label"]),
        ([Span(0, 2, "a")], [Span(1, 3, "a")], ["wrong boundary"]),
        ([Span(0, 2, "a")], [Span(1, 3, "b")], ["wrong label and boundary"]),
        ([Span(0, 2, "a")], [Span(2, 3, "a")], ["missed", "spurious"]),
        # equal boundaries come before overlap, the same label before a larger overlap
        ([Span(0, 1, "a"), Span(1, 3, "b")], [Span(0, 3, "b")], ["wrong boundary", "missed"]),
        ([Span(0, 5, "a")], [Span(0, 4, "b"), Span(4, 5, "a")], ["wrong boundary", "spurious"]),
    ],
)
def test_kinds(gold: list[Span], predicted: list[Span], kinds: list[str]) -> None:
    assert [one.kind.value for one in match(gold, predicted)] == kinds


PREDICTIONS = [
    Prediction(
        ("Ada", "met", "Rolf", "in", "Oslo"),
        gold=(Span(0, 1, "person"), Span(2, 3, "person"), Span(4, 5, "city")),
        predicted=(Span(0, 1, "city"), Span(1, 3, "person")),
        origin="a.txt:1",
    ),
    Prediction(("None", "here"), gold=(), predicted=(Span(0, 1, "person"),), origin="a.txt:7"),
]


def test_confusion() -> None:
    confusion = confuse(PREDICTIONS)
    assert confusion.labels == ("city", "person")
    assert confusion.counts == ((0, 0, 1), (1, 1, 0), (0, 1, 0))
    assert confusion.count("person", "city") == 1
    assert confusion.count("city", NONE) == 1
    assert confusion.to_json()["labels"] == ["city", "person", None]


def test_listing() -> None:
    mistakes = list_mistakes(PREDICTIONS)
    assert [(mistake.kind.value, mistake.prediction.origin) for mistake in mistakes] == [
        ("wrong label", "a.txt:1"),
        ("wrong boundary", "a.txt:1"),
        ("missed", "a.txt:1"),
        ("spurious", "a.txt:7"),
    ]
    assert mistakes[1].to_json() == {
        "text": "Ada met Rolf in Oslo",
        "gold": [2, 3, "person", "Rolf"],
        "predicted": [1, 3, "person", "met Rolf"],
        "kind": "wrong boundary",
        "origin": "a.txt:1",
    }
    assert count_kinds(mistakes) == {
        Kind.MISSED: 1,
        Kind.SPURIOUS: 1,
        Kind.WRONG_LABEL: 1,
        Kind.WRONG_BOUNDARY: 1,
        Kind.BOTH: 0,
    }
