"""Texts in, documents out: order, offsets, laziness, and what is refused."""

import gc
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from capital_tagger import CapitalTagger
from hypothesis import given
from hypothesis import strategies as st

from nerbridge.data.sentence import Span
from nerbridge.errors import DataError
from nerbridge.inference.document import Document, Entity, TaggedSentence
from nerbridge.inference.pipeline import Pipeline

EMOJI = ["🙂", "\U0001f469\u200d\U0001f467", "e\u0301", "A\u030a"]
INVISIBLE = ["\u200b", "\ufeff", "\u00ad", "\r\n", "\r", "\x00", "\x85", "\u2028", "\t", " ", "\n\n", "\ud800"]
WORDS = ["Ada", "Lovelace", "wrote", ".", "U.S.", "can't"]
pieces = st.one_of(st.sampled_from([*EMOJI, *INVISIBLE, *WORDS]), st.text(max_size=5))
texts = st.lists(pieces, max_size=30).map("".join)


def test_a_text_becomes_a_document_with_offsets() -> None:
    text = "🙂  Ada Lovelace\r\nwrote to Babbage."
    document = Pipeline(CapitalTagger())(text)
    assert document.text == text
    assert document.entities == (Entity(3, 15, "Ada Lovelace", "name", 0.5), Entity(26, 33, "Babbage", "name", 1.0))


@given(texts)
def test_offsets_point_into_the_original_text(text: str) -> None:
    document = Pipeline(CapitalTagger())(text)
    assert document.text == text
    assert all(text[entity.start : entity.end] == entity.text for entity in document.entities)
    edges = [edge for entity in document.entities for edge in (entity.start, entity.end)]
    assert edges == sorted(edges)


@given(texts)
def test_no_visible_character_is_lost(text: str) -> None:
    offsets = [pair for sentence in Pipeline(CapitalTagger())(text).sentences for pair in sentence.offsets or ()]
    covered = [position for start, end in offsets for position in range(start, end)]
    assert covered == [position for position in range(len(text)) if not text[position].isspace()]


@pytest.mark.parametrize("text", ["", " ", "\r\n\t\u2003"])
def test_a_text_without_words_is_a_document_without_entities(text: str) -> None:
    tagger = CapitalTagger()
    assert Pipeline(tagger)(text) == Document(text, (), ())
    assert tagger.blocks == []


def test_a_list_becomes_a_list_in_the_same_order() -> None:
    documents = Pipeline(CapitalTagger())(["Ada wrote.", "", "to Babbage."])
    assert [[entity.text for entity in document.entities] for document in documents] == [["Ada"], [], ["Babbage"]]


def test_min_score_leaves_out_the_unsure() -> None:
    document = Pipeline(CapitalTagger())("Ada Lovelace wrote to Babbage.", min_score=0.6)
    assert [entity.text for entity in document.entities] == ["Babbage"]
    assert document.sentences[0].tags() == ["O", "O", "O", "O", "B-name", "O"]


def test_half_a_surrogate_pair_stays_in_the_text_but_never_reaches_the_model() -> None:
    tagger = CapitalTagger()
    document = Pipeline(tagger)("A\ud83d wrote")
    assert (document.text, document.entities[0].start) == ("A\ud83d wrote", 0)
    assert not any("\ud83d" in word for word in tagger.blocks[0][0].words)


def test_words_stay_as_they_were_split() -> None:
    tagged = Pipeline(CapitalTagger()).tag_words([["New York", "is", "Big."], [], ["x"]])
    assert tagged == [
        TaggedSentence(("New York", "is", "Big."), (Span(0, 1, "name"), Span(2, 3, "name")), (1.0, 1.0)),
        TaggedSentence((), (), ()),
        TaggedSentence(("x",), (), ()),
    ]


def test_a_stream_reads_only_as_far_ahead_as_it_must() -> None:
    taken = []

    def source() -> Iterator[str]:
        for number in range(1_000_000):
            taken.append(number)
            yield "Ada wrote."

    stream = Pipeline(CapitalTagger()).stream(source(), batch=4)
    assert taken == []
    assert next(stream).entities[0].text == "Ada"
    assert taken == [0, 1, 2, 3]


def test_a_long_document_is_tagged_in_blocks_and_nothing_is_lost() -> None:
    tagger = CapitalTagger()
    document = Pipeline(tagger)("Then Ada wrote a letter.\n" * 10_000)
    assert len(document.entities) == 10_000
    sizes = [sum(map(len, block)) for block in tagger.blocks]
    assert (sum(sizes), max(sizes) <= 32_768, len(sizes)) == (60_000, True, 2)


@pytest.mark.parametrize(("value", "kind"), [(3, "int"), (None, "NoneType"), (b"Ada", "bytes")])
def test_what_is_neither_text_nor_texts_is_refused(value: Any, kind: str) -> None:
    with pytest.raises(DataError) as caught:
        Pipeline(CapitalTagger())(value)
    assert str(caught.value) == (
        f"the text is of type {kind}\n"
        "  where: the call of the pipeline\n"
        "  expected: a string, or an iterable of strings\n"
        '  hint: pipeline("Ada Lovelace was born in London."); bytes are decoded first'
    )


def test_a_text_that_is_no_string_is_refused() -> None:
    with pytest.raises(DataError) as caught:
        Pipeline(CapitalTagger())(["Ada", None])  # type: ignore[list-item]
    assert str(caught.value) == (
        "text 1 is of type NoneType\n"
        "  where: item 1 of the texts, counted from 0\n"
        "  expected: a string\n"
        "  hint: words that are split already go to `pipeline.tag_words`"
    )


@pytest.mark.parametrize(
    ("sentence", "what"),
    [("Ada wrote", "is one string"), (["Ada", ""], "has an empty word, or one that is not a string")],
)
def test_words_that_are_none_are_refused(sentence: list[str] | str, what: str) -> None:
    with pytest.raises(DataError) as caught:
        Pipeline(CapitalTagger()).tag_words([["fine"], sentence])
    assert str(caught.value) == (
        f"sentence 1 {what}\n"
        "  where: item 1 of the sentences, counted from 0\n"
        "  expected: a sequence of words, none of them empty\n"
        '  hint: a text goes to `pipeline("...")`; words look like ["Ada", "Lovelace"]'
    )


def _peak_memory(num_texts: int) -> int:
    texts = (f"Number {number} came from Ada Lovelace." for number in range(num_texts))
    gc.collect()
    tracemalloc.start()
    try:
        for _ in Pipeline(CapitalTagger(remember=False)).stream(texts, batch=100):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_number_of_texts() -> None:
    few, many = _peak_memory(2_000), _peak_memory(8_000)
    assert many - few < 100 * 6_000  # bytes of a text more: far less than its result
