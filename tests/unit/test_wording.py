"""Numbers and their nouns."""

import pytest

from nerbridge.wording import counted, plural


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
