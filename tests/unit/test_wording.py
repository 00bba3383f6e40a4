"""Numbers and their nouns."""

import pytest

from nerbridge.corpus.tally import REASONS
from nerbridge.wording import counted, counted_as, plural


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [
        (0, "sentence", "0 sentences"),
        (1, "sentence", "1 sentence"),
        (2345, "sentence", "2,345 sentences"),
        (1, "entity", "1 entity"),
        (2, "entity", "2 entities"),
        (2, "day", "2 days"),
        (2, "training sentence", "2 training sentences"),
    ],
)
def test_a_number_stands_with_its_noun(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text


def test_an_odd_plural_is_given() -> None:
    assert [counted(number, "is", "are") for number in (1, 2)] == ["1 is", "2 are"]
    assert plural("marker line") == "marker lines"


def test_what_is_said_of_many_agrees_with_one() -> None:
    assert [counted_as(1, REASONS[name]) for name in ("not_json", "unreadable", "overlap", "exact_duplicate")] == [
        "1 line that is no JSON object",
        "1 paragraph with control or replacement characters",
        "1 paragraph that shares words in a row with an evaluation set",
        "1 paragraph that was there before",
    ]
    assert counted_as(1234, REASONS["not_json"]) == "1,234 lines that are no JSON object"
    assert all(not said.split()[1].endswith("s") for said in (counted_as(1, many) for many in REASONS.values()))
