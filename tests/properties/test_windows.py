"""Windows over long sentences: merged, they are one pass; every word is read once, where it has most context."""

from itertools import pairwise

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from builders import batch, sentence, tiny_encoder, tiny_tagger
from nerbridge.assembly.prediction import predict
from nerbridge.data.sentence import Sentence
from nerbridge.encoders.transformer.encoder import TransformerEncoder
from nerbridge.encoders.transformer.windows import cut_windows

WORDS = st.sampled_from(["ada", "sang", "to", "abc", "u.s.", "lovelaces", "x", "the"])


@st.composite
def cuts(draw: st.DrawFn) -> tuple[list[int], int, int]:
    capacity = draw(st.integers(4, 30))
    lengths = draw(st.lists(st.integers(1, capacity), min_size=1, max_size=80))
    return lengths, capacity, draw(st.integers(0, 40))


@given(cuts())
@settings(deadline=None, max_examples=150)
def test_windows_fit_move_forward_and_own_every_word(case: tuple[list[int], int, int]) -> None:
    lengths, capacity, overlap = case
    windows = cut_windows(np.array(lengths), capacity, overlap)
    borders = windows.borders
    assert borders[0][0] == 0
    assert borders[-1][1] == len(lengths)
    assert all(sum(lengths[begin:end]) <= capacity for begin, end in borders)
    for (begin, end), (next_begin, next_end) in pairwise(borders):
        assert begin < next_begin <= end < next_end
        room = min(2 * overlap, capacity // 2, capacity - lengths[end])  # the next word must fit
        assert sum(lengths[next_begin:end]) <= room < sum(lengths[next_begin - 1 : end]), "as much is shared as fits"
    for word, owner in enumerate(windows.owner):
        begin, end = borders[owner]
        assert begin <= word < end


@given(cuts())
@settings(deadline=None, max_examples=200)
def test_words_are_read_where_the_poorer_side_has_most_context(case: tuple[list[int], int, int]) -> None:
    lengths, capacity, overlap = case
    windows = cut_windows(np.array(lengths), capacity, overlap)

    def context(word: int, begin: int, end: int) -> int:
        left = 10**6 if begin == 0 else sum(lengths[begin:word])
        right = 10**6 if end == len(lengths) else sum(lengths[word + 1 : end])
        return min(left, right)

    for word, owner in enumerate(windows.owner):
        choices = [context(word, begin, end) for begin, end in windows.borders if begin <= word < end]
        assert context(word, *windows.borders[owner]) == max(choices)


def read(encoder: TransformerEncoder, sentences: list[Sentence]) -> Tensor:
    return encoder(encoder.vectorizer.collate(encoder.vectorizer.vectorize(sentences)))


def local_encoder(pooling: str, **options: object) -> TransformerEncoder:
    """An encoder that looks at one piece at a time: embeddings, without positions."""
    encoder = tiny_encoder("bert", pooling=pooling, **options)
    encoder.model.encoder.layer = torch.nn.ModuleList()
    encoder.model.embeddings.position_embeddings.weight.data.zero_()
    return encoder.eval()


LOCAL = {
    (pooling, small): local_encoder(pooling, **({"max_pieces": 16, "window_overlap": 3} if small else {}))
    for pooling in ("first", "mean")
    for small in (True, False)
}


@given(st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=1, max_size=4), st.sampled_from(["first", "mean"]))
@settings(deadline=None, max_examples=40)
def test_merged_windows_are_one_pass(texts: list[list[str]], pooling: str) -> None:
    sentences = [sentence(" ".join(words)) for words in texts]
    merged, whole = (read(LOCAL[pooling, small], sentences) for small in (True, False))
    torch.testing.assert_close(merged, whole)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=9), min_size=1, max_size=5), st.integers(0, 4))
@settings(deadline=None, max_examples=15)
def test_padding_never_matters(texts: list[list[str]], which: int) -> None:
    encoder = SMALL
    sentences = [sentence(" ".join(words)) for words in texts]
    chosen = which % len(sentences)
    with torch.no_grad():
        together, alone = read(encoder, sentences), read(encoder, [sentences[chosen]])
    length = len(sentences[chosen])
    torch.testing.assert_close(together[chosen, :length], alone[0], atol=1e-4, rtol=1e-3)
    assert not together[chosen, length:].any()


SMALL = tiny_encoder("bert", pooling="mean", max_pieces=16, window_overlap=3).eval()


def test_a_sentence_of_3000_words_is_learnt_from_and_tagged() -> None:
    model = tiny_tagger(tiny_encoder("bert"))
    long = sentence(" ".join(["ada"] * 2999 + ["london"]), (2999, 3000, "location"))
    loss = model(batch(model, [long, sentence("bob sang", (0, 1, "person"))]))
    loss.backward()
    assert torch.isfinite(loss)
    (predicted,) = predict(model, [long], "news")
    assert len(predicted.tags) == 3000
    assert model.encoder.vectorizer.report().windowed_sentences == 2
