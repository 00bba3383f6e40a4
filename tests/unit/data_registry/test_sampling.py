"""Few-shot samples: seeded, every label kept where that can be, order kept."""

from collections import Counter

import pytest

from nerbridge.data.sampling import sample_per_label, sample_sentences
from nerbridge.data.sentence import Sentence, Span, labels_of
from nerbridge.errors import DataError


def labelled(number: int, *labels: str) -> Sentence:
    words = (f"s{number}", *(f"w{i}" for i in range(len(labels))))
    return Sentence(words, tuple(Span(i + 1, i + 2, label) for i, label in enumerate(labels)))


# 97 sentences with a person, one city, one band beside a person, one without anything
MANY = [
    *(labelled(number, "person") for number in range(97)),
    labelled(97, "city"),
    labelled(98, "band", "person"),
    labelled(99),
]


def mentions(sentences: list[Sentence]) -> Counter[str]:
    return Counter(span.label for sentence in sentences for span in sentence.spans)


@pytest.mark.parametrize("seed", range(10))
def test_rare_labels_are_kept(seed: int) -> None:
    sample = sample_sentences(MANY, 5, seed=seed)
    assert len(sample) == 5
    assert labels_of(sample) == ("band", "city", "person")
    assert sample == sorted(sample, key=MANY.index)


def test_with_too_few_sentences_the_rarest_labels_win() -> None:
    assert labels_of(sample_sentences(MANY, 2)) == ("band", "city", "person")
    assert len(labels_of(sample_sentences(MANY, 1))) >= 1


def test_the_seed_decides() -> None:
    assert sample_sentences(MANY, 20, seed=1) == sample_sentences(MANY, 20, seed=1)
    assert sample_sentences(MANY, 20, seed=1) != sample_sentences(MANY, 20, seed=2)


def test_all_of_them_is_all_of_them() -> None:
    assert sample_sentences(MANY, 100) == MANY


def test_more_than_all_is_refused() -> None:
    with pytest.raises(DataError) as caught:
        sample_sentences(MANY, 101)
    assert str(caught.value) == (
        "101 sentences cannot be drawn from 100\n"
        "  where: the number of sentences to draw\n"
        "  expected: a number from 1 to 100\n"
        "  hint: draw fewer, or from a larger file"
    )


@pytest.mark.parametrize("per_label", [1, 2, 5])
def test_each_label_has_its_mentions_or_all_there_are(per_label: int) -> None:
    sample = sample_per_label(MANY, per_label, seed=3)
    totals, found = mentions(MANY), mentions(sample)
    assert all(found[label] >= min(per_label, totals[label]) for label in totals)
    assert len(sample) == per_label + 1  # the city, and persons of which one brings the band


def test_without_mentions_nothing_can_be_drawn_by_label() -> None:
    with pytest.raises(DataError, match="no sentence has a mention to draw by label"):
        sample_per_label([labelled(1)], 1)
