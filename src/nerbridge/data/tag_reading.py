"""The tags of one file -> spans, under one scheme and one repair policy."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from nerbridge.data.counts import ReadCounts
from nerbridge.data.scheme_detection import Detection, delimiter_in, examine_tags
from nerbridge.data.schemes import Repair, Scheme, spans_from_tags
from nerbridge.data.sentence import MalformedTags, Span
from nerbridge.data.tag_grammar import CLOSING, OUTSIDE, UNNAMED_LABEL, TagFault, expected_tags, parse_tag
from nerbridge.errors import DataError


@dataclass(frozen=True, slots=True)
class ReadTags:
    """One sentence's spans; malformed: its tags where they were repaired and another reading might differ."""

    spans: tuple[Span, ...]
    malformed: MalformedTags | None = None


class TagReader:
    """Reads every sentence's tags alike.

    tag_sequences: all tags of the file, for detection; also looked at when the scheme is given, since bare letters
    (B, I, O) are labels-to-be only in a file without labels. Raises DataError when the scheme is ambiguous.
    """

    def __init__(
        self,
        tag_sequences: Iterable[Sequence[str]],
        *,
        scheme: Scheme | None,
        repair: Repair,
        delimiter: str,
        path: str,
    ) -> None:
        self.repair = repair
        self.delimiter = delimiter
        self.detection = self._detect(tag_sequences, scheme, path)

    def _detect(self, tag_sequences: Iterable[Sequence[str]], scheme: Scheme | None, path: str) -> Detection:
        try:
            found = examine_tags(tag_sequences, delimiter=self.delimiter)
        except DataError as error:
            if scheme is None:
                raise DataError(error.what, where=path, expected=error.expected, hint=error.hint) from error
            return Detection(scheme, True, "named by the user")
        return found if scheme is None else Detection(scheme, True, "named by the user", found.labelled)

    def read(
        self, tags: Sequence[str], place: Callable[[int], str], faults: list[DataError], counts: ReadCounts
    ) -> ReadTags | None:
        """The spans of one sentence, None when its tags are at fault.

        place: where the tag of an index stands. Repaired places go to `counts`, the others to `faults`.
        """
        scheme = self.detection.scheme
        unnamed = None if self.detection.labelled else UNNAMED_LABEL
        spans, broken = spans_from_tags(tags, scheme, self.repair, delimiter=self.delimiter, unnamed_label=unnamed)
        fatal = [fault for fault in broken if self.repair is Repair.REJECT or not fault.repairable]
        counts.repaired += len(broken) - len(fatal)
        expected = f"{scheme} tags: {expected_tags(scheme, self.delimiter)}"
        faults += [
            DataError(fault.what, where=place(fault.position), expected=expected, hint=_hint(fault)) for fault in fatal
        ]
        return None if fatal else ReadTags(spans, self._malformed(tags) if broken else None)

    def _malformed(self, tags: Sequence[str]) -> MalformedTags | None:
        """Malformed tags in the letters of BIO or BIOES; None in schemes of one reading, and where it was chosen."""
        scheme = self.detection.scheme
        if self.repair is not Repair.CONLLEVAL or scheme not in (Scheme.BIO, *CLOSING):
            return None
        pieces = [parse_tag(tag, scheme, self.delimiter) or (OUTSIDE, "") for tag in tags]
        spelled = tuple(x if x == OUTSIDE else f"{x}-{label or UNNAMED_LABEL}" for x, label in pieces)
        return MalformedTags(spelled, "BIOES" if scheme in CLOSING else "BIO")

    def describe(self) -> str:
        """The scheme, and the reason where it is not certain."""
        found = self.detection
        return str(found.scheme) if found.certain else f"{found.scheme}, taken from: {found.reason}"


def _hint(fault: TagFault) -> str:
    if fault.repairable:
        return "correct the tag, or choose the repair policy conlleval or strict"
    mark = delimiter_in(fault.tag)
    if mark:
        spelled = f"{fault.tag[0]}-{fault.tag[2:]}"
        return f"write '{spelled}'; a file in which all tags are spelled so is read with `--read delimiter={mark}`"
    return "correct the tag, or name another scheme"
