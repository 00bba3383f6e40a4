"""What is read from files: every sound line, in order, and the fault of every other."""

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from nerbridge.inference.faults import FaultLog
from nerbridge.inference.items import InputFormat, Item, format_of, open_items


def read(path: Path | str, form: InputFormat) -> tuple[list[Item], FaultLog]:
    faults = FaultLog()
    return list(open_items(str(path), form, faults)), faults


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("a.txt", "text"),
        ("a", "text"),
        ("-", "text"),
        ("A.JSONL", "jsonl"),
        ("a.ndjson.gz", "jsonl"),
        ("x.y.conll", "conll"),
    ],
)
def test_the_suffix_names_the_format(path: str, form: str) -> None:
    assert format_of(path) == form


def test_every_line_is_a_text_even_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffAda wrote.\r\n\n  Bob \u2028 sang\n\x0clast".encode())
    items, faults = read(path, InputFormat.TEXT)
    assert [item.text for item in items] == ["Ada wrote.", "", "  Bob \u2028 sang", "\x0clast"]
    assert [str(item.origin) for item in items] == [f"{path}:{number}" for number in (1, 2, 3, 4)]
    assert faults.count == 0


def test_a_whole_file_keeps_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"Ada wrote.\r\nBob\n\nsang")
    (item,), _ = read(path, InputFormat.WHOLE)
    assert item.text == "Ada wrote.\r\nBob\n\nsang"
    assert [sentence.words for sentence in item.sentences] == [("Ada", "wrote", "."), ("Bob",), ("sang",)]
    assert [str(sentence.origin) for sentence in item.sentences] == [f"{path}:{line}" for line in (1, 2, 4)]


def test_the_sentences_of_a_line_stand_in_that_line(tmp_path: Path) -> None:
    for name, line in (("a.txt", "Ada wrote. Bob sang."), ("a.jsonl", '{"text": "Ada wrote.\\nBob sang."}')):
        (tmp_path / name).write_text(f"{line}\n{line}\n")
        items, _ = read(tmp_path / name, format_of(name))
        places = [str(sentence.origin) for item in items for sentence in item.sentences]
        assert places == [f"{tmp_path / name}:{number}" for number in (1, 1, 2, 2)]


def test_a_whole_file_with_a_bad_line_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"Ada\nb\xe9b\n")
    items, faults = read(path, InputFormat.WHOLE)
    assert (items, [fault.where for fault in faults.kept]) == ([], [f"{path}:2"])


def test_records_keep_all_their_fields(tmp_path: Path) -> None:
    records = [
        {"id": 7, "text": "Ada wrote.", "meta": {"a": [1]}},
        {"words": ["Ada", "wrote"], "spans": "not looked at"},
        {"tokens": ["Bob"]},
        {"text": "Ada  wrote", "words": ["Ada", "wrote"]},
        {"text": ""},
        {"words": []},
    ]
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress("\n\n".join(map(json.dumps, records)).encode()))
    items, faults = read(path, InputFormat.JSONL)
    assert [item.record for item in items] == records
    assert [[sentence.words for sentence in item.sentences] for item in items] == [
        [("Ada", "wrote", ".")], [("Ada", "wrote")], [("Bob",)], [("Ada", "wrote")], [], []
    ]  # fmt: skip
    assert [item.text for item in items] == ["Ada wrote.", None, None, "Ada  wrote", "", None]
    assert items[3].sentences[0].offsets == ((0, 3), (5, 10))
    assert faults.count == 0


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "the line is not JSON: Expecting property name enclosed in double quotes"),
        ("[" * 100_000, "the line is not JSON: nested too deeply"),
        ("[1]", "the line is a JSON list, not an object"),
        ('{"id": 1}', 'the record has neither "text" nor "words"'),
        ('{"text": 3}', '"text" is a int'),
        ('{"text": "a\\ud83d"}', "the line holds half of a surrogate pair, which is no character"),
        ('{"words": ["a", ""]}', '"words" is no list of words'),
        ('{"words": "Ada"}', '"words" is no list of words'),
        ('{"text": "Ada", "words": ["Bob"]}', "word 1, 'Bob', is not the next of the text"),
    ],
)
def test_a_bad_record_is_named_and_hides_no_other(tmp_path: Path, line: str, what: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"text": "first"}}\n{line}\n{{"text": "last"}}\n')
    items, faults = read(path, InputFormat.JSONL)
    assert [item.text for item in items] == ["first", "last"]
    (fault,) = faults.kept
    assert (fault.what, fault.where) == (what, f"{path}:2")
    assert fault.expected
    assert fault.hint


def test_a_line_without_anything_to_tag_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1}')
    assert str(read(path, InputFormat.JSONL)[1].error(0)) == (
        'the record has neither "text" nor "words"\n'
        f"  where: {path}:1\n"
        '  expected: an object with "text" or "words"\n'
        '  hint: a line looks like {"text": "Ada Lovelace wrote."} or {"words": ["Ada", "Lovelace", "wrote", "."]}'
    )


def test_columns_are_read_for_their_words_only(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("-DOCSTART- O\n\nAda B-nonsense\nwrote I-\n\nBob ???\n")
    items, faults = read(path, InputFormat.CONLL)
    assert [item.record for item in items] == [{"words": ["Ada", "wrote"]}, {"words": ["Bob"]}]
    assert [str(item.origin) for item in items] == [f"{path}:3", f"{path}:6"]
    assert faults.count == 0


def test_standard_input_is_read_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (b"Ada\nb\xe9b\nBob", gzip.compress(b"Ada\nb\xe9b\nBob")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content))))  # type: ignore[arg-type]
        items, faults = read("-", InputFormat.TEXT)
        assert [item.text for item in items] == ["Ada", "Bob"]
        assert [fault.where for fault in faults.kept] == ["<stdin>:2"]


class CountedBytes(io.BytesIO):
    """Counts the bytes that were taken from it."""

    taken = 0

    def readinto(self, buffer: Any) -> int:
        count = super().readinto(buffer)
        self.taken += count
        return count


def test_the_first_item_comes_before_the_rest_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    source = CountedBytes(b"line\n" * 1_000_000)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(source)))  # type: ignore[arg-type]
    next(open_items("-", InputFormat.TEXT, FaultLog()))
    assert 0 < source.taken < 100_000


def test_faults_are_counted_all_and_shown_first() -> None:
    from nerbridge.errors import DataError

    faults = FaultLog()
    faults.drain(
        [DataError(f"fault {n}", where=f"a.txt:{n}", expected="better", hint="mend it") for n in range(1, 2001)]
    )
    assert len(faults.kept) == 1000
    shown = "".join(f"  fault {n}\n    at a.txt:{n}\n" for n in range(1, 6))
    assert str(faults.error(3)) == (
        f"2,000 inputs were left out, 3 tagged\n{shown}  ... and 1,995 more\n"
        "  where: a.txt:1\n  expected: better\n  hint: mend it"
    )
