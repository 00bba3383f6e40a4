"""The record of a prediction, and its files."""

import re
from pathlib import Path

import pytest

from nerbridge.data.sentence import Origin, Sentence, Span
from nerbridge.errors import DataError, FileFaults
from nerbridge.evaluation.predictions import Prediction, read_predictions, write_predictions

WORDS = ("Zoë", "lives", "in", "New", "York")
PERSON, CITY = Span(0, 1, "person"), Span(3, 5, "city")


def test_spans_are_sorted_and_distinct_with_their_scores() -> None:
    one = Prediction(WORDS, (CITY, PERSON, CITY), (CITY, PERSON), span_scores=(0.25, 0.5))
    assert one.gold == one.predicted == (PERSON, CITY)
    assert one.span_scores == (0.5, 0.25)
    assert one.mention(CITY) == "New York"


def test_made_from_a_sentence() -> None:
    sentence = Sentence(WORDS, (PERSON,), origin=Origin("a.txt", 7))
    assert Prediction.of(sentence, [CITY], span_scores=[0.5]) == Prediction(
        WORDS, (PERSON,), (CITY,), span_scores=(0.5,), origin="a.txt:7"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"predicted": (Span(4, 6, "city"),)}, "Span(start=4, end=6, label='city') ends behind the last of 5 words"),
        ({"predicted": (CITY,), "span_scores": ()}, "0 scores for 1 predicted spans"),
        ({"predicted": (), "predicted_tags": ("O",)}, "1 tags for 5 words"),
        (
            {"predicted": (), "predicted_tags": ("B-person", "O", "O", "O", "O")},
            "the tags B-person O O O O hold the spans [Span(start=0, end=1, label='person')], not []",
        ),
    ],
)
def test_what_does_not_fit_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Prediction(WORDS, (), **arguments)  # type: ignore[arg-type]


def test_written_and_read_again(tmp_path: Path) -> None:
    predictions = [
        Prediction(WORDS, (PERSON,), (CITY,), span_scores=(0.123457,), origin="a.txt:7"),
        Prediction(
            ("a", "b"),
            (),
            (Span(1, 2, "x"),),
            predicted_tags=("O", "S-x"),
            predicted_scheme="BIOES",
            gold_tags=("O", "O"),
        ),
        Prediction(("only\u2028one",), (), ()),
    ]
    path = tmp_path / "predictions" / "test.jsonl"
    write_predictions(path, predictions)
    assert read_predictions(path) == predictions
    assert path.read_text(encoding="utf-8").splitlines()[0] == (
        '{"words": ["Zoë", "lives", "in", "New", "York"], "gold": [[0, 1, "person"]], '
        '"predicted": [[3, 5, "city", 0.123457]], "origin": "a.txt:7"}'
    )
    assert [file.name for file in path.parent.iterdir()] == ["test.jsonl"]


def test_every_bad_line_is_found(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl"
    good = '{"words": ["a"], "gold": [], "predicted": []}'
    path.write_text(
        f'{good}\n{{"words": ["a"], "gold": []}}\n{good}\n[]\n{{"words": ["a"], "gold": [[1, 1, "x"]]', "utf-8"
    )
    with pytest.raises(FileFaults) as caught:
        read_predictions(path)
    assert [fault.where for fault in caught.value.faults] == [f"{path}:{line}" for line in (2, 4, 5)]
    assert caught.value.faults[0].what == "line holds no prediction: key 'predicted' is missing"


def test_a_missing_file_is_a_data_error(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read_predictions(tmp_path / "none.jsonl")
    assert str(caught.value).splitlines()[1:] == [
        f"  where: {tmp_path}/none.jsonl",
        "  expected: a JSONL file of predictions, UTF-8",
        "  hint: remove the file and run the training command again: it restores what is missing",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"words": "ab", "gold": [], "predicted": []}',
        '{"words": ["a", 1], "gold": [], "predicted": []}',
        '{"words": ["a"], "gold": [[0, 1, 5]], "predicted": []}',
        '{"words": ["a"], "gold": [], "predicted": [["0", 1, "x"]]}',
        '{"words": ["a"], "gold": [], "predicted": [[0, 1, "x", "high"]]}',
        '{"words": ["a"], "gold": [], "predicted": [], "origin": 3}',
        '{"words": ["a"], "gold": [], "predicted": [], "gold_tags": [3]}',
        '{"words": ["a"], "gold": [], "predicted": [], "gold_tags": ["O"], "gold_scheme": ["BIO"]}',
    ],
)
def test_a_line_of_another_form_is_a_fault(tmp_path: Path, line: str) -> None:
    (tmp_path / "test.jsonl").write_text(line, "utf-8")
    with pytest.raises(FileFaults, match="line holds no prediction: "):
        read_predictions(tmp_path / "test.jsonl")
