"""Which predicted span answers which gold span: the ground of confusions and error listings.

Each span is used at most once. First equal boundaries, whatever the label; then, of the rest, overlapping spans: those
of one label before others, larger overlaps first, then from left to right. What is left over has no partner.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from nerbridge.data.sentence import Span


class Kind(StrEnum):
    """What happened to a gold or predicted span."""

    CORRECT = "correct"
    MISSED = "missed"  # gold only
    SPURIOUS = "spurious"  # predicted only
    WRONG_LABEL = "wrong label"  # same boundaries
    WRONG_BOUNDARY = "wrong boundary"  # same label, overlapping
    BOTH = "wrong label and boundary"  # overlapping


@dataclass(frozen=True, slots=True)
class Match:
    """A gold span and the predicted span that answers it; one of them may be missing, never both."""

    gold: Span | None
    predicted: Span | None

    @property
    def kind(self) -> Kind:
        if self.gold is None:
            return Kind.SPURIOUS
        if self.predicted is None:
            return Kind.MISSED
        same_label = self.gold.label == self.predicted.label
        if (self.gold.start, self.gold.end) == (self.predicted.start, self.predicted.end):
            return Kind.CORRECT if same_label else Kind.WRONG_LABEL
        return Kind.WRONG_BOUNDARY if same_label else Kind.BOTH

    @property
    def start(self) -> int:
        """The first word of the two spans."""
        return min(span.start for span in (self.gold, self.predicted) if span is not None)


def match(gold: Iterable[Span], predicted: Iterable[Span]) -> list[Match]:
    """Every gold and predicted span of one sentence in exactly one `Match`, from left to right.

    >>> [one.kind.value for one in match([Span(0, 2, "person")], [Span(1, 2, "person"), Span(4, 5, "city")])]
    ['wrong boundary', 'spurious']
    """
    answers, guesses = sorted(set(gold)), sorted(set(predicted))
    matches: list[Match] = []
    for _, answer, guess in sorted(_candidates(answers, guesses)):
        if answer in answers and guess in guesses:
            answers.remove(answer)
            guesses.remove(guess)
            matches.append(Match(answer, guess))
    matches += [Match(answer, None) for answer in answers]
    matches += [Match(None, guess) for guess in guesses]
    return sorted(matches, key=lambda one: (one.start, one.gold is None))


def _candidates(gold: list[Span], predicted: list[Span]) -> Iterator[tuple[tuple[bool, bool, int], Span, Span]]:
    for answer in gold:
        for guess in predicted:
            overlap = min(answer.end, guess.end) - max(answer.start, guess.start)
            if overlap > 0:
                other_edges = (answer.start, answer.end) != (guess.start, guess.end)
                yield (other_edges, answer.label != guess.label, -overlap), answer, guess
