"""One line of JSONL -> the text, or the words, to tag; the record travels along."""

import json
from typing import Any

from nerbridge.data.counts import ReadCounts
from nerbridge.data.jsonl_format import JsonlFormat
from nerbridge.data.jsonl_record import RecordReader
from nerbridge.data.sentence import Origin, Sentence
from nerbridge.errors import DataError
from nerbridge.inference.segmentation import LONE_SURROGATE, sentences_of_text

EXPECTED = 'an object with a string "text" or a list "words"'
HINT = 'a line looks like {"text": "Ada Lovelace wrote."} or {"words": ["Ada", "Lovelace", "wrote", "."]}'
WORD_FIELDS = ("text", "words", "tokens", "offsets")  # what says how words are cut; annotation is not looked at


def read_record(line: str, path: str, number: int) -> tuple[dict[str, Any], list[Sentence]]:
    """The object in `line` and its sentences: one of the words given, or those of its text.

    path, number: file and line for messages. Raises DataError when the line is broken or says nothing to tag.
    """
    where = f"{path}:{number}"
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _fault(f"the line is not JSON: {getattr(error, 'msg', 'nested too deeply')}", where) from None
    if not isinstance(record, dict):
        raise _fault(f"the line is a JSON {type(record).__name__}, not an object", where)
    if LONE_SURROGATE.search(json.dumps(record, ensure_ascii=False)):
        raise _fault("the line holds half of a surrogate pair, which is no character", where)
    if isinstance(record.get("text"), str) and record.get("words") is None and record.get("tokens") is None:
        return record, sentences_of_text(record["text"], Origin(path, number))
    return record, _words_given(record, path, number)


def _words_given(record: dict[str, Any], path: str, number: int) -> list[Sentence]:
    faults: list[DataError] = []
    reader = RecordReader(path, JsonlFormat(), faults, ReadCounts(format="JSONL"))
    sentence = reader.sentence(number, {name: record[name] for name in WORD_FIELDS if name in record})
    if faults:
        raise faults[0]
    return [sentence] if sentence is not None else []


def _fault(what: str, where: str) -> DataError:
    return DataError(what, where=where, expected=EXPECTED, hint=HINT)
