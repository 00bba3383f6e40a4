"""Vocabularies and their overlap, on texts small enough to count by hand."""

import pytest

from nerbridge.data.overlap import overlap, overlap_matrix, vocabulary


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
