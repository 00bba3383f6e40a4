"""Finding names in sentences: whole words, leftmost, longest, in any script."""

import pickle

import pytest

from nerbridge.corpus.matching import Match, Matcher, padded
from nerbridge.corpus.matching_names import NameForms


def matcher(*names: str, fold: bool = False, inner: frozenset[str] = frozenset()) -> Matcher:
    """Names of one label, or 'name=label'."""
    pairs = [name.partition("=")[::2] for name in names]
    labels = tuple(dict.fromkeys(label or "x" for _, label in pairs))
    bits: dict[str, int] = {}
    for name, label in pairs:
        bits[name] = bits.get(name, 0) | 1 << labels.index(label or "x")
    return Matcher(NameForms(labels, bits, inner, fold))


def found(finder: Matcher, text: str) -> list[str]:
    """The words of every match."""
    words = text.split(" ")
    return [" ".join(words[match.start : match.end]) for match in finder.matches(words)]


def test_places_are_words_and_labels_are_named() -> None:
    finder = matcher("Ada Lovelace=person", "London=city", "London=song")
    assert finder.matches(["Ada", "Lovelace", "left", "London"]) == [
        Match(0, 2, ("person",)),
        Match(3, 4, ("city", "song")),
    ]
    assert finder.matches(["nobody"]) == []
    assert finder.matches([]) == []


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        (["New York"], "New Yorkers like York New York", ["New York"]),
        (["New York", "York"], "New York York", ["New York", "York"]),
        (["New York", "New York City", "City Hall"], "New York City Hall", ["New York City"]),
        (["New York City Hall", "York City"], "New York City", ["York City"]),
        (["a b", "b c d"], "a b c d", ["a b"]),
        (["Ada"], "Ada Ada Ada", ["Ada", "Ada", "Ada"]),
        (["C++", "a.*b", "[x]", "\\d"], "a.*b C++ [x] \\d aXb", ["a.*b", "C++", "[x]", "\\d"]),
        (["北京 大学", "東京"], "北京 大学 東京", ["北京 大学", "東京"]),
        (["大学"], "北京大学", []),
        (["نجيب محفوظ"], "كتب نجيب محفوظ رواية", ["نجيب محفوظ"]),
        (["é"], "e\u0301 é", ["é"]),
        (["😀 party"], "a 😀 party", ["😀 party"]),
    ],
)
def test_whole_words_leftmost_longest(names: list[str], text: str, expected: list[str]) -> None:
    assert found(matcher(*names), text) == expected


def test_small_letters_only_where_asked() -> None:
    assert found(matcher("queen"), "Queen QUEEN queen") == ["queen"]
    assert found(matcher("queen", fold=True), "Queen QUEEN queen") == ["Queen", "QUEEN", "queen"]
    assert found(matcher("i̇zmir x", fold=True), "a İZMİR x İzmir x") == ["İzmir x"]  # letters that grow when small


def test_ordinary_words_count_behind_the_first_word() -> None:
    finder = matcher("Train", "Oslo", inner=frozenset({"Train"}))
    assert found(finder, "Train left Oslo with Train") == ["Oslo", "Train"]
    assert found(finder, "Oslo") == ["Oslo"]


def test_words_stand_between_spaces_of_their_own() -> None:
    assert padded(["New", "York"]) == b" New  York "


def test_forms_travel_to_other_processes() -> None:
    forms = NameForms(("city",), {"Oslo": 1}, frozenset({"Oslo"}))
    assert pickle.loads(pickle.dumps(forms)) == forms
