"""One JSONL record -> one sentence, with everything that is wrong in it."""

from typing import Any

from nerbridge.data.counts import ReadCounts
from nerbridge.data.jsonl_format import Borders, JsonlFormat, Overlaps
from nerbridge.data.offsets import Claim, MissSurvey, OffsetMap, keep_longest, span_at, span_touching
from nerbridge.data.schemes import Detection, Repair, Scheme, spans_from_tags
from nerbridge.data.sentence import Annotation, Origin, Sentence, Span
from nerbridge.data.tag_grammar import UNNAMED_LABEL, expected_tags
from nerbridge.data.tokenization import tokenize
from nerbridge.errors import DataError

Offsets = tuple[tuple[int, int], ...]


def first_of(record: dict[str, Any], *names: str) -> Any:
    """The value of the first of `names` that the record has and that is not null."""
    return next((record[name] for name in names if record.get(name) is not None), None)


def listed_tags(record: dict[str, Any]) -> list[str] | None:
    """The tags of a record when they are a list of strings."""
    tags = first_of(record, "tags", "ner_tags")
    return tags if isinstance(tags, list) and all(isinstance(tag, str) for tag in tags) else None


class RecordReader:
    """Turns the records of one file into sentences; faults and counts are added to what is given."""

    def __init__(self, path: str, settings: JsonlFormat, faults: list[DataError], counts: ReadCounts) -> None:
        self.settings = settings
        self.survey = MissSurvey(settings.offsets)
        self.detection: Detection | None = None
        self._path = path
        self._faults = faults
        self._counts = counts

    def sentence(self, number: int, record: dict[str, Any]) -> Sentence | None:
        """The sentence of the record in line `number`; None when it is empty or at fault."""
        before = len(self._faults)
        where = f"{self._path}:{number}"
        text, words, offsets = self._words(record, where)
        if len(self._faults) > before:
            return None
        claims = first_of(record, "spans", "entities")
        tags = first_of(record, "tags", "ner_tags")
        if not words:
            self._counts.blank_lines += 1
            if claims:
                self._fault("there are spans but no words", where, 'a "text" or "words" that is not empty')
            return None
        spans: list[Span] = []
        if claims is not None and tags is not None:
            self._fault('both "spans" and "tags" are given', where, "one of the two")
        elif claims is not None:
            spans = self._spans(claims, where, text, words, offsets)
        elif tags is not None:
            spans = self._spans_of_tags(tags, where, words)
        annotation, known = self._annotation(record, where, len(words), claims is not None or tags is not None)
        if len(self._faults) > before:
            return None
        domain = record.get("domain")
        return Sentence(
            words,
            tuple(spans),
            annotation,
            known,
            domain=domain if isinstance(domain, str) and domain else self.settings.domain,
            origin=Origin(self._path, number),
            text=text,
            offsets=offsets,
        )

    def _fault(self, what: str, where: str, expected: str, hint: str = "") -> None:
        self._faults.append(DataError(what, where=where, expected=expected, hint=hint))

    def _words(self, record: dict[str, Any], where: str) -> tuple[str | None, tuple[str, ...], Offsets | None]:
        text, listed = record.get("text"), first_of(record, "words", "tokens")
        if text is None and listed is None:
            self._fault('the record has neither "text" nor "words"', where, 'an object with "text" or "words"')
            return None, (), None
        if text is not None and not isinstance(text, str):
            self._fault(f'"text" is a {type(text).__name__}', where, "a string")
            return None, (), None
        if text is not None and any("\ud800" <= character <= "\udfff" for character in text):
            hint = "an emoji was cut in two when the text was shortened or escaped"
            self._fault('"text" holds half a surrogate pair', where, "whole characters", hint)
            return None, (), None
        if listed is None:
            cuts = tuple(tokenize(text or ""))
            return text, tuple((text or "")[start:end] for start, end in cuts), cuts
        words, offsets = self._listed_words(record, listed, where)
        if text is not None and words and offsets is None:
            offsets = self._aligned(text, words, where)
        return text, words, offsets if text is not None else None

    def _listed_words(self, record: dict[str, Any], listed: Any, where: str) -> tuple[tuple[str, ...], Offsets | None]:
        pairs = record.get("offsets")
        if isinstance(listed, list) and listed and all(isinstance(word, dict) for word in listed):
            pairs = [[word.get("start"), word.get("end")] for word in listed]
            listed = [word.get("text") for word in listed]
        if not isinstance(listed, list) or not all(isinstance(word, str) and word for word in listed):
            self._fault('"words" is not a list of words', where, "a list of strings, none of them empty")
            return (), None
        words, text = tuple(listed), record.get("text")
        if pairs is None or text is None:
            return words, None
        return words, self._given_offsets(pairs, words, text, where)

    def _given_offsets(self, pairs: Any, words: tuple[str, ...], text: str, where: str) -> Offsets | None:
        units = OffsetMap(text, self.settings.offsets)
        offsets: list[tuple[int, int]] = []
        sound = isinstance(pairs, list) and len(pairs) == len(words)
        for pair, word in zip(pairs if sound else [], words, strict=True) if sound else []:
            sound = isinstance(pair, list) and len(pair) == 2 and all(type(edge) is int for edge in pair)
            start, end = (units.code_point(pair[0]), units.code_point(pair[1])) if sound else (None, None)
            sound = start is not None and end is not None and text[start:end] == word
            if not sound or start is None or end is None or (offsets and start < offsets[-1][1]):
                sound = False
                break
            offsets.append((start, end))
        if not sound:
            self._fault(
                f"offsets and words differ at word {len(offsets) + 1}",
                where,
                "one [start, end] per word that cuts it out",
            )
            return None
        return tuple(offsets)

    def _aligned(self, text: str, words: tuple[str, ...], where: str) -> Offsets | None:
        offsets: list[tuple[int, int]] = []
        cursor = 0
        for word in words:
            start = text.find(word, cursor)
            if start < 0 or text[cursor:start].strip():
                expected = 'the words of "text" in order, with nothing but white space between'
                self._fault(f"word {len(offsets) + 1}, '{word[:60]}', is not the next of the text", where, expected)
                return None
            cursor = start + len(word)
            offsets.append((start, cursor))
        return tuple(offsets)

    def _annotation(
        self, record: dict[str, Any], where: str, length: int, labelled: bool
    ) -> tuple[Annotation, tuple[bool, ...] | None]:
        known = record.get("known")
        if known is None:
            return (Annotation.COMPLETE if labelled else Annotation.NONE), None
        if not isinstance(known, list) or len(known) != length or not all(type(flag) is bool for flag in known):
            self._fault('"known" does not fit the words', where, f"{length} times true or false")
            return Annotation.NONE, None
        return Annotation.PARTIAL, tuple(known)

    def _spans(
        self, claims: Any, where: str, text: str | None, words: tuple[str, ...], offsets: Offsets | None
    ) -> list[Span]:
        if not isinstance(claims, list):
            self._fault(f'"spans" is a {type(claims).__name__}', where, "a list of spans")
            return []
        spans: list[Span] = []
        for item in claims:
            claim = self._claim(item, where)
            if claim is None:
                continue
            span = (
                self._by_words(claim, words, where)
                if offsets is None
                else self._by_text(claim, text or "", offsets, where)
            )
            if span is not None:
                spans.append(span)
        kept, dropped = keep_longest(spans)
        if self.settings.overlaps is Overlaps.LONGEST:
            self._counts.dropped += len(dropped)
        else:
            for span in dropped:
                mention = " ".join(words[span.start : span.end])
                self._fault(
                    f"span '{mention[:60]}' ({span.label}) overlaps another",
                    where,
                    "spans without overlap",
                    "keep the longest of overlapping spans with overlaps=longest",
                )
        return kept

    def _claim(self, item: Any, where: str) -> Claim | None:
        if isinstance(item, dict):
            item = [item.get("start"), item.get("end"), item.get("label")]
        sound = isinstance(item, list) and len(item) == 3 and type(item[0]) is int and type(item[1]) is int
        if not sound or not isinstance(item[2], str) or not item[2]:
            expected = '{"start": number, "end": number, "label": "name"} or [start, end, "name"]'
            self._fault(f"{str(item)[:80]} is no span", where, expected)
            return None
        start, end = item[0] + self.settings.start_shift, item[1] + self.settings.end_shift
        if not 0 <= start < end:
            hint = "where ends are inclusive, read with end_shift=1" if start == end else ""
            self._fault(f"span {start}:{end} ({item[2]}) is empty", where, "0 <= start < end", hint)
            return None
        return Claim(start, end, item[2])

    def _by_words(self, claim: Claim, words: tuple[str, ...], where: str) -> Span | None:
        if claim.end <= len(words):
            return Span(claim.start, claim.end, claim.label)
        hint = 'character offsets need the "text" beside the words'
        expected = f"word numbers up to {len(words)}"
        self._fault(f"span {claim.start}:{claim.end} ({claim.label}) ends behind the last word", where, expected, hint)
        return None

    def _by_text(self, claim: Claim, text: str, offsets: Offsets, where: str) -> Span | None:
        self.survey.claims += 1
        units = OffsetMap(text, self.settings.offsets)
        start, end = units.code_point(claim.start), units.code_point(claim.end)
        named = f"span {claim.start}:{claim.end} ({claim.label})"
        if start is not None and end is not None:
            span = span_at(start, end, claim.label, offsets)
            if span is not None:
                return span
        self.survey.add_miss(claim, text, offsets)
        if start is None or end is None:
            expected = f"offsets in {self.settings.offsets} from 0 to the end of the text ({len(text)} code points)"
            self._fault(f"{named} does not fall on characters of the text", where, expected)
            return None
        wider = span_touching(start, end, claim.label, offsets)
        if wider is not None and self.settings.borders is Borders.SNAP:
            self._counts.snapped += 1
            return wider
        nearest = text[offsets[wider.start][0] : offsets[wider.end - 1][1]] if wider else ""
        what = f"{named} misses word borders: '{text[start:end][:60]}'"
        hint = "widen such spans to whole words with borders=snap" if wider else "the span holds white space only"
        self._fault(what, where, f"a span of whole words, such as '{nearest[:60]}'" if wider else "words", hint)
        return None

    def _spans_of_tags(self, tags: Any, where: str, words: tuple[str, ...]) -> list[Span]:
        if not isinstance(tags, list) or len(tags) != len(words) or not all(isinstance(tag, str) for tag in tags):
            hint = "replace numbers by tag names" if isinstance(tags, list) and tags and type(tags[0]) is int else ""
            self._fault('"tags" does not fit the words', where, f"a list of {len(words)} tags (strings)", hint)
            return []
        settings, found = self.settings, self.detection
        scheme = settings.scheme or (found.scheme if found else Scheme.BIO)
        unnamed = None if found is not None and found.labelled else UNNAMED_LABEL
        spans, broken = spans_from_tags(
            tags, scheme, settings.repair, delimiter=settings.delimiter, unnamed_label=unnamed
        )
        fatal = [fault for fault in broken if settings.repair is Repair.REJECT or not fault.repairable]
        self._counts.repaired += len(broken) - len(fatal)
        for fault in fatal:
            place = f"{where}, word '{words[fault.position][:60]}'"
            self._fault(fault.what, place, f"{scheme} tags: {expected_tags(scheme, settings.delimiter)}")
        return list(spans)
