"""Offsets in other units, tags in other schemes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerbridge.data.jsonl_format import OffsetUnit
from nerbridge.data.offsets import OffsetMap
from nerbridge.data.schemes import Scheme
from nerbridge.data.sentence import Span
from nerbridge.inference.document import TaggedSentence, convert_offsets

SENTENCE = TaggedSentence(("Ada", "Lovelace", "and", "Bob"), (Span(0, 2, "person"), Span(3, 4, "person")), (0.5, 0.9))


@given(st.text(), st.data())
def test_converted_offsets_are_read_back_as_the_same_code_points(text: str, data: st.DataObject) -> None:
    positions = sorted(data.draw(st.lists(st.integers(0, len(text)))))
    for unit in OffsetUnit:
        units = OffsetMap(text, unit)
        assert [units.code_point(offset) for offset in convert_offsets(text, positions, unit)] == positions


def test_an_emoji_has_two_utf16_units_and_four_bytes() -> None:
    assert convert_offsets("🙂 Ada", [2, 5], OffsetUnit.UTF16) == [3, 6]
    assert convert_offsets("🙂 Ada", [2, 5], OffsetUnit.BYTES) == [5, 8]
    assert convert_offsets("🙂 Ada", [2, 5], OffsetUnit.CODE_POINTS) == [2, 5]


def test_tags_in_a_chosen_scheme() -> None:
    assert SENTENCE.tags(Scheme.BILOU) == ["B-person", "L-person", "O", "U-person"]


def test_a_sentence_forgets_what_scores_too_low() -> None:
    assert SENTENCE.at_least(0.5) is SENTENCE
    assert SENTENCE.at_least(0.6) == TaggedSentence(SENTENCE.words, (Span(3, 4, "person"),), (0.9,))


def test_words_have_no_character_offsets() -> None:
    with pytest.raises(AssertionError, match="no character offsets"):
        SENTENCE.entities("Ada Lovelace and Bob")
