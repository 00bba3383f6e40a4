"""Built corpora: whole or not there, readable, resumable."""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from nerbridge.corpus.folder import CorpusFolder, CorpusWriter, write_corpus
from nerbridge.errors import ConfigError, DataError

DOCUMENTS = [[["Ada", "wrote", "."], ["Who", "knew", "?"]], [["Oslo"]], [["سلام", "دنیا"], ["東京"]]]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "c", DOCUMENTS, about={"seed": 7})
    assert list(corpus.documents()) == DOCUMENTS
    assert (corpus.num_documents, corpus.num_sentences, corpus.num_words) == (3, 5, 10)
    assert corpus.manifest["seed"] == 7
    corpus.verify()
    assert sorted(path.name for path in corpus.path.iterdir()) == ["manifest.json", "sentences-00000.txt.gz"]
    assert gzip.decompress((corpus.path / "sentences-00000.txt.gz").read_bytes()).decode() == (
        "Ada wrote .\nWho knew ?\n\nOslo\n\nسلام دنیا\n東京\n\n"
    )


def test_files_close_at_their_size_and_can_be_read_one_by_one(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "c", DOCUMENTS, shard_words=6)
    assert [(shard.documents, shard.words) for shard in corpus.shards] == [(1, 6), (2, 4)]
    assert list(corpus.documents(corpus.shards[1:])) == DOCUMENTS[1:]


def test_equal_documents_give_equal_bytes(tmp_path: Path) -> None:
    first, second = (write_corpus(tmp_path / name, DOCUMENTS) for name in ("one", "two"))
    assert first.shards == second.shards


def test_what_is_said_last_may_be_a_function(tmp_path: Path) -> None:
    counted = []

    def counting() -> Iterator[list[list[str]]]:
        for document in DOCUMENTS:
            counted.append(document)
            yield document

    corpus = write_corpus(tmp_path / "c", counting(), about=lambda: {"seen": len(counted)})
    assert corpus.manifest["seen"] == 3


@pytest.mark.parametrize("words", [[], [""], ["a b"], ["a", "\u2028"], ["a\n"]])
def test_words_with_white_space_are_refused(tmp_path: Path, words: list[str]) -> None:
    with pytest.raises(ValueError, match="a sentence needs words without white space"):
        write_corpus(tmp_path / "c", [[words]])


def test_a_folder_without_manifest_is_no_corpus(tmp_path: Path) -> None:
    def breaking() -> Iterator[list[list[str]]]:
        yield DOCUMENTS[0]
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_corpus(tmp_path / "c", breaking(), shard_words=1)
    with pytest.raises(DataError) as caught:
        CorpusFolder(tmp_path / "c")
    assert str(caught.value) == (
        f"'{tmp_path}/c' is a corpus that is not finished\n"
        f"  where: {tmp_path}/c/manifest.json\n"
        "  expected: a folder written by `nerbridge corpus build` or `nerbridge corpus select`\n"
        "  hint: run the command that began it again: it goes on"
    )
    assert list(write_corpus(tmp_path / "c", DOCUMENTS[1:]).documents()) == DOCUMENTS[1:]  # begun anew


def test_other_content_is_never_replaced(tmp_path: Path) -> None:
    write_corpus(tmp_path / "c", DOCUMENTS)
    with pytest.raises(ConfigError, match="holds a built corpus already") as caught:
        write_corpus(tmp_path / "c", DOCUMENTS)
    assert caught.value.hint == (
        "choose another folder, or delete this one; manifest.json in it says of which files and settings it is"
    )
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(ConfigError, match="holds other files already"):
        write_corpus(tmp_path / "mine", DOCUMENTS)
    with pytest.raises(ConfigError, match="is a file already"):
        write_corpus(tmp_path / "mine" / "letter.txt", DOCUMENTS)
    assert os.listdir(tmp_path / "mine") == ["letter.txt"]  # noqa: PTH208


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with CorpusWriter(tmp_path / "c", key="a"), pytest.raises(ConfigError, match="is being written by another process"):
        CorpusWriter(tmp_path / "c", key="a")


def test_a_checkpoint_survives_what_comes_after_it(tmp_path: Path) -> None:
    with CorpusWriter(tmp_path / "c", key="a") as writer:
        writer.add(["Ada wrote ."], 3)
        writer.checkpoint({"items": 1})
        writer.add(["lost"], 1)
        writer.close_shard()  # closed, but not recorded
        writer.add(["lost too"], 2)
    with pytest.raises(ConfigError, match="was begun with other inputs or settings"):
        CorpusWriter(tmp_path / "c", key="b")
    with CorpusWriter(tmp_path / "c", key="a") as writer:
        assert writer.progress == {"items": 1}
        writer.add(["Oslo"], 1)
        writer.finish({})
    assert list(CorpusFolder(tmp_path / "c").documents()) == [[["Ada", "wrote", "."]], [["Oslo"]]]


def test_damage_is_found(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "c", DOCUMENTS)
    path = corpus.path / "sentences-00000.txt.gz"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)
    with pytest.raises(DataError, match="is not the file that the manifest describes"):
        CorpusFolder(corpus.path).verify()
    with pytest.raises(DataError, match="cannot be read"):
        list(CorpusFolder(corpus.path).documents())
    path.write_bytes(content[:-1])
    with pytest.raises(DataError, match=r"has 78 bytes, the manifest says 79 bytes"):
        CorpusFolder(corpus.path)
    path.unlink()
    with pytest.raises(DataError, match="is missing"):
        CorpusFolder(corpus.path)
    (corpus.path / "manifest.json").write_text(json.dumps({"schema": 99}), encoding="utf-8")
    with pytest.raises(DataError, match="the manifest has schema 99, this program reads 1"):
        CorpusFolder(corpus.path)
    (corpus.path / "manifest.json").write_text("[", encoding="utf-8")
    with pytest.raises(DataError, match="the manifest cannot be read"):
        CorpusFolder(corpus.path)


@pytest.mark.parametrize(
    "content",
    [
        '{"schema": 1}',
        '{"schema": 1, "holds": {}, "files": []}',
        '{"schema": 1, "holds": {"documents": 1, "sentences": 1, "words": "many"}, "files": []}',
        '{"schema": 1, "holds": {"documents": 1, "sentences": 1, "words": 1}, "files": [{"name": "a"}]}',
        "[" * 100_000,
    ],
)
def test_a_manifest_that_says_too_little_is_a_fault(tmp_path: Path, content: str) -> None:
    (tmp_path / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match="the manifest cannot be read") as caught:
        CorpusFolder(tmp_path)
    assert caught.value.where == str(tmp_path / "manifest.json")
