"""Entity types: the labels of words, whatever the scheme and however much is known."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from builders import partial, sentence, tiny_encoder, vocabulary
from nerbridge.batching.batch import UNKNOWN, UNMATCHED
from nerbridge.batching.entity_types import type_ids, types_of_tags
from nerbridge.batching.streams import Stream, tag_ids
from nerbridge.batching.word_vocabulary import WordVocabulary
from nerbridge.data.sentence import Annotation, Sentence, Span

LABELS = ("location", "organisation", "person")


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    length = draw(st.integers(1, 8))
    known = draw(st.lists(st.booleans(), min_size=length, max_size=length))
    spans, place = [], 0
    while place < length:
        end = draw(st.integers(place + 1, length))
        if draw(st.booleans()):
            spans.append(Span(place, end, draw(st.sampled_from(LABELS))))
            known[place:end] = [True] * (end - place)
        place = end
    words = tuple("w" for _ in range(length))
    if draw(st.booleans()):
        return Sentence(words, tuple(spans))
    return Sentence(words, tuple(spans), Annotation.PARTIAL, tuple(known))


@pytest.mark.parametrize("scheme", ["BIO", "BIOES"])
@given(one=sentences())
def test_types_of_tags_are_those_of_the_sentence(scheme: str, one: Sentence) -> None:
    tags = vocabulary(*LABELS, scheme=scheme)
    found = types_of_tags(torch.tensor([tag_ids(one, tags)]), scheme)[0].tolist()
    assert found == type_ids(one, tags.labels)
    for place, number in enumerate(found):
        labels = [span.label for span in one.spans if span.start <= place < span.end]
        unknown = one.known is not None and not one.known[place]
        assert number == (UNKNOWN if unknown else 1 + LABELS.index(labels[0]) if labels else 0)


def test_raw_text_says_nothing_and_other_labels_are_no_types() -> None:
    assert type_ids(sentence("ada sang", annotation=Annotation.NONE), vocabulary().labels) == [UNKNOWN] * 2
    with pytest.raises(ValueError, match="not in tuple"):
        type_ids(sentence("ada", (0, 1, "opera")), vocabulary().labels)


def test_a_stream_of_words_says_what_a_dictionary_knows() -> None:
    text = [partial("ada sang", (0,), (0, 1, "person")), sentence("bob slept here", annotation=Annotation.NONE)]
    words = WordVocabulary.of(text)
    stream = Stream("raw", "news", text, tiny_encoder().vectorizer, None, 0.5, words, types=vocabulary().labels)
    batch = stream.batch([0, 1])
    assert batch.targets["types"].tolist() == [[3, UNMATCHED, UNKNOWN], [UNMATCHED] * 3]  # padding is UNKNOWN
    assert set(batch.targets) == {"words", "types"}
    assert batch.objective == "words"
    assert batch.weight == 0.5
