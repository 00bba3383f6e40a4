"""Repetitions are found whatever the order, in memory that never grows; what is different stays."""

import random
from itertools import pairwise

import numpy as np
import pytest

from nerbridge.corpus.duplicates import DuplicateFilter, Repetition
from nerbridge.corpus.hashing import normalised_words, word_codes
from nerbridge.corpus.similarity import BANDS, SimilarityKeys, rows_per_band

VOCABULARY = [f"w{number}" for number in range(5_000)]


def keys_of(
    paragraphs: list[list[str]], similarity: float = 0.8, seed: int = 1
) -> "np.ndarray[tuple[int, int], np.dtype[np.uint64]]":
    codes = word_codes([word for words in paragraphs for word in words])
    return SimilarityKeys(similarity, seed).of(codes, np.array([len(words) for words in paragraphs]))


def made_up(numbers: random.Random, size: int = 100) -> list[str]:
    return [VOCABULARY[int(5_000 * numbers.random() ** 3)] for _ in range(size)]  # some words are frequent


def jaccard(first: list[str], second: list[str]) -> float:
    one, other = (set(pairwise(words)) for words in (first, second))
    return len(one & other) / len(one | other)


def changed(words: list[str], numbers: random.Random, share: float) -> list[str]:
    return [f"x{numbers.random()}" if numbers.random() < share else word for word in words]


def test_planted_near_duplicates_are_found() -> None:
    numbers = random.Random(1)
    originals = [made_up(numbers, numbers.randint(30, 200)) for _ in range(2_000)]
    planted = [changed(words, numbers, 0.04) for words in originals]
    found = similar = 0
    seen = DuplicateFilter(8)
    for keys in keys_of(originals):
        assert seen.take(np.insert(keys, 0, 0)) is None  # no false alarm among 2,000 different ones
    for original, copy, keys in zip(originals, planted, keys_of(planted), strict=True):
        if jaccard(original, copy) >= 0.8:
            similar += 1
            found += seen.take(np.insert(keys, 0, 0)) is Repetition.NEAR
    assert similar > 1_200
    assert found / similar >= 0.95


@pytest.mark.parametrize("similarity", [0.5, 0.65, 0.8, 0.9, 0.95])
def test_bands_reach_the_recall_at_the_similarity_asked_for(similarity: float) -> None:
    rows = rows_per_band(similarity)
    assert 1 - (1 - similarity**rows) ** BANDS >= 0.97
    assert 1 - (1 - similarity ** (rows + 1)) ** BANDS < 0.97  # one more row would miss more
    assert 1 - (1 - (similarity / 2) ** rows) ** BANDS < 0.75


def test_keys_agree_as_often_as_sets_do() -> None:
    """One function of MinHash agrees with the probability of the Jaccard similarity."""
    numbers = random.Random(2)
    originals = [made_up(numbers, 60) for _ in range(400)]
    copies = [changed(words, numbers, 0.25) for words in originals]
    expected = np.mean([jaccard(a, b) for a, b in zip(originals, copies, strict=True)])
    agreement = [np.mean(keys_of(originals, 0.2, seed) == keys_of(copies, 0.2, seed)) for seed in range(10)]
    assert rows_per_band(0.2) == 1
    assert np.mean(agreement) == pytest.approx(expected, abs=0.02)


def test_keys_do_not_depend_on_the_neighbours() -> None:
    numbers = random.Random(3)
    paragraphs = [made_up(numbers, size) for size in (50, 1, 2, 0, 30)]
    together = keys_of(paragraphs)
    for paragraph, keys in zip(paragraphs, together, strict=True):
        assert (keys_of([paragraph])[0] == keys).all()
    assert not together[1].any()
    assert not together[3].any()
    assert together[2].all()


def test_exact_words_are_told_from_near_ones() -> None:
    def take(*keys: int) -> Repetition | None:
        return seen.take(np.array(keys, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))  # spread over the table

    seen = DuplicateFilter(1)
    assert take(5, 6, 7) is None
    assert take(9, 6, 8) is Repetition.NEAR
    assert take(5, 1, 2) is Repetition.EXACT
    assert take(0, 1, 2) is None  # repetitions are not remembered
    assert take(0, 0, 0) is None


def test_a_full_filter_forgets_the_oldest_and_counts_it() -> None:
    seen = DuplicateFilter(1)
    keys = np.random.default_rng(1).integers(1, 2**64, size=(400_000, 1), dtype=np.uint64)
    for start in range(0, 400_000, 20):
        seen.add(keys[start : start + 20, 0])
    places = (1 << 20) // 33 * 8
    assert seen.forgotten == pytest.approx(400_000 - places, rel=0.05)
    assert seen.take(keys[-1]) is Repetition.EXACT
    remembered = sum(seen.take(key) is Repetition.EXACT for key in keys[:1000])
    assert remembered < 400


def test_words_are_compared_without_case_and_punctuation() -> None:
    assert normalised_words('The U.S.-led "team", 3.5 %') == ["the", "u", "s", "led", "team", "3", "5"]
    assert normalised_words("東京タワー is ไทย 5") == [*"東京タワー", "is", *"ไทย", "5"]
    assert normalised_words("café Straße سلام") == ["café", "straße", "سلام"]
    assert normalised_words("") == []
    assert word_codes(["a", "b"]).tolist() == word_codes(["a", "b"]).tolist() != word_codes(["b", "a"]).tolist()
