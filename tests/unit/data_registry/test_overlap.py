"""Vocabularies and their overlap, on texts small enough to count by hand."""

from itertools import combinations
from pathlib import Path

import pytest

from nerbridge.data.overlap import overlap, overlap_matrix, vocabulary
from nerbridge.data.registry import load_dataset

DOMAINS = ("conll2003", *(f"crossner/{name}" for name in ("politics", "science", "music", "literature", "ai")))
# Figure 1 of CrossNER above its diagonal, row by row.
FIGURE = (35.7, 25.9, 24.0, 27.1, 25.4, 28.8, 27.2, 31.6, 24.9, 25.1, 28.9, 28.0, 30.2, 22.1, 24.8)


def test_a_vocabulary_has_the_most_frequent_words_that_say_something() -> None:
    words = ["The", "cat", "Cat", "saw", "the", "dog", "and", "a", "dog", "2", ",", "x2", "bird"]
    assert vocabulary(words) == {"cat", "saw", "dog", "x2", "bird"}
    assert vocabulary(words, size=2) == {"cat", "dog"}


def test_among_equally_frequent_words_the_alphabet_decides() -> None:
    assert vocabulary(["zebra", "ape", "cow"], size=2) == {"ape", "cow"}


def test_overlap_is_the_shared_part_of_the_smaller_vocabulary() -> None:
    assert overlap(frozenset("abcd"), frozenset("cdefgh")) == 50.0
    assert overlap(frozenset(), frozenset("a")) == 0.0


def test_the_matrix_is_symmetric_with_hundreds_on_the_diagonal() -> None:
    domains = {"one": frozenset("ab"), "two": frozenset("bc"), "three": frozenset("xyz")}
    assert overlap_matrix(domains) == [[100, 50, 0], [50, 100, 0], [0, 0, 100]]


@pytest.mark.parametrize("word", ["it's", "l'été", "naïve", "日本", "covid-19"])
def test_words_of_any_script_count(word: str) -> None:
    assert vocabulary([word]) == {word}


@pytest.mark.data
@pytest.mark.slow
def test_the_numbers_are_near_those_of_the_papers_figure(data_root: Path) -> None:
    data = [load_dataset(name, data_root).splits.values() for name in DOMAINS]
    vocabularies = [vocabulary(word for split in splits for one in split for word in one.words) for splits in data]
    found = [overlap(*pair) for pair in combinations(vocabularies, 2)]
    higher = [mine - printed for mine, printed in zip(found, FIGURE, strict=True)]
    assert (min(higher), max(higher)) == pytest.approx((0.4, 7.3), abs=0.05)
    assert sum(higher) / len(higher) == pytest.approx(2.6, abs=0.05)
