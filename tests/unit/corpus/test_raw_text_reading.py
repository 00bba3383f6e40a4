"""Files of raw text of every kind -> documents."""

import bz2
import errno
import gzip
import json
import lzma
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nerbridge.config.corpus import RawTextSettings
from nerbridge.corpus.reading import read_documents
from nerbridge.corpus.tally import Tally
from nerbridge.errors import DataError


def read(*paths: str | Path, tally: Tally | None = None, **settings: Any) -> list[tuple[str, int]]:
    """(text, number) of every document."""
    return [(one.text, one.number) for one in read_documents(paths, RawTextSettings(**settings), tally=tally)]


def zstd_compress(data: bytes) -> bytes:
    from nerbridge.corpus.compression import zstandard

    compressed: bytes = zstandard().compress(data)
    return compressed


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda data: data,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lambda data: lzma.compress(data, preset=0),
    ".zst": zstd_compress,
}


@pytest.mark.parametrize("suffix", PACKERS)
def test_lines_of_text_in_every_compression(tmp_path: Path, suffix: str) -> None:
    pack = PACKERS[suffix]
    path = tmp_path / f"a.txt{suffix}"
    # two streams in one file, as multistream dumps and `cat a.gz b.gz` have
    path.write_bytes(pack("\ufeffOne.\r\n\n  \nTwo ".encode()) + pack("more.\nעברית 東京".encode()))
    assert read(path) == [("One.\r", 1), ("Two more.", 4), ("עברית 東京", 5)]


@pytest.mark.parametrize("suffix", list(PACKERS)[1:])
def test_a_truncated_file_is_used_up_to_its_damage(tmp_path: Path, suffix: str) -> None:
    import random

    numbers = random.Random(1)
    lines = "".join(f"{number} {numbers.random()}\n" for number in range(60_000))  # several blocks of bzip2
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(PACKERS[suffix](lines.encode())[:-1000])
    tally = Tally()
    found = read(path, tally=tally)
    assert 10_000 < len(found) < 60_000
    assert [text for text, _ in found] == lines.splitlines()[: len(found)]
    (fault,) = tally.faults
    assert fault.what.startswith(f"'a.txt{suffix}' is damaged: ")
    assert fault.what.endswith("; what stands before is used")
    with pytest.raises(DataError, match="is damaged"):
        read(path)


@pytest.mark.parametrize("suffix", list(PACKERS)[1:])
@pytest.mark.parametrize("second", [b"damaged head", b"PACKED"])
def test_a_later_stream_that_cannot_be_read_is_a_fault(tmp_path: Path, suffix: str, second: bytes) -> None:
    pack = PACKERS[suffix]
    packed = bytearray(pack(b"Two.\n"))
    packed[1] ^= 255
    data = second if second != b"PACKED" else bytes(packed)
    (tmp_path / f"a.txt{suffix}").write_bytes(pack(b"One.\n") + data + pack(b"Three.\n"))
    tally = Tally()
    assert read(tmp_path / f"a.txt{suffix}", tally=tally) == [("One.", 1)]
    (fault,) = tally.faults
    assert fault.what.startswith(f"'a.txt{suffix}' is damaged: ")


@pytest.mark.parametrize("suffix", [".bz2", ".xz"])
def test_zeros_between_and_behind_streams_are_none(tmp_path: Path, suffix: str) -> None:
    one, two = PACKERS[suffix](b"One.\n"), PACKERS[suffix](b"Two.\n")
    (tmp_path / f"a.txt{suffix}").write_bytes(one + bytes(512) + two + bytes(3_000_000))
    tally = Tally()
    assert read(tmp_path / f"a.txt{suffix}", tally=tally) == [("One.", 1), ("Two.", 2)]
    assert not tally.faults


def test_a_suffix_that_lies_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(b"\x00\x01junk")
    tally = Tally()
    assert read(tmp_path / "a.txt.gz", tally=tally) == []
    assert "it does not begin as a .gz file does" in tally.faults[0].what


@pytest.mark.parametrize("suffix", PACKERS)
def test_empty_files_hold_nothing(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"a.txt{suffix}").touch()
    (tmp_path / f"b.txt{suffix}").write_bytes(PACKERS[suffix](b""))
    assert read(tmp_path / f"a.txt{suffix}", tmp_path / f"b.txt{suffix}") == []


def test_units_of_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\nA long\nline.\n\n\nNext\nblock.", encoding="utf-8")
    assert read(path, unit="block") == [("A long line.", 2), ("Next block.", 6)]
    assert read(path, unit="file") == [("A long\nline.\nNext\nblock.", 2)]


def test_a_long_line_is_cut_behind_sentences_and_nothing_is_lost(tmp_path: Path) -> None:
    line = "".join(f"Sentence number {number} is here. " for number in range(500))
    path = tmp_path / "a.txt"
    path.write_text(line + "\nShort.\n", encoding="utf-8")
    tally = Tally()
    found = read(path, tally=tally, max_characters=1000)
    assert "".join(text for text, _ in found) == line + "Short."
    assert all(len(text) <= 1000 and text.endswith((". ", "Short.")) for text, _ in found)
    assert tally.cut == len(found) - 2
    assert {number for _, number in found} == {1, 2}
    whole = read(path, max_characters=1000, unit="file")
    assert "".join(text for text, _ in whole).replace("\n", "") == line + "Short."
    assert all(len(text) <= 1000 for text, _ in whole)


def test_a_long_line_without_borders_is_cut_anyway(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("東" * 3500, encoding="utf-8")
    assert [len(text) for text, _ in read(path, max_characters=1000)] == [1000, 1000, 1000, 500]


def test_bytes_that_are_no_text_become_marks(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"caf\xe9 au lait\nfine\n")
    assert read(path) == [("caf\ufffd au lait", 1), ("fine", 2)]
    assert read(path, encoding="latin-1") == [("café au lait", 1), ("fine", 2)]
    path.write_bytes("\ufeffcafé\nfine".encode("utf-16-le"))
    assert read(path, encoding="utf-16") == [("café", 1), ("fine", 2)]
    for encoding in ("utf-99", "idna", "punycode", "rot13"):
        with pytest.raises(DataError, match=f"'{encoding}' is not an encoding of text"):
            read(path, encoding=encoding)


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    records = [{"text": "One.\nTwo."}, {"meta": {"body": "deep"}}, {"text": None}, {"text": "\ud83d"}, ["text"]]
    lines = [*map(json.dumps, records), "{", "[" * 100_000, "", json.dumps({"text": "x" * 900})]
    path.write_text("\n".join(lines), encoding="utf-8")
    tally = Tally()
    assert read(path, tally=tally) == [("One.\nTwo.", 1), ("\ud83d", 4), ("x" * 900, 9)]
    counts = {reason: size.documents for reason, size in tally.dropped.items()}
    assert counts == {"no_field": 2, "not_json": 3}
    assert tally.read.documents == 5  # refused records; documents are counted where they are taken
    assert read(path, field="meta.body", tally=Tally()) == [("deep", 2)]


def test_a_json_line_beyond_all_bounds_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": "x" * 50_000}) + '\n{"text": "fine"}\n', encoding="utf-8")
    tally = Tally()
    assert read(path, tally=tally, max_characters=1000) == [("fine", 2)]
    assert tally.dropped["long_record"].documents == 1


def test_the_wrong_field_is_a_fault_that_names_the_others(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"content": "x", "id": 1}\n', encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read(path)
    assert str(caught.value) == (
        "no record of 'a.jsonl' has text in the field 'text'\n"
        f"  where: {path}\n"
        "  expected: one of its fields: content, id\n"
        "  hint: name it: `--field content`; in a recipe or for `adapt --set`: corpus.text.field=content"
    )


@pytest.mark.parametrize(
    ("record", "expected", "hint"),
    [
        ({"id": 1, "meta": {"body": "Some words here.", "lang": "en"}}, "meta.body, meta.lang, id", "meta.body"),
        ({"key": "a1", "title": "A name", "body": "Many more words than that."}, "body, title, key", "body"),
        ({"id": 1, "meta": {"tags": ["a b c"]}}, "id, meta", None),
    ],
)
@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_fields_that_hold_text_are_proposed(
    tmp_path: Path, kind: str, record: dict[str, Any], expected: str, hint: str | None
) -> None:
    path = tmp_path / f"a.{kind}"
    if kind == "jsonl":
        path.write_text(f"{json.dumps(record)}\n" * 2, encoding="utf-8")
    else:
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.Table.from_pylist([record, record]), path)
    with pytest.raises(DataError) as caught:
        read(path)
    assert caught.value.expected == f"one of its fields: {expected}"
    if hint is None:
        assert caught.value.hint == "none of its fields holds text, and numbers and lists are none"
    else:
        assert caught.value.hint.startswith(f"name it: `--field {hint}`; ")


@pytest.mark.parametrize("suffix", PACKERS)
def test_parquet(tmp_path: Path, suffix: str) -> None:
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table(
        {
            "text": ["One.", None, "Two.\nThree."],
            "number": [1, 2, 3],
            "meta": [{"body": "a"}, {"body": "b"}, None],
            "kind": pyarrow.array(["x", "y", "x"]).dictionary_encode(),
        }
    )
    plain = tmp_path / "plain"
    parquet.write_table(table, plain, row_group_size=2)
    path = tmp_path / f"a.parquet{suffix}"
    path.write_bytes(PACKERS[suffix](plain.read_bytes()))
    tally = Tally()
    assert read(path, tally=tally) == [("One.", 1), ("Two.\nThree.", 3)]
    assert tally.dropped["no_field"].documents == 1
    assert read(path, field="meta.body", tally=Tally()) == [("a", 1), ("b", 2)]
    assert read(path, field="kind") == [("x", 1), ("y", 2), ("x", 3)]
    with pytest.raises(DataError, match=r"no record of .* has text in the field 'body'"):
        read(path, field="body")


def test_parquet_rows_that_are_no_text_are_counted(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    packed = pyarrow.array([b"fine", b"caf\xe9", b"good"])
    broken = pyarrow.StringArray.from_buffers(3, *packed.buffers()[1:])
    parquet.write_table(pyarrow.table({"text": broken}), tmp_path / "a.parquet")
    tally = Tally()
    assert read(tmp_path / "a.parquet", tally=tally) == [("fine", 1), ("good", 3)]
    assert {reason: size.documents for reason, size in tally.dropped.items()} == {"unreadable": 1}


def test_damaged_parquet_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 junk")
    with pytest.raises(DataError, match=r"'a\.parquet' is damaged: "):
        read(tmp_path / "a.parquet")


def test_folders_and_patterns(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "deep/c.txt", "deep/d.md", ".hidden/e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    assert [text for text, _ in read(tmp_path)] == ["a.txt", "b.txt", "deep/c.txt"]
    assert [text for text, _ in read(tmp_path / "*.txt", tmp_path / "a.txt", tmp_path / "deep" / "d.md")] == [
        "a.txt",
        "b.txt",
        "deep/d.md",
    ]
    with pytest.raises(DataError, match=r"no file fits the pattern '.*\*\.pdf'"):
        read(tmp_path / "*.pdf")
    with pytest.raises(DataError) as caught:
        read(tmp_path / "aa.txt")
    assert str(caught.value) == (
        f"'{tmp_path}/aa.txt' does not exist\n"
        f"  where: {tmp_path}/aa.txt\n"
        "  expected: files of raw text, their folders, or patterns such as 'a/*.txt'\n"
        f"  hint: nearest is '{tmp_path}/a.txt'"
    )
    with pytest.raises(DataError, match="no path was given"):
        read()
    (tmp_path / "none").mkdir()
    with pytest.raises(DataError, match="holds no raw text"):
        read(tmp_path / "none")


def test_nothing_is_read_ahead(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n", encoding="utf-8")
    (tmp_path / "b.txt.gz").write_bytes(b"\x1f\x8b\x08 damaged")
    documents = read_documents([tmp_path / "a.txt", tmp_path / "b.txt.gz"])
    first = next(documents)
    assert (str(first), first.text) == (f"{tmp_path}/a.txt:1", "One.")
    with pytest.raises(DataError, match="is damaged"):
        next(documents)


def test_an_empty_path_is_not_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("Text.\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read("")
    assert str(caught.value) == (
        "a path is empty\n"
        "  where: the inputs\n"
        "  expected: files of raw text, their folders, or patterns such as 'a/*.txt'\n"
        "  hint: '.' is the current folder; is a variable of the shell not set?"
    )


def test_a_link_that_leads_nowhere_is_called_one(tmp_path: Path) -> None:
    for path, target in ((tmp_path / "circle.txt", "circle.txt"), (tmp_path / "gone.txt", "nothing")):
        path.symlink_to(target)
        with pytest.raises(DataError, match=f"the link '{path}' leads nowhere"):
            read(path)


def test_a_folder_that_cannot_be_read_is_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep" / "shut").mkdir(parents=True)
    (tmp_path / "a.txt").write_text("Text.\n", encoding="utf-8")
    scandir = os.scandir

    def refusing(path: str) -> Any:
        if str(path).endswith("shut"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    with pytest.raises(PermissionError) as caught:
        read(tmp_path)
    assert caught.value.filename == str(tmp_path / "deep" / "shut")


def test_files_of_other_kinds_are_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.txt").write_text("Text.\n", encoding="utf-8")
    (tmp_path / "b.pdf").touch()
    with caplog.at_level("INFO"):
        read(tmp_path)
    (tmp_path / "c.csv").touch()
    with caplog.at_level("INFO"):
        read(tmp_path)
    assert caplog.messages == [
        f"{tmp_path}: 1 file of another kind (.pdf) is left alone",
        f"{tmp_path}: 2 files of other kinds (.csv, .pdf) are left alone",
    ]


def test_linked_folders_are_said_and_not_entered(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.txt").write_text("Text.\n", encoding="utf-8")
    (tmp_path / "inner" / "round").symlink_to("..")
    with caplog.at_level("INFO"):
        assert read(tmp_path) == [("Text.", 1)]
    assert caplog.messages == [f"{tmp_path}: 1 linked folder not entered; links are followed where they are named"]


def test_links_of_a_folder_that_lead_nowhere_are_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.txt").write_text("Text.\n", encoding="utf-8")
    for name in ("b.txt", "c.txt"):
        (tmp_path / name).symlink_to(tmp_path / "gone" / name)
    assert read(tmp_path) == [("Text.", 1)]
    assert caplog.messages == [
        f"{tmp_path}: 2 entries are no files or links that lead nowhere, not read: {tmp_path / 'b.txt'}"
    ]
