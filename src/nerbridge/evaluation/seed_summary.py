"""What several seeds of one experiment say together: means, deviations over seeds, an interval over sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.scoring import Tally, score
from nerbridge.evaluation.summary import aggregate
from nerbridge.evaluation.uncertainty import Interval, Spread, bootstrap_mean_f1, count_sentences, spread


@dataclass(frozen=True, slots=True)
class LabelSpread:
    """One label over seeds, conlleval reading: F1 with its deviation, mean precision and recall as fractions."""

    f1: Spread
    precision: float
    recall: float
    gold: int

    def to_json(self) -> dict[str, Any]:
        """Fractions, and the number of gold entities."""
        return {"f1": self.f1.to_json(), "precision": self.precision, "recall": self.recall, "gold": self.gold}


@dataclass(frozen=True, slots=True)
class SeedSummary:
    """scores: f1, precision, recall, macro_f1, boundary_f1, type_only_f1 (conlleval reading) and strict_f1, over seeds.

    interval: of the mean F1 over other draws of sentences; the deviation is that over seeds.
    """

    seeds: tuple[int, ...]
    scores: Mapping[str, Spread]
    interval: Interval
    per_label: Mapping[str, LabelSpread]

    def to_json(self) -> dict[str, Any]:
        """Everything, as fractions, ready for `json.dumps`; an entry of the scores.json above seed-* folders."""
        return {
            "seeds": list(self.seeds),
            **{name: value.to_json() for name, value in self.scores.items()},
            "interval": self.interval.to_json(),
            "per_label": {label: one.to_json() for label, one in self.per_label.items()},
        }


def summarize_seeds(runs: Mapping[str, Sequence[Prediction]]) -> SeedSummary:
    """The summary of the runs of several seeds, by run name ("seed-1"). Raises ValueError without runs."""
    lenient = [score(run) for run in runs.values()]
    strict = [score(run, reading="strict").f1 for run in runs.values()]
    labels = sorted({label for scores in lenient for label in scores.per_label})
    nothing = Tally(0, 0, 0)
    return SeedSummary(
        tuple(int(name.removeprefix("seed-")) for name in runs),
        {**aggregate(lenient), "strict_f1": spread(strict)},
        bootstrap_mean_f1([count_sentences(run) for run in runs.values()]),
        {label: _spread_label([scores.per_label.get(label, nothing) for scores in lenient]) for label in labels},
    )


def _spread_label(tallies: Sequence[Tally]) -> LabelSpread:
    return LabelSpread(
        spread([tally.f1 for tally in tallies]),
        fmean(tally.precision for tally in tallies),
        fmean(tally.recall for tally in tallies),
        max(tally.gold for tally in tallies),
    )
