"""Words to pieces: nothing is lost, and what could not be read well is counted."""

from dataclasses import astuple

import pytest
import torch

from builders import TINY_KINDS, sentence, tiny_encoder, tiny_tokenizer
from nerbridge.data.sentence import Sentence
from nerbridge.encoders.transformer import pieces as pieces_module
from nerbridge.encoders.transformer.inputs import TransformerItem, collate
from nerbridge.encoders.transformer.pieces import MAX_WORD_PIECES
from nerbridge.encoders.transformer.vectorizer import TransformerVectorizer


def item_of(vectorizer: TransformerVectorizer, *words: str) -> TransformerItem:
    (item,) = vectorizer.vectorize([Sentence(words)])
    assert isinstance(item, TransformerItem)
    return item


@pytest.mark.parametrize("kind", TINY_KINDS)
def test_pieces_are_those_of_the_tokenizer_itself(kind: str) -> None:
    words = ["ada", "sang,", "U.S.", "don't", "x", "99%", "ada"]
    tokenizer = tiny_tokenizer(kind)
    if kind in ("roberta", "modernbert"):
        tokenizer.backend_tokenizer.pre_tokenizer.add_prefix_space = True  # as `add_prefix_space=True` does
    expected = tokenizer(words, is_split_into_words=True)
    item = item_of(tiny_encoder(kind).vectorizer, *words)
    assert item.pieces.tolist() == expected["input_ids"]
    numbers = expected.word_ids()
    assert item.word_starts.tolist() == [numbers.index(word) for word in range(len(words))]
    assert item.word_lengths.tolist() == [numbers.count(word) for word in range(len(words))]


@pytest.mark.parametrize("word", ["\u200b", "\x00", "\x07", "\u200d\u200b", "\ufeff"])
def test_a_word_without_pieces_keeps_its_row_as_the_unknown_piece(word: str) -> None:
    vectorizer = tiny_encoder("bert").vectorizer
    item = item_of(vectorizer, "ada", word, "sang")
    assert item.word_lengths.tolist() == [1, 1, 1]
    assert item.pieces[item.word_starts[1]] == vectorizer.special.unknown
    assert vectorizer.report().pieceless_words == 1


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlm-roberta"])
@pytest.mark.parametrize("unit", ["a", "a-", "é", "字"])
def test_a_very_long_word_keeps_its_first_pieces(kind: str, unit: str) -> None:
    vectorizer = tiny_encoder(kind).vectorizer
    item = item_of(vectorizer, "ada", unit * (100_000 // len(unit)), "sang")
    assert max(item.word_lengths) <= MAX_WORD_PIECES
    assert vectorizer.report().shortened_words == 1


def test_the_report_counts_occurrences() -> None:
    vectorizer = tiny_encoder("bert").vectorizer
    words = ("ada", "\u200b", "x" * 2000, "\u200b", "字")
    vectorizer.vectorize([Sentence(words), Sentence(words), sentence(" ".join(["ada"] * 100))])
    assert astuple(vectorizer.report()) == (3, 110, 4, 4, 2, 1, None)


def test_the_table_of_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_module, "TABLE_SIZE", 10)
    vectorizer = tiny_encoder("bert").vectorizer
    texts = [sentence(f"a{number} b{number} sang") for number in range(50)]
    bounded = [vectorizer.vectorize([text])[0] for text in texts]
    assert len(vectorizer._table._pieces) <= 10
    unbounded = tiny_encoder("bert").vectorizer.vectorize(texts)
    assert [item.pieces.tolist() for item in bounded] == [item.pieces.tolist() for item in unbounded]  # type: ignore[attr-defined]


def test_truncation_and_padding_set_in_a_tokenizer_file_are_ignored() -> None:
    from nerbridge.encoders.transformer.pieces import word_tokenizer

    tokenizer = tiny_tokenizer("bert").backend_tokenizer
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=4)
    encoding = word_tokenizer(tokenizer.to_str()).encode(["ada"] * 9, is_pretokenized=True)
    assert len(encoding.ids) == 11


def test_collating_pads_rows_and_points_at_words() -> None:
    vectorizer = tiny_encoder("bert", max_pieces=16, window_overlap=2).vectorizer
    sentences = [sentence("ada sang"), sentence(" ".join(["ada", "bob"] * 15)), sentence("london")]
    items = vectorizer.vectorize(sentences)
    inputs = collate(items, pad_id=1)  # type: ignore[arg-type]
    assert inputs.pieces[~inputs.piece_mask].unique().tolist() == [1]
    read = inputs.pieces.flatten()[inputs.starts]
    piece = tiny_tokenizer("bert").convert_tokens_to_ids
    for row, sent in enumerate(sentences):
        assert read[row, : len(sent)].tolist() == piece(list(sent.words))
    assert inputs.word_mask.sum(dim=1).tolist() == [2, 30, 1]
    assert inputs.piece_mask.any(dim=1).all()
    assert not torch.equal(inputs.starts[1, :-1], inputs.starts[1, 1:])
