"""The spans of one JSONL record: as offsets or word numbers, checked against its words."""

from typing import Any

from nerbridge.data.counts import ReadCounts
from nerbridge.data.format_options import with_options
from nerbridge.data.jsonl_format import Borders, JsonlFormat, Overlaps
from nerbridge.data.jsonl_words import RecordWords
from nerbridge.data.offsets import Claim, MissSurvey, TextUnits, keep_longest, span_at, span_touching
from nerbridge.data.sentence import Span
from nerbridge.errors import DataError


class SpanReader:
    """Turns the "spans" of one file's records into spans; what is wrong is added to `faults`, the rest counted."""

    def __init__(self, settings: JsonlFormat, faults: list[DataError], counts: ReadCounts) -> None:
        self.survey = MissSurvey(settings.offsets)
        self._settings = settings
        self._faults = faults
        self._counts = counts

    def spans(self, listed: Any, where: str, found: RecordWords) -> list[Span]:
        """The sound spans among those `listed`, sorted, without overlap."""
        if not isinstance(listed, list):
            self._add(f'"spans" is a {type(listed).__name__}', where, "a list of spans")
            return []
        units = TextUnits(found.text or "")
        spans: list[Span] = []
        for item in listed:
            claim = self._claim(item, where)
            if claim is None:
                continue
            span = (
                self._by_words(claim, found, where)
                if found.offsets is None
                else self._by_text(claim, found, units, where)
            )
            if span is not None:
                spans.append(span)
        return self._parted(spans, where, found)

    def _add(self, what: str, where: str, expected: str, hint: str = "") -> None:
        self._faults.append(DataError(what, where=where, expected=expected, hint=hint))

    def _parted(self, spans: list[Span], where: str, found: RecordWords) -> list[Span]:
        kept, dropped = keep_longest(spans)
        if self._settings.overlaps is Overlaps.LONGEST:
            self._counts.dropped += len(dropped)
            return kept
        for span in dropped:
            mention = " ".join(found.words[span.start : span.end])[:60]
            hint = f"keep the longest of overlapping spans: read {with_options('overlaps=longest')}"
            self._add(f"span '{mention}' ({span.label}) overlaps another", where, "spans without overlap", hint)
        return kept

    def _claim(self, item: Any, where: str) -> Claim | None:
        if isinstance(item, dict):
            item = [item.get("start"), item.get("end"), item.get("label")]
        sound = isinstance(item, list) and len(item) == 3 and type(item[0]) is int and type(item[1]) is int
        if not sound or not isinstance(item[2], str) or not item[2]:
            expected = '{"start": number, "end": number, "label": "name"} or [start, end, "name"]'
            self._add(f"{str(item)[:80]} is no span", where, expected, "whole numbers and a label that is not empty")
            return None
        start, end = item[0] + self._settings.start_shift, item[1] + self._settings.end_shift
        if not 0 <= start < end:
            inclusive = f"where ends are inclusive, read {with_options('end_shift=1')}"
            hint = inclusive if start == end else "mend or remove the span"
            self._add(f"span {start}:{end} ({item[2]}) is empty or negative", where, "0 <= start < end", hint)
            return None
        return Claim(start, end, item[2])

    def _by_words(self, claim: Claim, found: RecordWords, where: str) -> Span | None:
        length = len(found.words)
        if claim.end <= length:
            return Span(claim.start, claim.end, claim.label)
        what = f"span {claim.start}:{claim.end} ({claim.label}) ends behind the last word"
        self._add(what, where, f"word numbers up to {length}", 'character offsets need the "text" beside the words')
        return None

    def _by_text(self, claim: Claim, found: RecordWords, units: TextUnits, where: str) -> Span | None:
        assert found.offsets is not None
        unit = self._settings.offsets
        self.survey.claims += 1
        start, end = units.code_point(claim.start, unit), units.code_point(claim.end, unit)
        if start is not None and end is not None:
            span = span_at(start, end, claim.label, found.offsets)
            if span is not None:
                return span
        self.survey.add_miss(claim, units, found.offsets)
        if start is None or end is None:
            what = f"span {claim.start}:{claim.end} ({claim.label}) does not fall on characters of the text"
            self._add(what, where, f"offsets in {unit} from 0 to the end of the text ({len(units.text)} code points)")
            return None
        return self._missing_borders(
            claim, units.text[start:end], span_touching(start, end, claim.label, found.offsets), (found, where)
        )

    def _missing_borders(
        self, claim: Claim, mention: str, wider: Span | None, place: tuple[RecordWords, str]
    ) -> Span | None:
        found, where = place
        what = f"span {claim.start}:{claim.end} ({claim.label}) misses word borders: '{mention[:60]}'"
        if wider is None:
            self._add(what, where, "a span of words", "it holds white space only: remove it")
            return None
        if self._settings.borders is Borders.SNAP:
            self._counts.snapped += 1
            return wider
        words = " ".join(found.words[wider.start : wider.end])[:60]
        hint = f"widen such spans to whole words {with_options('borders=snap')}"
        self._add(what, where, f"a span of whole words, here '{words}'", hint)
        return None
