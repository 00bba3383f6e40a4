"""Sentences keep the tags that break their scheme, so that both readings can be told later."""

from pathlib import Path

import pytest

from nerbridge.data.reading import read_sentences
from nerbridge.data.sentence import MalformedTags, Sentence, Span


def read(path: Path, text: str, **options: str) -> list[Sentence]:
    path.write_text(text, encoding="utf-8")
    return read_sentences(path, **options).sentences


WELL = "Ada\tB-per\nran\tO\n\nBob\tB-per\nran\tO\n\n"


def test_only_malformed_sentences_keep_their_tags(tmp_path: Path) -> None:
    sentences = read(tmp_path / "a.txt", WELL + "Eve\tI-per\nAda\tI-loc\nran\tO\n")
    assert [sentence.malformed for sentence in sentences] == [
        None,
        None,
        MalformedTags(("I-per", "I-loc", "O"), "BIO"),
    ]
    assert sentences[2].spans == (Span(0, 1, "per"), Span(1, 2, "loc"))


@pytest.mark.parametrize("repair", ["strict"])
def test_a_reading_that_was_chosen_keeps_nothing(tmp_path: Path, repair: str) -> None:
    sentence = read(tmp_path / "a.txt", WELL + "Eve\tI-per\n", repair=repair)[2]
    assert (sentence.spans, sentence.malformed) == ((), None)


def test_the_letters_of_bilou_become_those_of_bioes(tmp_path: Path) -> None:
    text = "Ada\tB-per\nLovelace\tL-per\nran\tO\n\nBob\tU-per\n\nEve\tB-per\nran\tO\n\nOslo\tL-loc\n"
    sentences = read(tmp_path / "a.txt", text, scheme="BILOU")
    assert [sentence.malformed for sentence in sentences] == [
        None,
        None,
        MalformedTags(("B-per", "O"), "BIOES"),
        MalformedTags(("E-loc",), "BIOES"),
    ]


def test_schemes_with_one_reading_keep_nothing(tmp_path: Path) -> None:
    text = "Ada\tI-per\nBob\tB-per\n\nOslo\tB-loc\nran\tO\n"
    assert [sentence.malformed for sentence in read(tmp_path / "a.txt", text, scheme="IOB1")] == [None, None]


def test_bare_letters_get_the_label_that_their_spans_have(tmp_path: Path) -> None:
    sentence = read(tmp_path / "a.txt", "Ada\tB\nran\tO\n\nBob\tB\n\nEve\tI\n")[2]
    assert sentence.spans == (Span(0, 1, "entity"),)
    assert sentence.malformed == MalformedTags(("I-entity",), "BIO")


def test_tags_of_json_lines_too(tmp_path: Path) -> None:
    lines = [
        '{"words": ["Ada", "ran"], "tags": ["B-per", "O"]}',
        '{"words": ["Bob", "ran"], "tags": ["B-per", "O"]}',
        '{"words": ["Eve", "ran"], "tags": ["I-per", "O"]}',
    ]
    sentences = read(tmp_path / "a.jsonl", "\n".join(lines))
    assert [sentence.malformed for sentence in sentences] == [None, None, MalformedTags(("I-per", "O"), "BIO")]


def test_new_labels_reach_spans_and_tags() -> None:
    sentence = Sentence(("Ada", "ran"), (Span(0, 1, "per"),), malformed=MalformedTags(("I-per", "O"), "BIO"))
    renamed = sentence.with_labels({"per": "person"})
    assert renamed.spans == (Span(0, 1, "person"),)
    assert renamed.malformed == MalformedTags(("I-person", "O"), "BIO")


def test_equal_words_and_spans_are_equal_sentences_however_they_were_spelled() -> None:
    plain = Sentence(("Ada",), (Span(0, 1, "per"),))
    assert plain == Sentence(("Ada",), (Span(0, 1, "per"),), malformed=MalformedTags(("I-per",), "BIO"))
