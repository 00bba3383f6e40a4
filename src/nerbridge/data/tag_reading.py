"""The tags of one file -> spans, under one scheme and one repair policy."""

from collections.abc import Iterable, Sequence

from nerbridge.data.counts import ReadCounts
from nerbridge.data.scheme_detection import Detection, examine_tags
from nerbridge.data.schemes import Repair, Scheme, spans_from_tags
from nerbridge.data.sentence import Span
from nerbridge.data.tag_grammar import UNNAMED_LABEL, expected_tags
from nerbridge.errors import DataError


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

    def spans(
        self, tags: Sequence[str], places: Sequence[str], faults: list[DataError], counts: ReadCounts
    ) -> tuple[Span, ...] | None:
        """The spans of one sentence, None when its tags are at fault.

        places: for each tag, where it stands. Repaired places go to `counts`, the others to `faults`.
        """
        scheme = self.detection.scheme
        unnamed = None if self.detection.labelled else UNNAMED_LABEL
        spans, broken = spans_from_tags(tags, scheme, self.repair, delimiter=self.delimiter, unnamed_label=unnamed)
        fatal = [fault for fault in broken if self.repair is Repair.REJECT or not fault.repairable]
        counts.repaired += len(broken) - len(fatal)
        for fault in fatal:
            mend = "choose the repair policy conlleval or strict" if fault.repairable else "name another scheme"
            faults.append(
                DataError(
                    fault.what,
                    where=places[fault.position],
                    expected=f"{scheme} tags: {expected_tags(scheme, self.delimiter)}",
                    hint=f"correct the tag, or {mend}",
                )
            )
        return None if fatal else spans

    def describe(self) -> str:
        """The scheme, and the reason where it is not certain."""
        found = self.detection
        return str(found.scheme) if found.certain else f"{found.scheme}, taken from: {found.reason}"
