"""Two runs beside each other: numbers, differing sentences, and what is refused."""

import json
from dataclasses import replace

import pytest

from nerbridge.data.sentence import Span
from nerbridge.errors import DataError
from nerbridge.evaluation.comparison import compare, compare_runs
from nerbridge.evaluation.predictions import Prediction

PERSON, CITY = Span(0, 1, "person"), Span(2, 3, "city")
FIRST = [
    Prediction(("Ada", "in", "Oslo"), (PERSON, CITY), (PERSON,), origin="a.txt:1"),
    Prediction(("Ada", "here"), (PERSON,), (PERSON,), origin="a.txt:5"),
]
SECOND = [replace(FIRST[0], predicted=(PERSON, CITY)), FIRST[1]]


def test_numbers_and_differing_sentences() -> None:
    comparison = compare(FIRST, SECOND, names=("a", "b"), rounds=100)
    assert comparison.first.mean == pytest.approx(4 / 5)
    assert comparison.second.mean == 1.0
    assert comparison.test.difference == pytest.approx(1 / 5)
    assert comparison.test.p_value == 1.0  # one differing sentence proves nothing
    assert [one.gain for one in comparison.differing] == [1]
    content = json.loads(json.dumps(comparison.to_json()))
    assert content["second"]["name"] == "b"
    assert content["differing"] == [
        {
            "run": "",
            "origin": "a.txt:1",
            "text": "Ada in Oslo",
            "gold": [[0, 1, "person"], [2, 3, "city"]],
            "first": [[0, 1, "person"]],
            "second": [[0, 1, "person"], [2, 3, "city"]],
            "gain": 1,
        }
    ]


def test_seeds_are_paired_by_name() -> None:
    first = {"seed-1": FIRST, "seed-2": FIRST, "seed-9": FIRST}
    second = {"seed-2": SECOND, "seed-1": FIRST}
    comparison = compare_runs(first, second, rounds=10)
    assert comparison.pairs == ("seed-1", "seed-2")
    assert comparison.unpaired == ("seed-9",)
    assert comparison.second.values == (pytest.approx(4 / 5), 1.0)
    assert [one.run for one in comparison.differing] == ["seed-2"]


def test_single_runs_pair_whatever_their_names() -> None:
    assert compare_runs({"": FIRST}, {"seed-4": SECOND}, rounds=10).test.difference > 0


def test_no_partner() -> None:
    with pytest.raises(DataError) as caught:
        compare_runs({"": FIRST}, {"seed-1": FIRST, "seed-2": FIRST}, names=("a", "b"))
    assert str(caught.value).splitlines() == [
        "no run of the first has a partner in the second",
        "  where: a has a single run; b has seed-1, seed-2",
        "  expected: two single runs, or runs of the same seeds",
        "  hint: train both with the same --seeds, or name one run on each side",
    ]


@pytest.mark.parametrize(
    ("other", "what", "where"),
    [
        (
            [FIRST[0], replace(FIRST[1], words=("Eva", "here"))],
            "sentence 2 differs: 'Ada here' against 'Eva here'",
            "a: a.txt:5; b: a.txt:5",
        ),
        (
            [replace(FIRST[0], gold=(CITY,), origin=""), FIRST[1]],
            "the gold spans of sentence 1 differ: 0:1 person, 2:3 city against 2:3 city",
            "a: a.txt:1; b: sentence 1",
        ),
        (
            FIRST[:1],
            "the runs were scored on different data: 2 sentences against 1",
            "a: a.txt:5; b: no such sentence",
        ),
    ],
)
def test_other_data_is_refused(other: list[Prediction], what: str, where: str) -> None:
    with pytest.raises(DataError) as caught:
        compare(FIRST, other, names=("a", "b"))
    assert str(caught.value).splitlines() == [
        what,
        f"  where: {where}",
        "  expected: the same sentences in the same order with the same gold spans",
        "  hint: `nerbridge evaluate RUN FILE --output FOLDER` for each run on one file, then compare the folders",
    ]


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(DataError) as caught:
        compare([], [])
    assert caught.value.what == "there are no sentences to compare"
