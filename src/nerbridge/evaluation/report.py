"""One page that says how good a tagger is: a single HTML file, no network, readable in light and dark."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nerbridge.errors import DataError
from nerbridge.evaluation.charts import draw_bars
from nerbridge.evaluation.comparison import Comparison
from nerbridge.evaluation.curves import draw_curves, read_curve
from nerbridge.evaluation.error_listing import count_kinds, list_mistakes
from nerbridge.evaluation.files import write_text
from nerbridge.evaluation.highlights import Highlight, highlight_mistakes, mark_lines
from nerbridge.evaluation.pages import flatten, page
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.report_tables import (
    label_bars,
    label_intervals,
    label_rows,
    label_support,
    overview_rows,
    total_confusion,
)
from nerbridge.evaluation.scoring import score
from nerbridge.evaluation.support import ENOUGH_SENTENCES
from nerbridge.evaluation.uncertainty import bootstrap_mean_f1, count_sentences

Row = Mapping[str, object]
_MAX_NOTES = 50  # shown; the page stays small whatever a journal holds


@dataclass(frozen=True)
class ReportInput:
    """What a report is made of; everything but the first two may be left empty.

    title: of the experiment. runs: predictions of one split by run name ("" for a single run, "seed-1", ...).
    split: its name. seeds: of the runs, in their order, where known.
    data: one row of facts per file or data set (name, sentences, spans, sha256, ...), shown as given.
    stages: one row of facts per stage, such as its numbers of parameters, shown as given.
    raw_text: facts about the text that the encoder learnt from first, each with its name.
    environment: versions, device, revision; may be nested. settings: the resolved experiment as text.
    journals: per run name, rows with step, epoch, loss, dev_f1 and stage. notes: warnings and facts in sentences.
    comparison: of this run with another.
    """

    title: str
    runs: Mapping[str, Sequence[Prediction]]
    split: str = "test"
    seeds: Sequence[int] = ()
    encoder: str = ""
    data: Sequence[Row] = ()
    stages: Sequence[Row] = ()
    raw_text: Sequence[tuple[str, str]] = ()
    environment: Mapping[str, object] = field(default_factory=dict)
    settings: str = ""
    journals: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    comparison: Comparison | None = None


def write_report(path: Path, report: ReportInput, *, max_sentences: int = 200) -> None:
    """Writes the page, all or nothing; at most `max_sentences` sentences with mistakes are shown, evenly spread.

    Raises DataError when there are no runs.
    """
    if not report.runs:
        raise DataError(
            "there is no run to report on",
            where=str(path),
            expected="predictions of at least one run",
            hint="name a finished run folder",
        )
    write_text(path, page("report.html").render(_describe(report, max_sentences)))


def write_comparison(path: Path, comparison: Comparison, *, max_sentences: int = 200) -> None:
    """Writes a page of the comparison alone, all or nothing."""
    write_text(path, page("comparison.html").render(compared=_describe_comparison(comparison, max_sentences)))


def _describe(report: ReportInput, max_sentences: int) -> dict[str, Any]:
    runs = list(report.runs.values())
    lenient = [score(run) for run in runs]
    strict = [score(run, reading="strict") for run in runs]
    rows = label_rows(lenient)
    intervals = label_intervals(rows, runs)
    mistakes = list_mistakes(runs[0])
    shown = highlight_mistakes(mistakes, max_sentences)
    loss, dev_f1 = (
        [read_curve(name, journal, key) for name, journal in report.journals.items()] for key in ("loss", "dev_f1")
    )
    return {
        "report": report,
        "run_names": [name for name in report.runs if name],
        "first": lenient[0],
        "malformed_predicted": sum(scores.malformed_predicted for scores in lenient),
        "overview": overview_rows(lenient, strict),
        "interval": bootstrap_mean_f1([count_sentences(run) for run in runs]),
        "labels": rows,
        "label_intervals": intervals,
        "label_support": label_support(runs),
        "enough": ENOUGH_SENTENCES,
        "bar_chart": draw_bars(label_bars(rows, intervals)),
        "loss_chart": draw_curves(loss, title="Training loss"),
        "dev_chart": draw_curves(dev_f1, title="F1 on dev", percent=True),
        "confusion": total_confusion(runs),
        "kinds": count_kinds(mistakes),
        "num_wrong": len({id(mistake.prediction) for mistake in mistakes}),
        "sentences": shown,
        "kinds_shown": Counter(kind for one in shown for kind in one.kinds),
        "max_notes": _MAX_NOTES,
        "environment": flatten(report.environment),
        "data_columns": list(dict.fromkeys(key for row in report.data for key in row)),
        "stage_columns": list(dict.fromkeys(key for row in report.stages for key in row)),
        "compared": _describe_comparison(report.comparison, max_sentences) if report.comparison else None,
    }


def _describe_comparison(comparison: Comparison, max_sentences: int) -> dict[str, Any]:
    ranked = sorted(comparison.differing, key=lambda one: -abs(one.gain))
    sentences = [
        Highlight(
            one.first.origin,
            mark_lines(
                one.first.words,
                one.first.gold,
                {comparison.names[0]: one.first.predicted, comparison.names[1]: one.second.predicted},
            ),
            note=" · ".join(
                part for part in (one.run, f"{one.gain:+d} found" if one.gain else "same number found") if part
            ),
        )
        for one in ranked[:max_sentences]
    ]
    return {"comparison": comparison, "sentences": sentences}
