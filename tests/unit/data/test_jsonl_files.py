"""JSONL: offsets in every unit, borders, overlaps, and what is said when all of them are wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from nerbridge.data.reading import open_reader, read_sentences
from nerbridge.data.sentence import Annotation, Sentence, Span
from nerbridge.errors import DataError, FileFaults

TEXT = "👩‍🔬 Zoé met Ada in Paris."  # the accent is decomposed below


def write(folder: Path, *records: Any) -> Path:
    path = folder / "data.jsonl"
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path


def read(folder: Path, *records: Any, **options: Any) -> list[Sentence]:
    return read_sentences(write(folder, *records), **options).sentences


def faults_of(path: Path, **options: Any) -> list[DataError]:
    with pytest.raises(FileFaults) as caught:
        read_sentences(path, **options)
    return caught.value.faults


def claim(text: str, mention: str, label: str = "person", left: int = 0, right: int = 0) -> dict[str, Any]:
    start = text.index(mention)
    return {"start": start + left, "end": start + len(mention) + right, "label": label}


def test_text_and_spans(tmp_path: Path) -> None:
    text = "Ada's friend wrote."
    (sentence,) = read(tmp_path, {"text": text, "spans": [claim(text, "Ada")], "domain": "letters", "id": 7})
    assert sentence.words == ("Ada", "'s", "friend", "wrote", ".")
    assert (sentence.spans, sentence.text, sentence.domain) == ((Span(0, 1, "person"),), text, "letters")
    assert sentence.offsets == ((0, 3), (3, 5), (6, 12), (13, 18), (18, 19))


@pytest.mark.parametrize(
    "record",
    [
        {"text": "Ada wrote.", "words": ["Ada", "wrote", "."], "spans": [[0, 3, "person"]]},
        {"text": "Ada wrote.", "entities": [{"start": 0, "end": 3, "label": "person"}]},
        {
            "text": "Ada wrote.",
            "words": ["Ada", "wrote", "."],
            "offsets": [[0, 3], [4, 9], [9, 10]],
            "spans": [[0, 3, "person"]],
        },
        {
            "text": "Ada wrote.",
            "tokens": [
                {"text": w, "start": s, "end": s + len(w), "id": 0} for w, s in (("Ada", 0), ("wrote", 4), (".", 9))
            ],
            "spans": [{"start": 0, "end": 3, "label": "person", "token_start": 0}],
        },
        {"words": ["Ada", "wrote", "."], "spans": [{"start": 0, "end": 1, "label": "person"}]},
        {"words": ["Ada", "wrote", "."], "tags": ["B-person", "O", "O"]},
        {"tokens": ["Ada", "wrote", "."], "ner_tags": ["S-person", "O", "O"]},
        {"words": ["Ada", "wrote", "."], "tags": ["person", "O", "O"], "text": None},
    ],
)
def test_every_form_says_the_same(tmp_path: Path, record: dict[str, Any]) -> None:
    (sentence,) = read(tmp_path, record)
    assert (sentence.words, sentence.spans) == (("Ada", "wrote", "."), (Span(0, 1, "person"),))
    assert sentence.annotation is Annotation.COMPLETE


def test_annotation_none_complete_partial(tmp_path: Path) -> None:
    none, complete, partial = read(
        tmp_path,
        {"text": "Ada"},
        {"text": "Ada", "spans": []},
        {"words": ["Ada", "Bell"], "spans": [[0, 1, "x"]], "known": [True, False]},
    )
    assert [one.annotation for one in (none, complete, partial)] == [
        Annotation.NONE,
        Annotation.COMPLETE,
        Annotation.PARTIAL,
    ]
    assert partial.known == (True, False)


@pytest.mark.parametrize("unit", ["codepoints", "utf16", "bytes"])
def test_offsets_in_every_unit(tmp_path: Path, unit: str) -> None:
    text = TEXT.replace("é", "e\u0301")

    def position(point: int) -> int:
        if unit == "utf16":
            return len(text[:point].encode("utf-16-le")) // 2
        return point if unit == "codepoints" else len(text[:point].encode())

    plain = [claim(text, mention) for mention in ("Zoe\u0301", "Ada", "Paris")]
    spans = [{**one, "start": position(one["start"]), "end": position(one["end"])} for one in plain]
    (sentence,) = read(tmp_path, {"text": text, "spans": spans}, offsets=unit)
    assert [sentence.mention(span) for span in sentence.spans] == ["Zoe\u0301", "Ada", "Paris"]
    if unit != "codepoints":
        faults = faults_of(write(tmp_path, {"text": text, "spans": spans}))
        name = "UTF-16 units" if unit == "utf16" else "bytes"
        assert faults[0].what == f"3 of 3 spans miss word borders in the same way: the offsets count {name}"
        assert faults[0].hint == f"read it with --read offsets={unit} (in a recipe: read = {{ offsets = '{unit}' }})"


@pytest.mark.parametrize(
    ("left", "right", "error", "options"),
    [
        (1, 1, "every offset is 1 too high", {"start_shift": -1, "end_shift": -1}),
        (-1, -1, "every offset is 1 too low", {"start_shift": 1, "end_shift": 1}),
        (0, -1, "the ends are inclusive", {"end_shift": 1}),
        (1, 0, "the starts count from 1", {"start_shift": -1}),
    ],
)
@pytest.mark.parametrize("borders", ["fault", "snap"])
def test_a_shift_that_all_spans_share_is_named(
    tmp_path: Path, left: int, right: int, error: str, options: dict[str, int], borders: str
) -> None:
    text = "Then Ada Lovelace met Bell in London."
    spans = [claim(text, mention, left=left, right=right) for mention in ("Ada Lovelace", "Bell", "London")]
    path = write(tmp_path, {"text": text, "spans": spans})
    faults = faults_of(path, borders=borders)
    assert str(faults[0]) == (
        f"3 of 3 spans miss word borders in the same way: {error}\n"
        f"  where: {path}\n"
        "  expected: spans that start and end at word borders\n"
        f"  hint: read it with {' '.join(f'--read {name}={value}' for name, value in options.items())} "
        f"(in a recipe: read = {{ {', '.join(f'{name} = {value}' for name, value in options.items())} }})"
    )
    (sentence,) = read_sentences(path, **options).sentences
    assert [sentence.mention(span) for span in sentence.spans] == ["Ada Lovelace", "Bell", "London"]


def test_a_span_inside_words_is_a_fault_or_widened_and_counted(tmp_path: Path) -> None:
    text = "Ada met Bell. Carol met Dan."
    spans = [claim(text, "Ada"), claim(text, "ell"), claim(text, "Carol"), claim(text, "Dan")]
    path = write(tmp_path, {"text": text, "spans": spans})
    (fault,) = faults_of(path)
    assert str(fault) == (
        "span 9:12 (person) misses word borders: 'ell'\n"
        f"  where: {path}:1\n"
        "  expected: a span of whole words, here 'Bell'\n"
        "  hint: widen such spans to whole words with --read borders=snap (in a recipe: read = { borders = 'snap' })"
    )
    result = read_sentences(path, borders="snap")
    assert result.sentences[0].mention(result.sentences[0].spans[1]) == "Bell"
    assert result.counts.report()[1:] == ["1 span widened to word borders"]


def test_overlapping_spans_are_faults_or_the_longest_stays(tmp_path: Path) -> None:
    text = "University of Paris in Paris"
    spans = [[14, 19, "city"], [0, 19, "university"], [23, 28, "city"], [23, 28, "town"]]
    path = write(tmp_path, {"text": text, "spans": spans})
    first, second = faults_of(path)
    assert (first.what, second.what) == (
        "span 'Paris' (city) overlaps another",
        "span 'Paris' (town) overlaps another",
    )
    result = read_sentences(path, overlaps="longest")
    assert result.sentences[0].spans == (Span(0, 3, "university"), Span(4, 5, "city"))
    assert result.counts.report()[1:] == ["2 overlapping spans dropped"]


@pytest.mark.parametrize(
    ("record", "what"),
    [
        ([], "the line is no JSON object: a list stands there"),
        ({}, 'the record has neither "text" nor "words"'),
        ({"text": 3}, '"text" is a int'),
        ({"words": "Ada"}, '"words" is no list of words'),
        ({"words": ["Ada", ""]}, '"words" is no list of words'),
        ({"text": "Ada wrote", "words": ["Ada", "write"]}, "word 2, 'write', is not the next of the text"),
        ({"text": "Ada wrote", "words": ["Ada"], "offsets": [[1, 3]]}, "the offsets do not fit word 1, 'Ada'"),
        ({"text": "Ada wrote", "words": ["Ada"], "offsets": []}, "the offsets do not fit word 1, 'Ada'"),
        ({"text": "Ada", "spans": {}}, '"spans" is a dict'),
        ({"text": "Ada", "spans": [[0, 3]]}, "[0, 3] is no span"),
        ({"text": "Ada", "spans": [[0, True, "x"]]}, "[0, True, 'x'] is no span"),
        ({"text": "Ada", "spans": [[0, 3, ""]]}, "[0, 3, ''] is no span"),
        ({"text": "Ada", "spans": [[0, 0, "x"]]}, "span 0:0 (x) is empty or negative"),
        ({"text": "Ada", "spans": [[-1, 3, "x"]]}, "span -1:3 (x) is empty or negative"),
        ({"text": "Ada", "spans": [[0, 4, "x"]]}, "span 0:4 (x) does not fall on characters of the text"),
        ({"text": "a  b", "spans": [[1, 3, "x"]]}, "span 1:3 (x) misses word borders: '  '"),
        ({"words": ["Ada"], "spans": [[0, 3, "x"]]}, "span 0:3 (x) ends behind the last word"),
        ({"words": ["Ada"], "tags": ["O", "O"]}, '"tags" does not fit the words'),
        ({"words": ["Ada"], "tags": [3]}, '"tags" does not fit the words'),
        ({"words": ["Ada"], "tags": ["O"], "spans": []}, 'both "spans" and "tags" are given'),
        ({"words": ["Ada"], "spans": [], "known": [1]}, '"known" does not fit the words'),
        ({"words": ["Ada"], "spans": [[0, 1, "x"]], "known": [False]}, '"known" does not fit the words'),
        ({"text": " ", "spans": [[0, 1, "x"]]}, "there are spans but no words"),
    ],
)
def test_records_at_fault_are_named_and_do_not_stop_the_others(tmp_path: Path, record: Any, what: str) -> None:
    path = write(tmp_path, {"text": "fine"}, record, {"text": "cut", "spans": [[0, 2, "x"]]})
    faults = [fault for fault in faults_of(path) if "in the same way" not in fault.what]
    assert [(fault.what, fault.where) for fault in faults] == [
        (what, f"{path}:2"),
        ("span 0:2 (x) misses word borders: 'cu'", f"{path}:3"),
    ]
    assert all(fault.expected for fault in faults)


def test_no_json(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"text": "a"}\n{"text": \n[{"text": "a"}]\n' + "[" * 100_000 + "\n" + "7" * 5000)
    first, second, third, fourth = faults_of(path)
    assert first.what == "the line is no JSON object: Expecting value: line 1 column 10 (char 9)"
    assert fourth.what.startswith("the line is no JSON object: Exceeds the limit")
    assert (first.where, second.where, third.where) == (f"{path}:2", f"{path}:3", f"{path}:4")
    assert first.hint == "a file that is one JSON array has to be written as one object per line"


def test_half_a_surrogate_pair(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(
        '{"text": "cut \\ud83d"}\n{"words": ["\\udc00"]}\n'
        '{"words": ["a"], "spans": [[0, 1, "\\udc00"]]}\n{"text": "whole \\ud83d\\ude00"}\n'
    )
    assert [fault.what for fault in faults_of(path)] == ["the line holds half a surrogate pair"] * 3


def test_lines_end_at_line_feeds_only_and_blank_records_are_counted(tmp_path: Path) -> None:
    result = read_sentences(write(tmp_path, {"text": "a\u2028b"}, {"text": " "}, {"words": []}))
    assert [one.words for one in result.sentences] == [("a", "b")]
    assert result.counts.blank_lines == 2


def test_tags_of_the_whole_file_decide_the_scheme(tmp_path: Path) -> None:
    records = [{"words": ["a", "b"], "tags": ["I-X", "I-X"]}, {"words": ["a", "b"], "tags": ["I-X", "B-X"]}]
    result = read_sentences(write(tmp_path, *records))
    assert [one.spans for one in result.sentences] == [(Span(0, 2, "X"),), (Span(0, 1, "X"), Span(1, 2, "X"))]
    assert result.format == "JSONL, IOB1 tags"
    (fault,) = faults_of(write(tmp_path, {"words": ["a", "b"], "tags": ["B-X", "Q"]}))
    assert fault.where.endswith("data.jsonl:1, word 'b'")


def test_jsonl_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    path.write_text('\n{ "text": "Ada" }\n')
    assert read_sentences(path).sentences[0].words == ("Ada",)


def test_an_empty_file(tmp_path: Path) -> None:
    path = write(tmp_path)
    with pytest.raises(DataError) as caught:
        read_sentences(path)
    assert str(caught.value) == (
        f'the file is empty\n  where: {path}\n  expected: one JSON object per line with "text" or "words"\n'
        "  hint: check that the file was written completely"
    )


@pytest.mark.parametrize("key", ["label", "labels"])
def test_spans_as_doccano_writes_them(tmp_path: Path, key: str) -> None:
    records = [{"id": 1, "text": "Ada sang.", key: [[0, 3, "person"]], "Comments": []}, {"text": "It rained.", key: []}]
    found = read_sentences(write(tmp_path, *records))
    assert [sentence.spans for sentence in found.sentences] == [(Span(0, 1, "person"),), ()]
    assert [sentence.annotation for sentence in found.sentences] == [Annotation.COMPLETE] * 2
    assert found.format == f"JSONL, offsets in codepoints, spans in '{key}'"
    assert (found.counts.unread, found.counts.remarks()) == ({}, [])


@pytest.mark.parametrize(
    "other",
    [
        {"text": "Bob ran.", "label": ["sport"]},  # the class of a text
        {"text": "Bob ran.", "label": "sport"},
        {"text": "Bob ran.", "label": [[0, 3, "name"]], "spans": [[0, 3, "person"]]},
        {"text": "Bob ran.", "labels": [[0, 3, "person"]]},
    ],
)
def test_a_label_that_may_be_something_else_is_not_read_but_counted(tmp_path: Path, other: dict[str, Any]) -> None:
    first = {"text": "Ada sang.", "label": [[0, 3, "person"]]}
    counts = read_sentences(write(tmp_path, first, other)).counts
    assert (counts.unlabelled, counts.unread["label"]) == (
        2 - ("spans" in other),
        1 + isinstance(other.get("label"), list),
    )


def test_a_wrong_span_under_label_is_a_fault(tmp_path: Path) -> None:
    path = write(tmp_path, {"text": "Ada sang.", "label": [[0, 3, "person"], [5, 7, "deed"]]})
    assert [fault.what for fault in faults_of(path)] == ["span 5:7 (deed) misses word borders: 'an'"]


def test_keys_that_are_not_read_are_counted(tmp_path: Path) -> None:
    records = [{"text": "Ada sang.", "spans": [], "meta": {"page": 1}, "note": "x", "list": []}] * 2
    counts = read_sentences(write(tmp_path, *records)).counts
    assert counts.remarks() == ["2 records have the key 'meta', which is not read"]


def test_spans_that_are_called_tags_are_told_their_name(tmp_path: Path) -> None:
    (fault,) = faults_of(write(tmp_path, {"text": "Ada sang.", "tags": [[0, 3, "person"]]}))
    assert fault.hint == 'where each stands for a span with start, end and label, name the key "spans"'


def test_records_at_fault_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"text": "Ada sang.", "spans": [[0, 2, "person"]]}\n{"text": \n[]\n{"text": "It rained."}\n')
    reader = open_reader(path)
    with pytest.raises(FileFaults):
        list(reader)
    assert (reader.counts.sentences, reader.counts.left_out) == (1, 3)
