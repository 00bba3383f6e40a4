"""Whatever the spans and the text: nothing is lost on the way through tags, words and files."""

import tempfile
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from nerbridge.data.reading import read_sentences
from nerbridge.data.schemes import Repair, Scheme, count_merges, examine_tags, spans_from_tags, tags_from_spans
from nerbridge.data.sentence import Sentence, Span
from nerbridge.data.tokenization import split_sentences, tokenize
from nerbridge.data.writing import write_columns, write_jsonl

LOSSLESS = [Scheme.BIO, Scheme.IOB1, Scheme.BIOES, Scheme.BMES, Scheme.BILOU]
labels = st.sampled_from(["person", "a-b", "B-x", "O", "I", "Multi-tissue_structure", "-", "é e"])
# Every character that a text can hold: half surrogates cannot be written to any file.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.text(
    st.sampled_from("ab.'’- \n\u0301\u200d\u200b😀👩🇩🇪\u2028\u0085\x0b\x1cÉ1,&"), max_size=40
)


@st.composite
def spans_in(draw: st.DrawFn, length: int) -> tuple[Span, ...]:
    edges = sorted(draw(st.sets(st.integers(0, length))))
    return tuple(Span(start, end, draw(labels)) for start, end in pairwise(edges) if draw(st.booleans()))


@given(st.integers(1, 12).flatmap(lambda length: st.tuples(st.just(length), spans_in(length))))
def test_spans_survive_every_scheme(sized: tuple[int, tuple[Span, ...]]) -> None:
    length, spans = sized
    for scheme in LOSSLESS:
        tags = tags_from_spans(spans, length, scheme)
        for repair in Repair:
            assert spans_from_tags(tags, scheme, repair) == (spans, [])
        for other in LOSSLESS:
            again = tags_from_spans(spans_from_tags(tags, scheme)[0], length, other)
            assert spans_from_tags(again, other) == (spans, [])


@given(st.integers(1, 12).flatmap(lambda length: st.tuples(st.just(length), spans_in(length))))
def test_io_loses_exactly_the_counted_merges_and_no_word(sized: tuple[int, tuple[Span, ...]]) -> None:
    length, spans = sized
    back, faults = spans_from_tags(tags_from_spans(spans, length, Scheme.IO), Scheme.IO)
    assert faults == []
    assert len(spans) - len(back) == count_merges(spans, Scheme.IO)
    cover = {(word, span.label) for span in spans for word in range(span.start, span.end)}
    assert cover == {(word, span.label) for span in back for word in range(span.start, span.end)}


@given(st.lists(st.sampled_from(["O", "B-a", "I-a", "E-a", "S-a", "B-b", "I-b", "E-b", "S-b"]), max_size=12))
def test_malformed_tags_give_valid_spans_and_strict_ones_are_among_the_lenient(tags: list[str]) -> None:
    lenient, faults = spans_from_tags(tags, Scheme.BIOES)
    strict, _ = spans_from_tags(tags, Scheme.BIOES, Repair.STRICT)
    assert set(strict) <= set(lenient)
    assert (strict == lenient) or faults
    assert all(one.end <= two.start for one, two in pairwise(lenient))
    labelled = {(word, tag[2:]) for word, tag in enumerate(tags) if tag != "O"}
    assert labelled == {(word, span.label) for span in lenient for word in range(span.start, span.end)}


@given(st.lists(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), spans_in(n))), min_size=1, max_size=6))
def test_the_detected_scheme_reads_the_spans(sentences: list[tuple[int, tuple[Span, ...]]]) -> None:
    for scheme in LOSSLESS:
        tagged = [tags_from_spans(spans, length, scheme) for length, spans in sentences]
        found = examine_tags(tagged).scheme
        assert [spans_from_tags(tags, found)[0] for tags in tagged] == [spans for _, spans in sentences]


@given(texts)
def test_every_visible_character_is_in_exactly_one_word(text: str) -> None:
    words = tokenize(text)
    covered = [index for start, end in words for index in range(start, end)]
    assert covered == [index for index, character in enumerate(text) if not character.isspace()]
    assert all(start < end for start, end in words)


@given(texts)
def test_sentences_part_the_text_and_no_character_is_lost(text: str) -> None:
    cuts = split_sentences(text)
    assert all(one[1] <= two[0] for one, two in pairwise(cuts))
    assert "".join("".join(text[start:end].split()) for start, end in cuts) == "".join(text.split())


@st.composite
def annotated_text(draw: st.DrawFn) -> Sentence:
    text = draw(texts.filter(lambda one: tokenize(one)))
    offsets = tuple(tokenize(text))
    words = tuple(text[start:end] for start, end in offsets)
    return Sentence(words, draw(spans_in(len(words))), text=text, offsets=offsets)


@settings(max_examples=60)
@given(st.lists(annotated_text(), min_size=1, max_size=4))
def test_jsonl_gives_back_text_offsets_words_and_spans(sentences: list[Sentence]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.jsonl"
        write_jsonl(sentences, path)
        back = read_sentences(path).sentences
    seen = [(one.text, one.offsets, one.words, one.spans) for one in back]
    assert seen == [(one.text, one.offsets, one.words, one.spans) for one in sentences]


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\0"), min_size=1, max_size=8).filter(
    lambda word: word.strip(" \t\r") and word == word.strip(" ")
)


@settings(max_examples=60)
@given(st.lists(st.lists(words, min_size=1, max_size=5), min_size=1, max_size=4), st.sampled_from(LOSSLESS), st.data())
def test_column_files_give_back_words_and_spans(lists: list[list[str]], scheme: Scheme, data: st.DataObject) -> None:
    sentences = [Sentence(tuple(one), data.draw(spans_in(len(one)))) for one in lists]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.txt"
        write_columns(sentences, path, scheme=scheme)
        back = read_sentences(path, "columns", scheme=scheme, separator="tab").sentences
    assert [(one.words, one.spans) for one in back] == [(one.words, one.spans) for one in sentences]
