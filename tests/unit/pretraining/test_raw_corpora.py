"""Text is read in bounded parts, from built corpora and from text files; what cannot be read is said."""

import gzip
import os
from pathlib import Path

import pytest

import nerbridge.pretraining.corpora as module
from nerbridge.corpus.folder import write_corpus
from nerbridge.errors import ConfigError, DataError, FileFaults
from nerbridge.pretraining import Corpus
from nerbridge.pretraining.corpus_checks import check_corpora


def documents(path: Path) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for words, ends in Corpus(path, "any").parts():
        found[-1] += words
        if ends:
            found.append([])
    assert found.pop() == [], "every document has an end"
    return found


def test_paragraphs_of_a_text_file_are_documents(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("ada  wrote\tto\u3000london\r\n\n \nbob sang", encoding="utf-8")
    assert documents(path) == [["ada", "wrote", "to", "london"], ["bob", "sang"]]
    packed = tmp_path / "a.txt.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert documents(packed) == documents(path)


def test_documents_of_a_built_corpus_are_documents(tmp_path: Path) -> None:
    write_corpus(tmp_path / "c", [[["ada", "wrote", "."], ["bob", "sang"]], [["london"]]])
    assert documents(tmp_path / "c") == [["ada", "wrote", ".", "bob", "sang"], ["london"]]


@pytest.mark.parametrize("chunk", [8, 30, 1000])
def test_long_lines_come_in_parts_that_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(module, "CHUNK", chunk)
    text = "a bb ccc dddd eeeee\n\nff " + "g " * 2000 + "\nlast"
    path = tmp_path / "a.txt"
    path.write_text(text)
    parts = list(Corpus(path, "any").parts())
    assert [sum(ends for _, ends in parts), sum(len(words) for words, _ in parts)] == [3, 2007]
    assert documents(path) == [line.split() for line in text.split("\n") if line]


def test_a_line_without_spaces_is_cut_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 1500)
    path = tmp_path / "a.txt"
    path.write_text("x" * 5000)
    assert "".join(documents(path)[0]) == "x" * 5000


def test_damaged_files_are_named(tmp_path: Path) -> None:
    cut = tmp_path / "cut.txt.gz"
    cut.write_bytes(gzip.compress(b"words " * 5000)[:-20])
    with pytest.raises(DataError) as fault:
        documents(cut)
    assert str(fault.value) == (
        "'cut.txt.gz' cannot be read: Compressed file ended before the end-of-stream marker was reached\n"
        f"  where: {cut}\n"
        "  expected: text in UTF-8, compressed by gzip where the name ends in .gz\n"
        "  hint: get the file again; `nerbridge corpus build` reads other encodings"
    )
    binary = tmp_path / "binary.txt"
    binary.write_bytes("zwölf\n".encode() * 200_000 + b"one\ntwo \xff\xfe\x00")
    with pytest.raises(DataError, match=r"'binary.txt' cannot be read: 'utf-8' codec can't decode byte 0xff") as fault:
        documents(binary)
    assert fault.value.where == f"{binary}:200002"


def test_the_mark_of_utf_8_is_no_letter_of_the_first_word(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\ufeffone two\r\nthree\r\n", encoding="utf-8", newline="")
    assert documents(path) == [["one", "two"], ["three"]]


def test_pipes_are_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    with pytest.raises(DataError) as fault:
        check_corpora([Corpus(tmp_path / "a.txt", "a")])
    assert fault.value.what == f"'{tmp_path}/a.txt' is a pipe or a device, which cannot be read twice"


def test_a_file_that_changes_behind_its_checksum_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\n")
    corpus = Corpus(path, "a")
    assert len(corpus.sha256) == 64
    assert [words for words, _ in corpus.parts()] == [["one"]]
    path.write_text("one\ntwo\n")
    with pytest.raises(DataError) as fault:
        list(corpus.parts())
    assert str(fault.value) == (
        "'a.txt' changed while it was read\n"
        f"  where: {path}\n"
        "  expected: files that stay as they are until everything is read\n"
        "  hint: run the same command again when nothing writes there any more, or on a copy"
    )


def test_corpora_that_are_not_there_are_all_named(tmp_path: Path) -> None:
    other = tmp_path / "a.pdf"
    other.write_text("text")
    built = write_corpus(tmp_path / "built", [[["one"]]])
    with pytest.raises(FileFaults) as fault:
        check_corpora([Corpus(tmp_path / "none.txt", "a"), Corpus(other, "b"), Corpus(built.path, "c")])
    assert str(fault.value) == (
        "2 faults\n"
        f"  '{tmp_path}/none.txt' is not there\n    at {tmp_path}/none.txt\n"
        f"  '{other}' is no text file by its name\n    at {other}\n"
        f"  where: {tmp_path}/none.txt\n"
        "  expected: a folder that `nerbridge corpus build` wrote, or a file .txt or .txt.gz\n"
        "  hint: check the path"
    )
    with pytest.raises(ConfigError, match="there is no text to pre-train on"):
        check_corpora([])


@pytest.mark.parametrize(
    ("text", "what", "built"),
    [
        ("papers", "is no built corpus", "{}/"),
        ("papers/*.txt", "is not there", "'{}'"),
        ("papers/*.md", "is not there", ""),
        ("a.jsonl", "is no text file by its name", "{}"),
        ("a.bz2", "is no text file by its name", "{}"),
        ("a.txt", "is not there", ""),
    ],
)
def test_text_of_other_kinds_is_built_first(tmp_path: Path, text: str, what: str, built: str) -> None:
    (tmp_path / "papers").mkdir()
    for name in ("papers/one.txt", "a.jsonl", "a.bz2"):
        (tmp_path / name).write_text("text")
    with pytest.raises(DataError) as fault:
        check_corpora([Corpus(tmp_path / text, "ai")])
    build = f"nerbridge corpus build {built.format(tmp_path / text)} --output CORPUS, then nerbridge pretrain ai=CORPUS"
    assert fault.value.what == f"'{tmp_path / text}' {what}"
    assert fault.value.hint == (build if built else "check the path")


def test_a_folder_that_holds_corpora_or_a_begun_one_is_told_of_when_it_is_read(tmp_path: Path) -> None:
    write_corpus(tmp_path / "two" / "one", [[["one"]]])
    check_corpora([Corpus(tmp_path / "two", "ai")])
    with pytest.raises(DataError) as fault:
        list(Corpus(tmp_path / "two", "ai").parts())
    assert fault.value.hint == f"name one of those inside: {tmp_path}/two/one"


def test_labelled_sentences_are_no_text(tmp_path: Path) -> None:
    path, text = tmp_path / "train.txt", tmp_path / "text.txt"
    path.write_text("ada\tB-person\nsang\tO\n\nbob\tB-person\n", encoding="utf-8")
    text.write_text("ada sang\n", encoding="utf-8")
    check_corpora([Corpus(text, "a")])
    with pytest.raises(FileFaults) as fault:
        check_corpora([Corpus(text, "a"), Corpus(path, "b")])
    assert str(fault.value) == (
        "'train.txt' holds labelled sentences, a word and a tag per line, and no raw text\n"
        f"  where: {path}\n"
        "  expected: running text, one paragraph per line\n"
        "  hint: `nerbridge train` and `adapt` learn from labelled sentences, `pretrain` from running text"
    )


def test_the_same_text_twice_is_refused(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "b.txt"
    path.write_text("ada sang\n", encoding="utf-8")
    link.symlink_to(path)
    with pytest.raises(ConfigError, match=f"'{path}' is given twice"):
        check_corpora([Corpus(path, "a"), Corpus(path, "b")])
    with pytest.raises(ConfigError, match=f"'{link}' and '{path}' are the same text"):
        check_corpora([Corpus(path, "a"), Corpus(link, "a")])


def test_the_fingerprint_is_that_of_the_text(tmp_path: Path) -> None:
    one, two = (write_corpus(tmp_path / name, [[["ada"]]]).path for name in ("one", "two"))
    other = write_corpus(tmp_path / "other", [[["bob"]]]).path
    prints = [Corpus(path, "any").sha256 for path in (one, two, other)]
    assert prints[0] == prints[1] != prints[2]
