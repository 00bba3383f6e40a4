"""Our word vectors against transformers used by hand: its tokenizer, its model, one sentence at a time, no padding."""

import pytest
import torch
from torch import Tensor

from builders import TINY_KINDS, four_sentences, sentence, tiny_encoder
from nerbridge.config.encoder import TransformerSettings
from nerbridge.data.sentence import Sentence
from nerbridge.encoders.transformer import TransformerEncoder, build_transformer
from nerbridge.errors import MissingExtraError

SENTENCES = [*four_sentences(), sentence("U.S. wheat-prices (ada's) rose 3.5% , bob's too !"), sentence("x")]


def by_hand(encoder: TransformerEncoder, words: Sentence, pooling: str) -> Tensor:
    """What a reader of transformers' documentation would write."""
    tokenizer = encoder.tokenizer
    pre_tokenizer = tokenizer.backend_tokenizer.pre_tokenizer
    if hasattr(pre_tokenizer, "add_prefix_space"):
        pre_tokenizer.add_prefix_space = True
    encoded = tokenizer(list(words.words), is_split_into_words=True, return_tensors="pt")
    pieces = encoder.model(input_ids=encoded["input_ids"], attention_mask=encoded["attention_mask"]).last_hidden_state[
        0
    ]
    numbers = encoded.word_ids()
    rows = []
    for word in range(len(words)):
        own = pieces[[place for place, number in enumerate(numbers) if number == word]]
        rows.append(own[0] if pooling == "first" else own.mean(dim=0))
    return torch.stack(rows)


def check(encoder: TransformerEncoder, pooling: str, tolerance: float) -> None:
    encoder.eval()
    with torch.no_grad():
        found = encoder(encoder.vectorizer.collate(encoder.vectorizer.vectorize(SENTENCES)))
        for row, words in enumerate(SENTENCES):
            expected = by_hand(encoder, words, pooling)
            torch.testing.assert_close(found[row, : len(words)], expected, atol=tolerance, rtol=tolerance)
            assert not found[row, len(words) :].any()


@pytest.mark.parametrize("pooling", ["first", "mean"])
@pytest.mark.parametrize("kind", TINY_KINDS)
def test_word_vectors_are_those_of_the_model_itself(kind: str, pooling: str) -> None:
    check(tiny_encoder(kind, pooling=pooling), pooling, 1e-4)


@pytest.mark.parametrize("pooling", ["first", "mean"])
def test_word_vectors_of_the_packaged_encoder(pooling: str) -> None:
    try:
        encoder = build_transformer(TransformerSettings(checkpoint="minilm", pooling=pooling))  # type: ignore[arg-type]
    except MissingExtraError as error:
        pytest.skip(error.what)
    encoder.tokenizer.backend_tokenizer.no_padding()  # its file asks for rows of 128 pieces
    check(encoder, pooling, 1e-3)
