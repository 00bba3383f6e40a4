"""Tokenised text on disk: the pieces that taggers will read, made once, made again when damaged."""

import errno
from pathlib import Path

import numpy as np
import pytest

import nerbridge.pretraining.shards as module
from builders import tiny_tokenizer
from nerbridge.pretraining import Corpus
from nerbridge.pretraining.shards import DOCUMENTS, PIECES, SUMMARY, Shards, open_shards
from nerbridge.pretraining.tokenising import WordPieces, piece_traits


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    path = tmp_path / "a.txt"
    path.write_text("ada wrote to london\n\nbob sang\n" + "x" * 3000 + " ☃\n", encoding="utf-8")
    return Corpus(path, "own")


def shards_of(folder: Path, corpus: Corpus, key: str = "k", said: list[str] | None = None) -> Shards:
    return open_shards(folder, key, [corpus], WordPieces(tiny_tokenizer("bert")), say=(said or []).append)


def test_documents_lie_one_behind_the_other(tmp_path: Path, corpus: Corpus) -> None:
    shards = shards_of(tmp_path / "s", corpus)
    tokenizer = tiny_tokenizer("bert")
    first = shards.pieces[shards.starts[0] : shards.starts[1]].tolist()
    assert tokenizer.convert_ids_to_tokens(first) == ["ada", "wrote", "to", "london"]
    assert len(shards.starts) == 4
    assert shards.starts[-1] == len(shards.pieces)
    (counts,) = shards.counts
    assert (counts.domain, counts.documents, counts.words, counts.pieces) == ("own", 3, 8, len(shards.pieces))
    assert counts.unknown_pieces == int((shards.pieces == tokenizer.unk_token_id).sum()) > 0
    assert shards.pieces.dtype == np.uint16


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlm-roberta"])
def test_pieces_are_those_of_the_whole_text(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text("ada wrote to adalondon")
    tokenizer = tiny_tokenizer(kind)
    shards = open_shards(tmp_path / "s", "k", [Corpus(path, "a")], WordPieces(tokenizer))
    text = " ada wrote to adalondon" if kind == "roberta" else "ada wrote to adalondon"
    assert shards.pieces.tolist() == tokenizer(text, add_special_tokens=False)["input_ids"]


def test_blocks_do_not_change_anything(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = shards_of(tmp_path / "s", corpus)
    monkeypatch.setattr("nerbridge.pretraining.tokenising.BLOCK_WORDS", 1)
    parts = shards_of(tmp_path / "t", corpus)
    assert whole.pieces.tolist() == parts.pieces.tolist()
    assert whole.starts.tolist() == parts.starts.tolist()
    assert whole.counts == parts.counts


def test_a_document_of_any_length_is_tokenised_in_bounded_blocks(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("ada wrote to " * 300_000)
    words = WordPieces(tiny_tokenizer("bert"))
    sizes = [len(ids) for ids, _ in words.tokenise(Corpus(path, "own").parts())]
    assert sum(sizes) == words.take_count() == 900_000
    assert max(sizes) < 600_000


def test_finished_shards_are_found_again(tmp_path: Path, corpus: Corpus) -> None:
    shards_of(tmp_path / "s", corpus)
    before = (tmp_path / "s" / PIECES).stat().st_mtime_ns
    shards_of(tmp_path / "s", corpus)
    assert (tmp_path / "s" / PIECES).stat().st_mtime_ns == before
    shards_of(tmp_path / "s", corpus, key="other")
    assert (tmp_path / "s" / PIECES).stat().st_mtime_ns != before


@pytest.mark.parametrize("name", [PIECES, DOCUMENTS, SUMMARY])
@pytest.mark.parametrize("fault", ["cut", "changed", "missing"])
def test_damaged_shards_are_made_again(tmp_path: Path, corpus: Corpus, name: str, fault: str) -> None:
    whole = shards_of(tmp_path / "s", corpus)
    pieces, path, said = whole.pieces.tolist(), tmp_path / "s" / name, list[str]()
    del whole
    content = path.read_bytes()
    if fault == "missing":
        path.unlink()
    else:
        path.write_bytes(content[: len(content) // 2] if fault == "cut" else content[:-1] + bytes([content[-1] ^ 1]))
    again = open_shards(tmp_path / "s", "k", [corpus], WordPieces(tiny_tokenizer("bert")), say=said.append)
    assert again.pieces.tolist() == pieces
    assert said.pop() == "pieces   cutting the text into pieces of words"
    assert len(said) == (0 if (name, fault) == (SUMMARY, "missing") else 1)


def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(module, "save_array", full)
        with pytest.raises(OSError, match="No space left") as fault:
            shards_of(tmp_path / "s", corpus)
    assert fault.value.filename == str(tmp_path / "s")
    assert not (tmp_path / "s").exists()
    assert len(shards_of(tmp_path / "s", corpus).pieces) > 0


def test_no_text_makes_no_pieces(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n \n")
    shards = shards_of(tmp_path / "s", Corpus(tmp_path / "a.txt", "own"))
    assert (len(shards.pieces), shards.starts.tolist()) == (0, [0])


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlm-roberta"])
def test_traits_tell_special_and_continuing_pieces(kind: str) -> None:
    tokenizer = tiny_tokenizer(kind)
    traits = piece_traits(tokenizer, 500)
    assert traits.mask == tokenizer.mask_token_id
    assert not traits.ordinary[tokenizer.all_special_ids].any()
    assert int(traits.ordinary.sum()) == len(tokenizer) - len(tokenizer.all_special_ids)
    ids = tokenizer(" london adaxy", add_special_tokens=False)["input_ids"]
    pieces = tokenizer.convert_ids_to_tokens(ids)
    starts = [piece for piece, goes_on in zip(pieces, traits.continues[ids], strict=True) if not goes_on]
    assert len(starts) == 2, pieces
