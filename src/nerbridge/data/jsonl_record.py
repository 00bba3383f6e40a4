"""One JSONL record -> one sentence, with everything that is wrong in it."""

from typing import Any

from nerbridge.data.counts import ReadCounts
from nerbridge.data.jsonl_format import JsonlFormat
from nerbridge.data.jsonl_keys import SPAN_KEYS, TAG_KEYS
from nerbridge.data.jsonl_spans import SpanReader
from nerbridge.data.jsonl_words import RecordWords, first_of, words_of
from nerbridge.data.offsets import MissSurvey
from nerbridge.data.sentence import Annotation, Origin, Sentence, Span
from nerbridge.data.tag_reading import ReadTags, TagReader
from nerbridge.errors import DataError
from nerbridge.wording import counted


def listed_tags(record: dict[str, Any]) -> list[str] | None:
    """The tags of a record when they are a list of strings."""
    tags = first_of(record, *TAG_KEYS)
    return tags if isinstance(tags, list) and all(isinstance(tag, str) for tag in tags) else None


class RecordReader:
    """Turns the records of one file into sentences; faults and counts are added to what is given."""

    def __init__(self, path: str, settings: JsonlFormat, faults: list[DataError], counts: ReadCounts) -> None:
        self.tag_reader: TagReader | None = None
        self.spans_in: str | None = None  # a key of spans besides "spans" and "entities"
        self._settings = settings
        self._path = path
        self._faults = faults
        self._counts = counts
        self._spans = SpanReader(settings, faults, counts)

    @property
    def survey(self) -> MissSurvey:
        """What is known of spans that miss word borders."""
        return self._spans.survey

    def sentence(self, number: int, record: dict[str, Any]) -> Sentence | None:
        """The sentence of the record in line `number`; None when it is empty or at fault."""
        where = f"{self._path}:{number}"
        before = len(self._faults)
        try:
            found = words_of(record, self._settings.offsets, where)
            if not found.words:
                self._count_empty(record, where)
                return None
            read = self._labelled(record, where, found)
            spans = None if read is None else list(read.spans)
            annotation, known = _annotation(record, where, len(found.words), spans)
            if len(self._faults) > before:
                return None
            domain = record.get("domain")
            return Sentence(
                found.words,
                tuple(spans or ()),
                annotation,
                known,
                domain=domain if isinstance(domain, str) and domain else self._settings.domain,
                origin=Origin(self._path, number),
                text=found.text,
                offsets=found.offsets,
                malformed=read.malformed if read else None,
            )
        except DataError as fault:
            self._faults.append(fault)
            return None

    def _count_empty(self, record: dict[str, Any], where: str) -> None:
        if self._listed_spans(record):
            raise DataError(
                "there are spans but no words",
                where=where,
                expected='a "text" that is not blank',
                hint="mend or remove the line",
            )
        self._counts.blank_lines += 1

    def _listed_spans(self, record: dict[str, Any]) -> Any:
        return first_of(record, *SPAN_KEYS, *([self.spans_in] if self.spans_in else []))

    def _labelled(self, record: dict[str, Any], where: str, found: RecordWords) -> ReadTags | None:
        """The spans, or None where the record has no annotation."""
        listed, tags = self._listed_spans(record), first_of(record, *TAG_KEYS)
        if listed is not None and tags is not None:
            raise DataError(
                'both "spans" and "tags" are given',
                where=where,
                expected="one of the two",
                hint="remove the one that does not hold",
            )
        if tags is None:
            return None if listed is None else ReadTags(tuple(self._spans.spans(listed, where, found)))
        if listed_tags(record) is None or len(tags) != len(found.words):
            raise DataError(
                '"tags" does not fit the words',
                where=where,
                expected=f"a list of {counted(len(found.words), 'tag')} (strings)",
                hint=_tags_hint(tags),
            )
        assert self.tag_reader is not None, "tags were seen, so the scheme was looked for"
        places = [f"{where}, word '{word[:60]}'" for word in found.words]
        return self.tag_reader.read(tags, places.__getitem__, self._faults, self._counts)


def _tags_hint(tags: Any) -> str:
    items = tags if isinstance(tags, list) else []
    if any(type(tag) is int for tag in items):
        return "replace numbers by tag names"
    if any(isinstance(tag, list | dict) for tag in items):
        return 'where each stands for a span with start, end and label, name the key "spans"'
    return "give every word one tag, 'O' where there is none"


def _annotation(
    record: dict[str, Any], where: str, length: int, spans: list[Span] | None
) -> tuple[Annotation, tuple[bool, ...] | None]:
    known = record.get("known")
    if known is None:
        return (Annotation.NONE if spans is None else Annotation.COMPLETE), None
    fits = isinstance(known, list) and len(known) == length and all(type(flag) is bool for flag in known)
    if not fits or not all(all(known[span.start : span.end]) for span in spans or ()):
        raise DataError(
            '"known" does not fit the words',
            where=where,
            expected=f"{length} times true or false, true for every word of a span",
            hint='leave "known" out where every word is labelled',
        )
    return Annotation.PARTIAL, tuple(known)
