"""Sentences with their gold and predicted spans marked, ready for a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nerbridge.data.sentence import Span
from nerbridge.evaluation.charts import cut
from nerbridge.evaluation.error_listing import Mistake
from nerbridge.evaluation.matching import Kind, match
from nerbridge.evaluation.prediction import Prediction

_CONTEXT = 25  # words shown beside the first and last marked word of a long sentence
_LONGEST_WORD = 60  # characters of a word that are shown; data hold words of 100,000

Mark = tuple[Span, Kind | None]


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of words; a marked one has a label and, unless neutral, the kind of what happened to it."""

    text: str
    label: str = ""
    kind: Kind | None = None

    @property
    def style(self) -> str:
        """The kind as a name of the style sheet: "wrong-label"."""
        return self.kind.value.replace(" ", "-") if self.kind else "neutral"


@dataclass(frozen=True, slots=True)
class Highlight:
    """One sentence as lines of segments ("gold", "predicted", ...), the kinds of its mistakes, and its origin."""

    origin: str
    lines: tuple[tuple[str, tuple[Segment, ...]], ...]
    kinds: tuple[Kind, ...] = ()
    note: str = ""

    @property
    def styles(self) -> str:
        """The kinds as names of the style sheet, for filters."""
        return " ".join(dict.fromkeys("has-" + kind.value.replace(" ", "-") for kind in self.kinds))


def highlight_mistakes(mistakes: Sequence[Mistake], limit: int) -> list[Highlight]:
    """Sentences with mistakes, gold above predicted: all of them, or `limit` that are spread evenly over the file."""
    kinds: dict[int, tuple[Prediction, list[Kind]]] = {}
    for mistake in mistakes:
        kinds.setdefault(id(mistake.prediction), (mistake.prediction, []))[1].append(mistake.kind)
    found = list(kinds.values())
    if len(found) > limit:
        found = [found[number * len(found) // limit] for number in range(limit)]
    return [
        Highlight(one.origin, mark_lines(one.words, one.gold, {"predicted": one.predicted}), tuple(of_this))
        for one, of_this in found
    ]


def mark_lines(
    words: Sequence[str], gold: Sequence[Span], answers: Mapping[str, Sequence[Span]]
) -> tuple[tuple[str, tuple[Segment, ...]], ...]:
    """A "gold" line and one line per answer; all lines show the same words.

    With one answer, a gold span carries the kind of what became of it; with several, it stays neutral.
    """
    matches = {name: match(gold, spans) for name, spans in answers.items()}
    fate = {one.gold: one.kind for found in matches.values() for one in found} if len(answers) == 1 else {}
    marks: dict[str, list[Mark]] = {"gold": [(span, fate.get(span)) for span in gold]}
    for name, found in matches.items():
        marks[name] = [(one.predicted, one.kind) for one in found if one.predicted]
    start, end = _crop(len(words), [mark for line in marks.values() for mark in line])
    return tuple((name, _segments(words, line, start, end)) for name, line in marks.items())


def _crop(num_words: int, marks: Sequence[Mark]) -> tuple[int, int]:
    """The part of a sentence that is shown: all of a short one, else the surroundings of what is not right."""
    spans = [span for span, kind in marks if kind is not Kind.CORRECT] or [span for span, _ in marks]
    if num_words <= 4 * _CONTEXT or not spans:
        return 0, min(num_words, 4 * _CONTEXT)
    start = max(0, min(span.start for span in spans) - _CONTEXT)
    return start, min(num_words, max(span.end for span in spans) + _CONTEXT)


def _segments(words: Sequence[str], marks: Sequence[Mark], start: int, end: int) -> tuple[Segment, ...]:
    segments = [Segment("… ")] if start else []
    position = start
    for span, kind in sorted(marks, key=lambda mark: mark[0]):
        if span.start < position or span.end > end:  # outside, or overlaps the one before: cannot be drawn here
            continue
        if span.start > position:
            segments.append(Segment(_text(words[position : span.start]) + " "))
        segments += [Segment(_text(words[span.start : span.end]), span.label, kind), Segment(" ")]
        position = span.end
    segments.append(Segment(_text(words[position:end]) + (" …" if end < len(words) else "")))
    return tuple(segments)


def _text(words: Sequence[str]) -> str:
    return " ".join(cut(word, _LONGEST_WORD) for word in words)
