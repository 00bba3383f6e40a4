"""Column files and JSON lines that are about to be read as running text are noticed; running text is left alone."""

import pytest

from nerbridge.inference.items import InputFormat
from nerbridge.inference.likeness import looks_like

COLUMNS = [
    ["Ada\tB-person", "Lovelace\tI-person", "wrote\tO", ".\tO", "", "Bob\tB-person"],
    ["Ada B-person", "Lovelace I-person", "wrote O"],
    ["-DOCSTART- -X- -X- O", "", "EU NNP B-NP B-ORG", "rejects VBZ B-VP O", "German JJ B-NP B-MISC"],
    ["Ada person", "wrote O", "to O", "Bob person", "today O"],
]
TEXTS = [
    ["Ada Lovelace wrote to the Royal Society.", "", "Bob sang in London."],
    ["Her blood group is O", "So is his."],
    ["Ada", "Lovelace", "wrote"],
    ["O", "B-person"],
    [],
]


@pytest.mark.parametrize("lines", COLUMNS)
def test_words_with_tags_are_columns(lines: list[str]) -> None:
    assert looks_like(lines) is InputFormat.CONLL


@pytest.mark.parametrize("lines", TEXTS)
def test_running_text_is_no_other_format(lines: list[str]) -> None:
    assert looks_like(lines) is None


def test_objects_are_json_lines() -> None:
    assert looks_like(['{"text": "Ada wrote."}', '{ "words": ["Ada"] }', '{"text": ""}']) is InputFormat.JSONL
    assert looks_like(["{curly} braces", "{are} used", "{in} prose"]) is None
