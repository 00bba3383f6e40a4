"""Text of evaluation sets is found in raw text, whatever the spaces and punctuation."""

import random

import numpy as np

from nerbridge.corpus.hashing import word_codes
from nerbridge.corpus.overlap_guard import OverlapGuard, comparable_words


def tokens(text: str) -> list[str]:
    return text.split()


LONG = tokens("The quick brown fox didn't jump over the lazy dog that slept near the old barn .")
NINE = tokens("Ada Lovelace wrote the first program for a machine .")
FIVE = tokens("Who is Ada Lovelace today ?")


def found(guard: OverlapGuard, *texts: str) -> list[list[str]]:
    words = [comparable_words(text) for text in texts]
    codes = word_codes([word for one in words for word in one])
    bits = guard.find(codes, np.array([len(one) for one in words]))
    return [guard.names_of(int(one)) for one in bits]


def test_thirteen_words_in_a_row_are_found() -> None:
    guard = OverlapGuard({"a dev": [LONG]})
    assert found(
        guard,
        "Then: the quick, brown fox did n't jump over the lazy dog that slept. Here.",
        "then the quick brown fox did n't jump over the lazy dog.",  # twelve
        "",
        "Quick BROWN fox didn't jump over the lazy dog that slept near...",
    ) == [["a dev"], [], [], ["a dev"]]


def test_a_row_does_not_cross_paragraphs() -> None:
    text = " ".join(LONG)
    half = len(text) // 2
    guard = OverlapGuard({"a": [LONG]})
    assert found(guard, text[:half], text[half:]) == [[], []]
    assert found(guard, text) == [["a"]]


def test_short_sentences_are_found_whole() -> None:
    guard = OverlapGuard({"a": [NINE, FIVE]})
    assert found(guard, "It is said that Ada Lovelace wrote the first program for a machine.") == [["a"]]
    assert found(guard, "Ada Lovelace wrote the first program for a computer.") == [[]]
    assert found(guard, "Who is Ada Lovelace today?") == [[]]  # too short to mean anything
    assert found(OverlapGuard({"a": [FIVE]}, shortest=5), "Who is Ada Lovelace today?") == [["a"]]


def test_every_set_is_named() -> None:
    sets = {f"set {number}": [[*LONG, str(number)]] for number in range(64)}
    assert found(OverlapGuard(sets), " ".join(LONG)) == [list(sets)]
    guard = OverlapGuard({"a": [LONG], "b": [NINE]})
    assert found(guard, " ".join([*LONG, *NINE]), " ".join(NINE)) == [["a", "b"], ["b"]]


def test_a_guard_without_rows_finds_nothing() -> None:
    guard = OverlapGuard({"a": [["Hi", "."]]})
    assert found(guard, " ".join(LONG), "Hi.") == [[], []]
    assert not guard


def test_the_fingerprint_changes_with_the_sentences() -> None:
    prints = {OverlapGuard({"a": [words]}).fingerprint() for words in (LONG, NINE, LONG)}
    assert len(prints) == 2


def test_no_false_alarm_in_a_million_words() -> None:
    numbers = np.random.default_rng(1)
    guard = OverlapGuard({"a": [[f"w{word}" for word in row] for row in numbers.integers(0, 3000, size=(2000, 20))]})
    codes = word_codes([f"w{word}" for word in numbers.integers(0, 3000, size=1_000_000)])
    assert not guard.find(codes, np.full(10_000, 100)).any()


def test_every_part_that_a_row_touches_is_found() -> None:
    """Paragraphs of several parts, against a search word by word."""
    chance = random.Random(1)
    for _ in range(200):
        words = [str(chance.randrange(2)) for _ in range(chance.randint(1, 60))]
        sets = {name: [[str(chance.randrange(2)) for _ in range(6)] for _ in range(2)] for name in "ab"}
        borders = sorted(chance.choices(range(len(words) + 1), k=chance.randint(0, 12)))
        sizes = np.diff([0, *borders, len(words)])
        wholes: list[int] = []
        while sum(wholes) < len(sizes):
            wholes.append(chance.randint(1, len(sizes) - sum(wholes)))
        guard = OverlapGuard(sets, num_words=5, shortest=3)
        bits = guard.find(word_codes(words), sizes, np.array(wholes))
        assert [set(guard.names_of(int(one))) for one in bits] == searched(words, sizes.tolist(), wholes, sets)


def searched(words: list[str], sizes: list[int], wholes: list[int], sets: dict[str, list[list[str]]]) -> list[set[str]]:
    part_of = [part for part, size in enumerate(sizes) for _ in range(size)]
    whole_of = [whole for whole, number in enumerate(wholes) for _ in range(number)]
    found: list[set[str]] = [set() for _ in sizes]
    for name, sentences in sets.items():
        rows = {tuple(one[start : start + 5]) for one in sentences for start in range(len(one) - 4)}
        for start in range(len(words) - 4):
            first, last = part_of[start], part_of[start + 4]
            if tuple(words[start : start + 5]) in rows and whole_of[first] == whole_of[last]:
                for part in range(first, last + 1):
                    found[part].add(name)
    return found
