"""The tables that `nerbridge evaluate` prints: of one run, and of the runs of several seeds."""

from collections.abc import Mapping
from typing import Any

from nerbridge.cli.console import console
from nerbridge.cli.run_summary import percent
from nerbridge.evaluation.scores import Scores, Tally
from nerbridge.evaluation.seed_summary import SeedSummary
from nerbridge.evaluation.summary import Summary
from nerbridge.evaluation.uncertainty import Interval


def print_run(summary: Summary, heading: str) -> None:
    """Both readings of tags, then the labels in the first of them. heading: what was scored."""
    header = [heading, "F1", "95 % interval", "precision", "recall", "macro F1", "gold", "predicted"]
    console.table(
        header, [_reading(summary.conlleval, _bounds(summary.interval)), _reading(summary.strict, "of conlleval alone")]
    )
    scores = summary.conlleval
    rows = [_row(label, tally) for label, tally in scores.per_label.items()]
    rows += [_row("(boundaries only)", scores.boundary), _row("(label, overlapping)", scores.type_only)]
    if summary.type_accuracy is not None:
        rows.append(["(gold spans given: accuracy)", percent(summary.type_accuracy), "", "", scores.exact.gold, ""])
    console.result("")
    console.table(["label", "F1", "precision", "recall", "gold", "predicted"], rows)


def print_seeds(together: SeedSummary, runs: Mapping[str, Summary], heading: str) -> None:
    """A row per seed and one of their means, then the labels' means. heading: what was scored."""
    rows = [
        [
            name,
            percent(summary.f1),
            "",
            _bounds(summary.interval),
            *map(percent, (summary.conlleval.precision, summary.conlleval.recall, summary.conlleval.macro_f1)),
            percent(summary.strict.f1),
        ]
        for name, summary in runs.items()
    ]
    scores = together.scores
    means = [percent(scores[name].mean) for name in ("f1", "precision", "recall", "macro_f1", "strict_f1")]
    rows.append(["mean", means[0], _deviation(scores["f1"].deviation), _bounds(together.interval), *means[1:]])
    header = [heading, "F1", "deviation", "95 % interval", "precision", "recall", "macro F1", "strict F1"]
    console.table(header, rows)
    console.result("")
    labels: list[list[Any]] = [
        [
            label,
            percent(one.f1.mean),
            _deviation(one.f1.deviation),
            percent(one.precision),
            percent(one.recall),
            one.gold,
        ]
        for label, one in together.per_label.items()
    ]
    for name, key in (("(boundaries only)", "boundary_f1"), ("(label, overlapping)", "type_only_f1")):
        labels.append([name, percent(scores[key].mean), _deviation(scores[key].deviation), "", "", None])
    console.table(["label, mean", "F1", "deviation", "precision", "recall", "gold"], labels)


def _reading(scores: Scores, interval: str) -> list[Any]:
    f1, *shares, gold, predicted = _row("", scores.exact)[1:]
    return [scores.reading, f1, interval, *shares, percent(scores.macro_f1), gold, predicted]


def _row(name: str, tally: Tally) -> list[Any]:
    return [name, percent(tally.f1), percent(tally.precision), percent(tally.recall), tally.gold, tally.predicted]


def _bounds(interval: Interval) -> str:
    return f"{percent(interval.low)} to {percent(interval.high)}"


def _deviation(deviation: float | None) -> str:
    return "-" if deviation is None else percent(deviation)
