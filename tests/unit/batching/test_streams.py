"""Sentences to batches and targets."""

import pytest
import torch

from builders import partial, sentence, tiny_encoder, vocabulary
from nerbridge.batching.batch import UNKNOWN
from nerbridge.batching.streams import Stream
from nerbridge.data.sentence import Annotation
from nerbridge.errors import LabelError

SENTENCES = [
    sentence("ada lovelace wrote", (0, 2, "person")),
    partial("bob sang in london", (0, 3), (3, 4, "location")),
    sentence("the band", annotation=Annotation.NONE),
]


@pytest.fixture(scope="module")
def stream() -> Stream:
    return Stream("hand-made", "news", SENTENCES, tiny_encoder().vectorizer, vocabulary())


def test_targets_are_tags_where_known_and_unknown_elsewhere(stream: Stream) -> None:
    index = vocabulary().index
    expected = [
        [index["B-person"], index["I-person"], 0, UNKNOWN],
        [0, UNKNOWN, UNKNOWN, index["B-location"]],
        [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN],
    ]
    assert stream.batch([0, 1, 2]).targets["tags"].tolist() == expected


def test_a_batch_holds_what_was_asked_for_in_that_order(stream: Stream) -> None:
    batch = stream.batch([2, 0])
    assert batch.sentences == (SENTENCES[2], SENTENCES[0])
    assert batch.mask.tolist() == [[True, True, False], [True, True, True]]
    assert batch.lengths.tolist() == [2, 3]
    assert (batch.domain, len(batch)) == ("news", 2)


def test_costs_count_pieces_with_special_ones(stream: Stream) -> None:
    assert stream.num_pieces == [5, 6, 4]


def test_a_stream_without_vocabulary_has_no_targets() -> None:
    raw = Stream("raw", "news", SENTENCES, tiny_encoder().vectorizer, None)
    assert dict(raw.batch([0]).targets) == {}


def test_sentences_are_vectorized_once() -> None:
    vectorizer = tiny_encoder().vectorizer
    stream = Stream("once", "news", SENTENCES, vectorizer, vocabulary())
    for _ in range(3):
        stream.batch([0, 1, 2])
    assert stream.num_pieces
    assert vectorizer.report().sentences == 3


def test_a_label_outside_the_vocabulary_is_refused() -> None:
    stream = Stream("odd", "news", [sentence("ada", (0, 1, "opera"))], tiny_encoder().vectorizer, vocabulary())
    with pytest.raises(LabelError) as caught:
        stream.batch([0])
    assert str(caught.value) == (
        "label 'opera' is not in the label set\n"
        "  where: words 0 to 1 of a sentence\n"
        "  expected: one of 3 labels: location, organisation, person\n"
        "  hint: rename it with `nerbridge data convert --rename`, or add it to the label set"
    )


def test_a_batch_moves_with_all_its_tensors(stream: Stream) -> None:
    moved = stream.batch([0]).to(torch.device("meta"))
    tensors = [moved.mask, moved.targets["tags"], moved.inputs.pieces, moved.inputs.starts]  # type: ignore[attr-defined]
    assert {tensor.device.type for tensor in tensors} == {"meta"}
