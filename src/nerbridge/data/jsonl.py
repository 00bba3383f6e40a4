"""JSONL: one JSON object per line, one sentence or text per object. These forms are read:

    {"text": "Ada wrote.", "spans": [{"start": 0, "end": 3, "label": "person"}]}     offsets are characters
    {"text": "Ada wrote.", "words": ["Ada", "wrote", "."], "spans": [[0, 3, "person"]]}
    {"words": ["Ada", "wrote", "."], "spans": [{"start": 0, "end": 1, "label": "person"}]}     word numbers
    {"words": ["Ada", "wrote", "."], "tags": ["B-person", "O", "O"]}

Ends are exclusive. "tokens" may stand for "words" (strings, or objects with "text", "start" and "end"), "entities" for
"spans", "ner_tags" for "tags"; "label" or "labels" hold spans where no value of the file can be anything else
(`key_of_spans`). Without "words" the text is cut by `tokenize`. "offsets" gives each word's [start, end].
No "spans" and no "tags": no annotation; "spans": [] means that there is no entity. "known" (one true or false per
word) makes the annotation partial. "domain" is kept; of other keys, those that hold lists or objects are counted.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nerbridge.data.counts import ReadCounts
from nerbridge.data.format_options import with_options
from nerbridge.data.jsonl_format import Borders, JsonlFormat, OffsetUnit, Overlaps
from nerbridge.data.jsonl_keys import key_of_spans, label_key, unread_keys
from nerbridge.data.jsonl_record import RecordReader, listed_tags
from nerbridge.data.lines import TextFile
from nerbridge.data.sentence import Annotation, Sentence
from nerbridge.data.tag_reading import TagReader
from nerbridge.errors import CommonFault, DataError, FileFaults

__all__ = ["Borders", "JsonlFormat", "JsonlReader", "OffsetUnit", "Overlaps", "read_jsonl"]

Record = dict[str, Any]
# JSON can spell half a character; no file can hold it, so writing results would stop the run.
HALF_PAIR = re.compile("[\ud800-\udfff]")


def read_jsonl(path: str | Path, *, settings: JsonlFormat | None = None) -> Iterator[Sentence]:
    """The sentences of a JSONL file, one at a time.

    Raises FileFaults behind the last sound sentence when records are at fault (no JSON, spans that miss word borders,
    overlaps, ...), and DataError when the file cannot be opened or holds no record.
    """
    return iter(JsonlReader(path, settings))


class JsonlReader:
    """Iterate to get the sentences of a JSONL file; `counts` then says what was found."""

    def __init__(self, path: str | Path | TextFile, settings: JsonlFormat | None = None) -> None:
        self.settings = settings or JsonlFormat()
        self._file = TextFile(path, self.settings.encoding)
        self._path = str(self._file.path)
        self.counts = ReadCounts(format="JSONL")

    def __iter__(self) -> Iterator[Sentence]:
        faults: list[DataError] = []
        self.counts = counts = ReadCounts(format=f"JSONL, offsets in {self.settings.offsets}")
        reader = RecordReader(self._path, self.settings, faults, counts)
        looked = False
        for number, record in self._records(faults, counts):
            if reader.tag_reader is None and listed_tags(record) is not None:
                reader.tag_reader = self._tag_reader()
                counts.format = f"JSONL, {reader.tag_reader.describe()} tags"
            if not looked and label_key(record):
                looked = True
                self._look_for_spans(reader, counts)
            for key in unread_keys(record, reader.spans_in):
                counts.unread[key] = counts.unread.get(key, 0) + 1
            before = len(faults)
            sentence = reader.sentence(number, record)
            if sentence is None:
                counts.left_out += len(faults) > before
                continue
            counts.sentences += 1
            counts.words += len(sentence.words)
            counts.spans += len(sentence.spans)
            counts.unlabelled += sentence.annotation is Annotation.NONE
            yield sentence
        self._raise_faults(faults, reader)

    def _look_for_spans(self, reader: RecordReader, counts: ReadCounts) -> None:
        reader.spans_in = key_of_spans(record for _, record in self._records([], ReadCounts()))
        if reader.spans_in:
            counts.format += f", spans in '{reader.spans_in}'"

    def _raise_faults(self, faults: list[DataError], reader: RecordReader) -> None:
        verdict = reader.survey.verdict()
        if verdict:
            what, options = verdict
            expected, hint = "spans that start and end at word borders", f"read it {with_options(*options)}"
            faults.insert(0, CommonFault(what, where=self._path, expected=expected, hint=hint))
        if faults:
            raise FileFaults(faults)
        if not self.counts.sentences:
            raise DataError(
                "the file holds no sentence" if self.counts.lines else "the file is empty",
                where=self._path,
                expected='one JSON object per line with "text" or "words"',
                hint="check that the file was written completely",
            )

    def _records(self, faults: list[DataError], counts: ReadCounts) -> Iterator[tuple[int, Record]]:
        for number, line in self._file.lines(faults):
            counts.lines = number
            if not line.strip(" \t\r"):
                counts.blank_lines += 1
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                counts.left_out += 1
                faults.append(self._no_json(number, str(error)))
                continue
            if not isinstance(record, dict):
                counts.left_out += 1
                faults.append(self._no_json(number, f"a {type(record).__name__} stands there"))
            elif "\\" in line and HALF_PAIR.search(json.dumps(record, ensure_ascii=False)):
                counts.left_out += 1
                faults.append(self._half_pair(number))
            else:
                yield number, record

    def _no_json(self, number: int, reason: str) -> DataError:
        return DataError(
            f"the line is no JSON object: {reason}",
            where=f"{self._path}:{number}",
            expected="one whole JSON object per line",
            hint="a file that is one JSON array has to be written as one object per line",
        )

    def _half_pair(self, number: int) -> DataError:
        return DataError(
            "the line holds half a surrogate pair",
            where=f"{self._path}:{number}",
            expected="whole characters",
            hint="an emoji was cut in two when the text was shortened; mend it where the file is made",
        )

    def _tag_reader(self) -> TagReader:
        records = self._records([], ReadCounts())
        tags = (listed_tags(record) or [] for _, record in records)
        settings = self.settings
        return TagReader(
            tags, scheme=settings.scheme, repair=settings.repair, delimiter=settings.delimiter, path=self._path
        )
