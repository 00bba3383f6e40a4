"""The embedded sample project is what its README says: counts, tag grammar, labels, novelty of the test mentions."""

import re
from collections import defaultdict
from itertools import pairwise

import pytest
from sample_files import LABELLED, SAMPLE, label_counts, mentions, names_by_label, raw_paragraphs, read

from nerbridge.pipeline.quickstart import SENTENCE

SHARED_LABELS = {"person", "organisation", "location"}
TARGET_LABELS = SHARED_LABELS | {"celestialobject", "spacecraft", "rocket", "instrument"}


@pytest.mark.parametrize(("name", "least"), list(zip(LABELLED, (250, 40, 120), strict=True)))
def test_file_has_the_promised_number_of_sentences(name: str, least: int) -> None:
    assert len(read(name)) >= least


@pytest.mark.parametrize("name", LABELLED)
def test_tags_are_valid_iob2(name: str) -> None:
    for sentence in read(name):
        for before, tag in pairwise(["O", *sentence.tags]):
            assert re.fullmatch(r"O|[BI]-[a-z]+", tag), (sentence.words, tag)
            assert tag[0] != "I" or before[2:] == tag[2:], (sentence.words, before, tag)


@pytest.mark.parametrize("name", LABELLED)
def test_text_is_plain(name: str) -> None:
    content = (SAMPLE / name).read_bytes().decode("utf-8")
    assert "\r" not in content
    assert "\n\n\n" not in content
    assert content.endswith("\n\n")
    assert not [word for sentence in read(name) for word in sentence.words if re.search(r"\w[,;:?!\"]$|\w's$", word)]


def test_labels() -> None:
    assert set(label_counts(read("source_train.txt"))) == SHARED_LABELS | {"misc"}
    assert set(label_counts(read("target_train.txt"))) == TARGET_LABELS
    assert set(label_counts(read("target_test.txt"))) == TARGET_LABELS


@pytest.mark.parametrize(("name", "least"), list(zip(LABELLED, (50, 8, 20), strict=True)))
def test_every_label_has_enough_mentions(name: str, least: int) -> None:
    assert {label: count for label, count in label_counts(read(name)).items() if count < least} == {}


def test_few_test_mentions_were_seen_in_training() -> None:
    seen = {text for sentence in read("target_train.txt") for _, text in mentions(sentence)}
    tested = [text for sentence in read("target_test.txt") for _, text in mentions(sentence)]
    assert sum(text in seen for text in tested) <= 0.3 * len(tested)


def test_a_string_has_one_label_within_a_file() -> None:
    for name in LABELLED:
        labels: dict[str, set[str]] = defaultdict(set)
        for sentence in read(name):
            for label, text in mentions(sentence):
                labels[text].add(label)
        assert {text: found for text, found in labels.items() if len(found) > 1} == {}


def test_raw_text_has_paragraphs_of_two_to_five_sentences() -> None:
    paragraphs = raw_paragraphs()
    sizes = [len(re.findall(r"[.?!](?: |$)", paragraph)) for paragraph in paragraphs]
    assert sum(sizes) >= 150
    assert min(sizes) >= 2
    assert max(sizes) <= 5


def test_name_lists() -> None:
    raw = (SAMPLE / "raw.txt").read_text(encoding="utf-8")
    lists = names_by_label()
    assert set(lists) == TARGET_LABELS
    for label, names in lists.items():
        assert 20 <= len(set(names)) == len(names) <= 60, label
        assert sum(name in raw for name in names) >= 5, label


def test_the_sentence_of_the_demo_has_names_that_no_training_sentence_has() -> None:
    trained = {word for name in ("source_train.txt", "target_train.txt") for one in read(name) for word in one.words}
    for name in ("Caldera", "Auster", "Titan"):
        assert name in SENTENCE
        assert name not in trained
