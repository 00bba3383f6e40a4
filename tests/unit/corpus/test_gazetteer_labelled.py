"""Names without lists: mentions of labelled sentences, and what a tagger is sure of."""

import pytest

from builders import sentence
from nerbridge.corpus.gazetteer import labels_of_bits
from nerbridge.corpus.gazetteer_labelled import names_from_labelled, names_from_predictions


def test_mentions_of_labelled_sentences() -> None:
    sentences = [
        sentence("Ada Lovelace met R", (0, 2, "person"), (3, 4, "language")),
        sentence("Queen sang", (0, 1, "band")),
        sentence("Queen Queen", (0, 1, "band"), (1, 2, "person")),
    ]
    gazetteer = names_from_labelled(sentences)
    assert {name: labels_of_bits(gazetteer.labels, bits) for name, bits in gazetteer.names.items()} == {
        "Queen": ("band", "person"),
        "Ada Lovelace": ("person",),
    }
    assert dict(gazetteer.counts.left_out) == {"shorter than 2 characters": 1}


def test_confident_and_repeated_predictions() -> None:
    ada, queen = sentence("Ada sang", (0, 1, "person")), sentence("Queen sang", (0, 1, "band"))
    other = sentence("Queen sang", (0, 1, "person"))
    predictions = [
        (ada, [0.95]),
        (ada, [0.5]),
        *[(queen, [0.99])] * 3,
        (other, [0.91]),
        (sentence("Air and Yes", (0, 1, "band"), (2, 3, "band")), [0.9, 0.9]),
        (sentence("Air and Yes", (0, 1, "person"), (2, 3, "band")), [0.95, 0.95]),
    ]
    gazetteer = names_from_predictions(iter(predictions), agreement=0.6)
    assert gazetteer.names == {"Queen": 1, "Yes": 1}
    assert gazetteer.labels == ("band", "person")
    assert dict(gazetteer.counts.left_out) == {
        "predicted with too little confidence, or too seldom": 1,
        "predictions do not agree on their label": 1,
    }


def test_every_span_needs_a_score() -> None:
    with pytest.raises(ValueError, match="zip"):
        names_from_predictions([(sentence("Ada sang", (0, 1, "person")), [])])
