"""Every mistake, one by one: what was there, what was said, what kind of mistake it is, and where to look."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from nerbridge.data.sentence import Span
from nerbridge.evaluation.matching import Kind, Match, match
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.readings import Reading


@dataclass(frozen=True, slots=True)
class Mistake:
    """A gold or predicted span that went wrong, in its sentence."""

    prediction: Prediction
    match: Match

    @property
    def kind(self) -> Kind:
        return self.match.kind

    def to_json(self) -> dict[str, Any]:
        """Text, both spans as [start, end, label, mention] or null, kind and origin."""
        return {
            "text": " ".join(self.prediction.words),
            "gold": self._describe(self.match.gold),
            "predicted": self._describe(self.match.predicted),
            "kind": self.kind.value,
            "origin": self.prediction.origin,
        }

    def _describe(self, span: Span | None) -> list[int | str] | None:
        return None if span is None else [span.start, span.end, span.label, self.prediction.mention(span)]


def list_mistakes(predictions: Sequence[Prediction], *, reading: Reading = "conlleval") -> list[Mistake]:
    """All mistakes in the order of the sentences, from left to right inside each."""
    return [
        Mistake(prediction, one)
        for prediction in predictions
        for one in match(prediction.read_gold(reading), prediction.read_predicted(reading))
        if one.kind is not Kind.CORRECT
    ]


def count_kinds(mistakes: Iterable[Mistake]) -> dict[Kind, int]:
    """How many mistakes there are of each kind; every kind of mistake is a key, in a fixed order."""
    counts = Counter(mistake.kind for mistake in mistakes)
    return {kind: counts[kind] for kind in Kind if kind is not Kind.CORRECT}
