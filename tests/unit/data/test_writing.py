"""What is written is read back the same, or refused."""

import errno
import io
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from nerbridge.data.fingerprint import file_sha256, fingerprint
from nerbridge.data.reading import read_sentences
from nerbridge.data.schemes import Scheme
from nerbridge.data.sentence import Annotation, Sentence, Span
from nerbridge.data.writing import write_columns, write_jsonl
from nerbridge.errors import DataError
from nerbridge.evaluation.files import write_text

ADA = Sentence(("Ada", "Bell", "wrote"), (Span(0, 1, "x"), Span(1, 2, "x")))


def test_columns_as_text() -> None:
    stream = io.StringIO()
    assert write_columns([ADA], stream, scheme=Scheme.BIOES, separator="space") == 0  # type: ignore[arg-type]
    assert stream.getvalue() == "Ada S-x\nBell S-x\nwrote O\n\n"


def test_merged_spans_are_counted() -> None:
    assert write_columns([ADA, ADA], io.StringIO(), scheme=Scheme.IO) == 2


def test_jsonl_as_text() -> None:
    stream = io.StringIO()
    write_jsonl([ADA, Sentence(("é",), annotation=Annotation.NONE, text=" é", offsets=((1, 2),), domain="d")], stream)
    assert stream.getvalue() == (
        '{"words": ["Ada", "Bell", "wrote"], "spans": [{"start": 0, "end": 1, "label": "x"}, '
        '{"start": 1, "end": 2, "label": "x"}]}\n'
        '{"text": " é", "words": ["é"], "offsets": [[1, 2]], "domain": "d"}\n'
    )


def test_raw_words_are_written_as_one_column(tmp_path: Path) -> None:
    raw = Sentence(("#", "Ada"), annotation=Annotation.NONE)
    write_columns([raw, raw], tmp_path / "raw.txt")
    assert [one.words for one in read_sentences(tmp_path / "raw.txt").sentences] == [raw.words] * 2


def test_partial_annotation_survives_jsonl(tmp_path: Path) -> None:
    partial = Sentence(("Ada", "Bell"), (Span(0, 1, "x"),), Annotation.PARTIAL, (True, False))
    write_jsonl([partial], tmp_path / "out.jsonl")
    (back,) = read_sentences(tmp_path / "out.jsonl").sentences
    assert (back.words, back.spans, back.annotation, back.known) == (
        partial.words,
        partial.spans,
        "partial",
        (True, False),
    )


@pytest.mark.parametrize(
    ("sentence", "what"),
    [
        (Sentence(("a\tb",)), "the word 'a\\tb'"),
        (Sentence(("a\nb",)), "the word 'a\\nb'"),
        (Sentence((" ",)), "the word ' '"),
        (Sentence(("a ",)), "the word 'a '"),
        (Sentence(("-DOCSTART-",)), "the word '-DOCSTART-'"),
        (Sentence(("a",), (Span(0, 1, "x\ty"),)), "the label 'x\\ty'"),
        (Sentence(("a", "b"), (), Annotation.PARTIAL, (True, False)), "partial annotation"),
        (Sentence(("a",), annotation=Annotation.NONE), "sentences with and without annotation"),
    ],
)
def test_what_would_be_read_differently_is_refused(tmp_path: Path, sentence: Sentence, what: str) -> None:
    path = tmp_path / "out.txt"
    path.write_text("before")
    with pytest.raises(DataError) as caught:
        write_columns([ADA, sentence], path)
    assert caught.value.what == f"a column file cannot hold {what}"
    assert (caught.value.where, caught.value.hint) == ("sentence 2", "write JSONL instead")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("out.txt", "before")]


def test_spaces_are_refused_only_where_they_part_columns() -> None:
    write_columns([Sentence(("New York",))], io.StringIO())
    with pytest.raises(DataError, match="the word 'New York'"):
        write_columns([Sentence(("New York",))], io.StringIO(), separator="space")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="the label 'O' without prefix"):
        write_columns([Sentence(("a",), (Span(0, 1, "O"),))], io.StringIO(), scheme=Scheme.BARE)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    def broken() -> Iterator[Sentence]:
        yield ADA
        raise RuntimeError("pulled out")

    path = tmp_path / "new" / "out.jsonl"
    with pytest.raises(RuntimeError):
        write_jsonl(broken(), path)
    assert list(path.parent.iterdir()) == []
    write_jsonl([ADA], path)
    assert [file.name for file in path.parent.iterdir()] == ["out.jsonl"]
    assert json.loads(path.read_text())["words"] == list(ADA.words)


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    private, fresh = tmp_path / "private.txt", tmp_path / "fresh.txt"
    private.write_text("old\n", encoding="utf-8")
    private.chmod(0o600)
    before = os.umask(0o027)
    try:
        for path in (private, fresh):
            write_text(path, "new\n")
    finally:
        os.umask(before)
    assert private.read_text(encoding="utf-8") == "new\n"
    assert (private.stat().st_mode & 0o777, fresh.stat().st_mode & 0o777) == (0o600, 0o640)


def test_fingerprints_see_words_spans_and_knowledge_only(tmp_path: Path) -> None:
    same = Sentence(ADA.words, ADA.spans, domain="other", text="Ada Bell wrote", offsets=((0, 3), (4, 8), (9, 14)))
    assert fingerprint([ADA]) == fingerprint([same])
    others = [
        [],
        [ADA, ADA],
        [Sentence(ADA.words, ADA.spans[:1])],
        [Sentence(("Ada", "Bell", "write"), ADA.spans)],
        [Sentence(ADA.words, (Span(0, 2, "x"),))],
        [Sentence(ADA.words, annotation=Annotation.NONE)],
        [Sentence(ADA.words)],
        [Sentence(("Ada",)), Sentence(("Bell", "wrote"))],
        [Sentence((*ADA.words, "0:1:x", "1:2:x"))],
        [Sentence(ADA.words, ADA.spans, Annotation.PARTIAL, (True, True, False))],
        [Sentence(ADA.words, ADA.spans, Annotation.PARTIAL, (True, True, True))],
    ]
    assert len({fingerprint(sentences) for sentences in [[ADA], *others]}) == len(others) + 1


def test_fingerprints_are_stable_and_independent_of_the_format(tmp_path: Path) -> None:
    write_jsonl([ADA], tmp_path / "a.jsonl")
    for scheme in (Scheme.BIO, Scheme.BILOU):
        write_columns([ADA], tmp_path / "a.txt", scheme=scheme)
        assert fingerprint(read_sentences(tmp_path / "a.txt").sentences) == fingerprint([ADA])
    assert fingerprint(read_sentences(tmp_path / "a.jsonl").sentences) == fingerprint([ADA])
    assert fingerprint([ADA]) == STABLE


def test_file_checksum(tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(b"abc")
    assert file_sha256(tmp_path / "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


STABLE = "8ce84f7bece1c7905e080b152679895fa1b3168ca5808b1ffdcb13d635cdaea8"


def test_a_link_stays_a_link_and_a_pipe_takes_what_is_written(tmp_path: Path) -> None:
    """Putting a new file in the place of a device or a pipe would destroy it; links keep pointing where they did."""
    (tmp_path / "link.jsonl").symlink_to("real.jsonl")
    write_jsonl([ADA], tmp_path / "link.jsonl")
    assert (tmp_path / "link.jsonl").is_symlink()
    assert (tmp_path / "real.jsonl").read_text() == (tmp_path / "link.jsonl").read_text() != ""
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_jsonl([ADA], tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()
    assert os.read(reader, 4096).decode() == (tmp_path / "real.jsonl").read_text()
    write_text(tmp_path / "pipe", "x")
    assert (tmp_path / "pipe").is_fifo()
    assert os.read(reader, 4096) == b"x"
    os.close(reader)


def test_the_longest_name_that_a_file_may_have_can_be_written(tmp_path: Path) -> None:
    for name in ("x" * 255, "é" * 127):
        write_text(tmp_path / name, "text")
        assert (tmp_path / name).read_text() == "text"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_first_word_that_begins_with_a_byte_order_mark_keeps_it(tmp_path: Path) -> None:
    sentence = Sentence(("\ufeffAda", "wrote"), (Span(0, 1, "x"),))
    write_columns([sentence, sentence], tmp_path / "a.txt")
    assert fingerprint(read_sentences(tmp_path / "a.txt").sentences) == fingerprint([sentence, sentence])
    stream = io.StringIO()
    write_columns([sentence], stream)
    assert stream.getvalue() == "\ufeffAda\tB-x\nwrote\tO\n\n"


@pytest.mark.parametrize("word", ["#", "# 1"])
def test_a_labelled_hash_that_would_be_read_as_a_comment_is_refused(tmp_path: Path, word: str) -> None:
    sentence = Sentence((word, "Ada"), (Span(0, 1, "x"),))
    with pytest.raises(DataError, match=f"a column file cannot hold the word '{word}'"):
        write_columns([sentence], tmp_path / "a.txt", scheme=Scheme.BARE)
    assert list(tmp_path.iterdir()) == []
    write_columns([sentence], tmp_path / "a.txt", scheme=Scheme.BIO)
    assert fingerprint(read_sentences(tmp_path / "a.txt").sentences) == fingerprint([sentence])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_refusal_names_the_file_that_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    monkeypatch.setattr(tempfile, "mkstemp", lambda **options: (full, str(tmp_path / ".a.txt.x")))
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_text(tmp_path / "a.txt", "text")
    assert caught.value.filename == str(tmp_path / "a.txt")

    def refuse(dir: Path, prefix: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(dir / f"{prefix}x"))

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    with pytest.raises(PermissionError) as refused:
        write_text(tmp_path / "a.txt", "text")
    assert refused.value.filename == str(tmp_path / "a.txt")
