"""What csv.writer writes of sentences reads back the same, whatever their words hold."""

import csv
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from nerbridge.data.reading import read_sentences

WORD = st.text(st.sampled_from("abÉ#,;\"' -O\u2028"), min_size=1, max_size=6).map(lambda text: f"{text}.".lstrip(" "))
ODD = st.sampled_from([",", ";", '"', '""', '",', "',", "#", "B-x", "O", "Sentence: 1", "AID:x"])
ROW = st.tuples(WORD | ODD, st.sampled_from(["O", "O", "B-x", "B-y"]))
SENTENCES = st.lists(st.lists(ROW, min_size=1, max_size=5), min_size=1, max_size=5)


def read_back(rows: list[list[str]], mark: str, **options: object) -> list[list[tuple[str, str]]]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, delimiter=mark).writerows(rows)
        sentences = read_sentences(path, separator="comma" if mark == "," else "semicolon", **options).sentences
    return [
        [
            (word, next((f"B-{span.label}" for span in sentence.spans if span.start == place), "O"))
            for place, word in enumerate(sentence.words)
        ]
        for sentence in sentences
    ]


@given(SENTENCES, st.sampled_from(",;"))
def test_with_rows_of_empty_fields_between(sentences: list[list[tuple[str, str]]], mark: str) -> None:
    rows = [row for sentence in sentences for row in [*map(list, sentence), ["", ""]]]
    assert read_back(rows, mark) == sentences


@given(SENTENCES, st.sampled_from(",;"), st.booleans())
def test_with_a_column_of_sentences(sentences: list[list[tuple[str, str]]], mark: str, filled: bool) -> None:
    rows = [
        [f"Sentence: {number}" if filled or not place else "", "", *row]
        for number, sentence in enumerate(sentences)
        for place, row in enumerate(sentence)
    ]
    assert read_back(rows, mark, sentence_column=0, word_column=2) == sentences
    assert read_back([["Sentence #", "", "Word", "Tag"], *rows], mark) == sentences
