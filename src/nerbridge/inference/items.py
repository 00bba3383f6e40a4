"""What is tagged, one item at a time: a text or words, where they came from, and the fields that travel along."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from nerbridge.data.column_format import ColumnFormat
from nerbridge.data.columns import ColumnReader
from nerbridge.data.lines import TextFile
from nerbridge.data.reading import JSONL_SUFFIXES
from nerbridge.data.sentence import Origin, Sentence
from nerbridge.errors import DataError, FileFaults
from nerbridge.inference.faults import FaultLog
from nerbridge.inference.json_items import read_record
from nerbridge.inference.segmentation import sentences_of_text
from nerbridge.inference.standard_input import STANDARD_INPUT, StandardInput

COLUMN_SUFFIXES = frozenset({".conll", ".bio", ".iob", ".iob2", ".tsv"})


class InputFormat(StrEnum):
    """How a file is cut into items."""

    TEXT = "text"  # every line is a text
    WHOLE = "whole"  # the file is one text
    JSONL = "jsonl"  # every line is an object with the field `text` or `words`
    CONLL = "conll"  # one word per line, blank lines between sentences


@dataclass(frozen=True, slots=True)
class Item:
    """A text, or the words of a sentence, and where it came from.

    record: the object of the input with all its fields, or one made of the text or words.
    text: None where only words are known.
    """

    sentences: list[Sentence]
    origin: Origin
    record: Mapping[str, Any]
    text: str | None = None

    @property
    def num_words(self) -> int:
        """Words in all sentences."""
        return sum(map(len, self.sentences))


def format_of(path: str) -> InputFormat:
    """The format that the suffix of `path` names (before .gz); text where it names none."""
    named = Path(path.lower().removesuffix(".gz")).suffix
    if named in JSONL_SUFFIXES:
        return InputFormat.JSONL
    return InputFormat.CONLL if named in COLUMN_SUFFIXES else InputFormat.TEXT


def open_items(
    path: str,
    form: InputFormat,
    faults: FaultLog,
    *,
    encoding: str = "utf-8",
    columns: Mapping[str, Any] = MappingProxyType({}),
) -> Iterator[Item]:
    """The items of the file `path` ("-" is standard input), one at a time; what cannot be read goes to `faults`.

    columns: fields of ColumnFormat (separator, word_column, sentence_column, comment), for column files.
    """
    try:
        match form:
            case InputFormat.CONLL:
                yield from _column_items(path, encoding, columns)
            case InputFormat.WHOLE:
                yield from _whole_file(path, faults, encoding)
            case _:
                yield from _line_items(path, form, faults, encoding)
    except FileFaults as error:
        faults.drain(error.faults)
    except DataError as error:
        faults.add(error)


def _text_file(path: str, encoding: str) -> TextFile:
    return StandardInput(encoding) if path == STANDARD_INPUT else TextFile(path, encoding)


def _line_items(path: str, form: InputFormat, faults: FaultLog, encoding: str) -> Iterator[Item]:
    file = _text_file(path, encoding)
    found: list[DataError] = []
    for number, line in file.lines(found):
        faults.drain(found)
        if form is InputFormat.TEXT:
            yield _text_item(line.removesuffix("\r"), Origin(str(file.path), number))
        elif line.strip():
            try:
                record, sentences = read_record(line, str(file.path), number)
            except DataError as fault:
                faults.add(fault)
                continue
            yield Item(sentences, Origin(str(file.path), number), record, record.get("text"))
    faults.drain(found)


def _text_item(text: str, origin: Origin) -> Item:
    return Item(sentences_of_text(text, origin), origin, {"text": text}, text)


def _whole_file(path: str, faults: FaultLog, encoding: str) -> Iterator[Item]:
    file = _text_file(path, encoding)
    found: list[DataError] = []
    text = "\n".join(line for _, line in file.lines(found))
    if found:  # a text with holes would have other offsets than the file: leave it out
        faults.drain(found)
    else:
        sentences = list(_with_lines(sentences_of_text(text), text, str(file.path)))
        yield Item(sentences, Origin(str(file.path), 1), {"text": text}, text)


def _with_lines(sentences: Iterable[Sentence], text: str, path: str) -> Iterator[Sentence]:
    """The sentences of a whole file, each with the line in which it starts."""
    line, before = 1, 0
    for sentence in sentences:
        start = sentence.offsets[0][0] if sentence.offsets else before
        line, before = line + text.count("\n", before, start), start
        yield replace(sentence, origin=Origin(path, line))


def _column_items(path: str, encoding: str, columns: Mapping[str, Any]) -> Iterator[Item]:
    name = "/dev/stdin" if path == STANDARD_INPUT else path
    for sentence in ColumnReader(name, ColumnFormat(**columns, tag_column=None, encoding=encoding)):
        assert sentence.origin is not None, "sentences of files know their lines"
        yield Item([sentence], sentence.origin, {"words": list(sentence.words)})
