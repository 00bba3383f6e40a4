"""Checks: each kind of finding where it stands, and nothing on sound data."""

from pathlib import Path

import pytest

from builders import tiny_folder
from nerbridge.data.checks import (
    Finding,
    Kind,
    Splits,
    count_seen_mentions,
    count_shared,
    find_duplicates,
    find_encoder_faults,
    find_label_faults,
    find_long_sentences,
    find_word_faults,
    survey_file,
)
from nerbridge.data.checks.finding import MEANINGS
from nerbridge.data.encoder_words import EncoderWords
from nerbridge.data.near_labels import near_labels
from nerbridge.data.reading import read_sentences
from nerbridge.data.registry import card_names, find_card
from nerbridge.data.sentence import Sentence, Span
from nerbridge.errors import DataError


def plain(text: str, *spans: Span) -> Sentence:
    return Sentence(tuple(text.split(" ")), spans)


ADA = plain("Ada wrote notes", Span(0, 1, "person"))
ADA_CITY = plain("Ada wrote notes", Span(0, 1, "city"))
OSLO = plain("Oslo slept", Span(0, 1, "city"))


def test_every_kind_has_a_meaning() -> None:
    assert set(MEANINGS) == set(Kind)


def test_sound_data_gives_no_finding() -> None:
    splits: Splits = {"train": [ADA, plain("Bob ran", Span(0, 1, "person"))], "test": [plain("Eve sat")]}
    assert [*find_label_faults(splits, rare=0), *find_duplicates(splits), *find_word_faults(splits)] == []
    assert list(find_long_sentences(splits, longest=3)) == []


def test_duplicates_inside_a_split_and_their_tags() -> None:
    assert list(find_duplicates({"train": [ADA, OSLO, ADA, ADA_CITY]})) == [
        Finding(Kind.DUPLICATE, "train", "'Ada wrote notes' (3 words) stands in train before, at train"),
        Finding(Kind.DUPLICATE, "train", "'Ada wrote notes' (3 words) stands in train before, at train"),
        Finding(
            Kind.CONFLICT,
            "train",
            "equal words, other tags than at train: 'Ada' is city in the other, not in the first",
        ),
    ]


def test_sentences_shared_between_splits_are_counted_by_their_tags() -> None:
    splits: Splits = {"train": [ADA, OSLO], "dev": [ADA_CITY], "test": [OSLO, ADA_CITY, plain("new one"), OSLO]}
    kinds = [finding.kind for finding in find_duplicates(splits)]
    assert kinds.count(Kind.SHARED) == 1 + 3 + 1
    counts = [
        (each.earlier, each.later, each.sentences, each.distinct, each.same_tags, each.other_tags)
        for each in count_shared(splits)
    ]
    assert counts == [("train", "dev", 1, 1, 0, 1), ("train", "test", 3, 2, 2, 1), ("dev", "test", 1, 1, 1, 0)]


def test_labels_unknown_rare_and_spelled_twice() -> None:
    splits: Splits = {"train": [ADA], "dev": [plain("Kim met Oslo", Span(0, 1, "PER"), Span(2, 3, "city"))]}
    assert list(find_label_faults(splits, rare=2)) == [
        Finding(Kind.LABEL_SPELLING, "dev", "label 'PER' of dev means the same as 'person' of train"),
        Finding(Kind.UNKNOWN_LABEL, "dev", "label 'PER' is not in train; 1 mention in dev, first 'Kim'"),
        Finding(Kind.UNKNOWN_LABEL, "dev", "label 'city' is not in train; 1 mention in dev, first 'Oslo'"),
        Finding(Kind.RARE_LABEL, "train", "label 'person' has 1 mention in train"),
    ]


def test_mentions_seen_in_train_by_label() -> None:
    splits: Splits = {"train": [ADA], "test": [ADA, ADA_CITY, OSLO]}
    assert [(seen.split, seen.mentions, seen.seen, seen.other_label) for seen in count_seen_mentions(splits)] == [
        ("test", 3, 1, 1)
    ]


@pytest.mark.parametrize("word", ["B-person", "PaulI-person", "S-person"])
def test_tags_in_the_place_of_words(word: str) -> None:
    found = list(find_word_faults({"train": [ADA, plain(f"{word} ran")]}))
    assert found == [Finding(Kind.TAG_IN_WORD, "train", f"word '{word}' looks like a tag")]


@pytest.mark.parametrize("word", ["B-52", "X-ray", "vitamin-B", "E-mail", "👩\u200d🚀", "café", "cafe\u0301"])
def test_ordinary_words_are_left_alone(word: str) -> None:
    assert list(find_word_faults({"train": [ADA, plain(f"{word} ran")]})) == []


@pytest.mark.parametrize(
    ("word", "code"), [("a\u200eb", "U+200E"), ("\x14", "U+0014"), ("\ufffds", "U+FFFD"), ("Aus\xadtralia", "U+00AD")]
)
def test_hidden_characters_are_named(word: str, code: str) -> None:
    (found,) = find_word_faults({"train": [plain(f"{word} ran")]})
    assert (found.kind, found.what) == (Kind.HIDDEN_CHARACTER, f"word {word!r} holds {code}")


def test_words_that_the_encoder_cannot_see_and_sentences_beyond_its_limit() -> None:
    encoder = EncoderWords("minilm")
    splits: Splits = {"test": [plain("\u200b ran"), plain("x" * 150 + " ran"), plain("word " * 599 + "word")]}
    assert [(finding.kind, finding.what) for finding in find_encoder_faults(splits, encoder)] == [
        (Kind.UNSEEN_WORD, "word '\\u200b' gives no piece for 'minilm'"),
        (Kind.UNSEEN_WORD, f"word '{'x' * 40}'... (150 characters) is only the unknown piece for 'minilm'"),
        (
            Kind.LONG_SENTENCE,
            "'word word word word word ...' (600 words) has 602 pieces; 'minilm' takes 512 at once",
        ),
    ]


def test_an_encoder_needs_a_tokenizer(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is no encoder folder with a fast tokenizer"):
        EncoderWords(str(tmp_path))


def test_long_sentences() -> None:
    (found,) = find_long_sentences({"train": [plain("one two three four five six"), ADA]}, longest=5)
    assert found.what == "'one two three four five ...' (6 words) is longer than 5 words"


def test_a_word_in_a_column_file_has_its_own_line_and_in_jsonl_its_records(tmp_path: Path) -> None:
    columns, jsonl = tmp_path / "a.txt", tmp_path / "a.jsonl"
    columns.write_text("\nran\tO\nB-person\tO\n\nAda\tB-person\n", encoding="utf-8")
    jsonl.write_text('{"words": ["ran", "B-person"], "spans": []}\n{"words": ["Ada"], "tags": ["B-person"]}\n', "utf-8")
    assert [f.where for f in find_word_faults({"train": read_sentences(columns).sentences})] == [f"{columns}:3"]
    assert [f.where for f in find_word_faults({"train": read_sentences(jsonl).sentences})] == [f"{jsonl}:1"]


def test_a_survey_keeps_what_is_sound_and_lists_what_is_not(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Ada\tB-person\n\nBob\tI-person\n\nbroken\n\nEve\tX-person\n\nOslo\tB-city\n", encoding="utf-8")
    survey = survey_file(path)
    assert [sentence.words for sentence in survey.sentences] == [("Ada",), ("Bob",), ("Oslo",)]
    assert [(finding.kind, finding.where.split(",")[0]) for finding in survey.findings] == [
        (Kind.UNREADABLE, f"{path}:5"),
        (Kind.UNREADABLE, f"{path}:7"),
        (Kind.TAG_GRAMMAR, f"{path}:3"),
    ]
    assert len(survey.faults) == 2


@pytest.mark.parametrize("name", ["tokenizer.json", "config.json"])
@pytest.mark.parametrize("content", ["", "{", "[]", "7", "[" * 100_000, '{"model": {"type": "none"}}'])
def test_a_damaged_encoder_folder_is_named(tmp_path: Path, name: str, content: str) -> None:
    folder = tiny_folder(tmp_path / "encoder")
    (folder / name).write_text(content, encoding="utf-8")
    if name == "config.json" and content.startswith("{") and content.endswith("}"):
        assert EncoderWords(str(folder)).limit is None
        return
    with pytest.raises(DataError, match=f"^{name} of the encoder is damaged: ") as caught:
        EncoderWords(str(folder))
    assert str(caught.value).splitlines()[-3:] == [
        f"  where: {folder / name}",
        "  expected: the file as the encoder was published with it",
        "  hint: fetch the encoder's folder again, or leave the encoder out: --encoder none",
    ]


def test_labels_of_nearly_one_name_across_splits() -> None:
    ale = [plain(f"ale {number}", Span(0, 1, "beer")) for number in range(27)]
    splits: Splits = {"train": [*ale, plain("stout", Span(0, 1, "Beer"))], "test": [plain("porter", Span(0, 1, "bee"))]}
    found = [finding for finding in find_label_faults(splits, rare=0) if finding.kind is Kind.NEAR_LABEL]
    assert [(finding.where, finding.what) for finding in found] == [
        ("train", "label 'Beer' (1 mention) differs from 'beer' (27) by case only"),
        ("test", "label 'bee' (1 mention) differs from 'beer' (27) by one letter"),
    ]


def test_spellings_that_the_alias_table_knows_are_found_once() -> None:
    splits: Splits = {"train": [ADA, plain("Bob ran", Span(0, 1, "Person"))]}
    assert [finding.kind for finding in find_label_faults(splits, rare=0)] == [Kind.LABEL_SPELLING]


@pytest.mark.parametrize(
    ("one", "two", "near"),
    [
        ("hop", "hopz", True),
        ("brewery", "brewert", True),
        ("DNA", "RNA", False),
        ("type1", "type2", False),
        ("type", "type2", False),
        ("organisation", "organization", True),
        ("band", "album", False),
        ("or", "org", False),
        ("LOC", "location", True),
        ("PER", "people", True),
        ("LOC", "place", False),
    ],
)
def test_which_names_are_nearly_the_same(one: str, two: str, near: bool) -> None:
    assert bool(near_labels({one: 1, two: 2})) is near


def test_no_public_data_set_has_labels_of_nearly_one_name() -> None:
    for card in map(find_card, card_names()):
        assert near_labels(dict.fromkeys(card.labels.names, 1)) == []
