"""The numbers of a report, arranged for its tables; several runs (seeds) become mean and deviation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from nerbridge.evaluation.charts import Bar
from nerbridge.evaluation.confusion import Confusion, confuse
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.scoring import Scores, Tally
from nerbridge.evaluation.support import Support, count_support
from nerbridge.evaluation.uncertainty import Interval, Spread, bootstrap_labels, spread
from nerbridge.wording import counted

Runs = Sequence[Sequence[Prediction]]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a score table: means over runs as fractions, the F1 with its spread; counts are means too."""

    name: str
    precision: float
    recall: float
    f1: Spread
    gold: float | None = None
    predicted: float | None = None
    correct: float | None = None


def overview_rows(lenient: Sequence[Scores], strict: Sequence[Scores]) -> list[Row]:
    """Exact in both readings, macro, boundary-only and type-only."""
    macro = Row(
        f"macro over {counted(len(label_names(lenient)), 'label')}",
        fmean(scores.macro_precision for scores in lenient),
        fmean(scores.macro_recall for scores in lenient),
        spread([scores.macro_f1 for scores in lenient]),
    )
    return [
        _row("exact, micro, conlleval reading", [scores.exact for scores in lenient]),
        _row("exact, micro, strict reading", [scores.exact for scores in strict]),
        macro,
        _row("boundary only", [scores.boundary for scores in lenient]),
        _row("type only", [scores.type_only for scores in lenient]),
    ]


def label_rows(runs: Sequence[Scores]) -> list[Row]:
    """One row per label, in alphabetical order."""
    none = Tally(0, 0, 0)
    return [_row(name, [scores.per_label.get(name, none) for scores in runs]) for name in label_names(runs)]


def label_names(runs: Sequence[Scores]) -> list[str]:
    """All labels that occur in gold or predicted spans of any run."""
    return sorted({name for scores in runs for name in scores.per_label})


def label_support(runs: Runs) -> dict[str, Support]:
    """The support of every label of any run; all runs have the same gold spans."""
    return {label: found for run in runs for label, found in count_support(run).items()}


def label_intervals(rows: Sequence[Row], runs: Runs) -> dict[str, Interval | None]:
    """The 95 % interval of each label's F1 (mean over runs), None where its support is too small to say."""
    support = label_support(runs)
    intervals = bootstrap_labels(runs, [row.name for row in rows])
    return {label: interval if support[label].is_enough else None for label, interval in intervals.items()}


def label_bars(rows: Sequence[Row], intervals: Mapping[str, Interval | None]) -> list[Bar]:
    """The bars of the chart, best label first; those with too little support stand below all others."""
    ranked = sorted(rows, key=lambda row: (intervals[row.name] is None, -row.f1.mean, row.name))
    return [Bar(row.name, row.f1.mean, intervals[row.name], _bar_note(row, intervals[row.name])) for row in ranked]


def _bar_note(row: Row, interval: Interval | None) -> str:
    too_few = ", too few" if interval is None else ""
    return f"{100 * row.f1.mean:.2f}  ({row.gold or 0:,.0f} gold{too_few})"


def total_confusion(runs: Runs) -> Confusion:
    """The confusion over all runs together."""
    return confuse([prediction for run in runs for prediction in run])


def _row(name: str, tallies: Sequence[Tally]) -> Row:
    def mean(number: Callable[[Tally], float]) -> float:
        return fmean(number(tally) for tally in tallies)

    return Row(
        name,
        mean(lambda tally: tally.precision),
        mean(lambda tally: tally.recall),
        spread([tally.f1 for tally in tallies]),
        gold=mean(lambda tally: tally.gold),
        predicted=mean(lambda tally: tally.predicted),
        correct=mean(lambda tally: tally.correct),
    )
