"""What is kept of an evaluation: both readings, an interval, and the kinds of mistakes; the content of scores.json."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerbridge.evaluation.error_listing import count_kinds, list_mistakes
from nerbridge.evaluation.files import write_text
from nerbridge.evaluation.matching import Kind
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.scoring import Scores, score
from nerbridge.evaluation.uncertainty import Interval, Spread, bootstrap_f1, count_sentences, spread


@dataclass(frozen=True, slots=True)
class Summary:
    """One run on one split. `interval` bounds the headline, micro F1 in the conlleval reading.

    type_accuracy: share of gold spans that get their own label when they are given; None for taggers that do not find
    spans first.
    """

    conlleval: Scores
    strict: Scores
    interval: Interval
    mistakes: Mapping[Kind, int]
    type_accuracy: float | None = None

    @property
    def f1(self) -> float:
        return self.conlleval.f1

    def to_json(self) -> dict[str, Any]:
        """The headline first, then both readings in full; fractions and counts."""
        return {
            "f1": self.f1,
            "interval": self.interval.to_json(),
            **({} if self.type_accuracy is None else {"type_accuracy_on_gold_spans": self.type_accuracy}),
            "mistakes": {kind.value: count for kind, count in self.mistakes.items()},
            "conlleval": self.conlleval.to_json(),
            "strict": self.strict.to_json(),
        }


def summarize(
    predictions: Sequence[Prediction], *, rounds: int = 2000, seed: int = 0, type_accuracy: float | None = None
) -> Summary:
    """Everything that scores.json keeps of `predictions`.

    rounds, seed: of the bootstrap over sentences. type_accuracy: see `Summary`.
    """
    interval = bootstrap_f1(count_sentences(predictions), rounds=rounds, seed=seed)
    mistakes = count_kinds(list_mistakes(predictions))
    return Summary(score(predictions), score(predictions, reading="strict"), interval, mistakes, type_accuracy)


def write_scores(path: Path, summaries: Mapping[str, Summary]) -> None:
    """Writes scores.json, all or nothing: one entry per split, such as "dev" and "test"."""
    content = {split: summary.to_json() for split, summary in summaries.items()}
    write_text(path, json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def aggregate(runs: Sequence[Scores]) -> dict[str, Spread]:
    """Mean and deviation over runs (seeds) of the scores that tables show.

    Keys: f1, precision, recall, macro_f1, boundary_f1, type_only_f1. Raises ValueError without runs.
    """
    return {
        "f1": spread([run.f1 for run in runs]),
        "precision": spread([run.precision for run in runs]),
        "recall": spread([run.recall for run in runs]),
        "macro_f1": spread([run.macro_f1 for run in runs]),
        "boundary_f1": spread([run.boundary.f1 for run in runs]),
        "type_only_f1": spread([run.type_only.f1 for run in runs]),
    }
