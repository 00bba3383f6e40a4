"""The tables of a sweep: rows of cells for the terminal, Markdown and CSV."""

import csv
import io
from collections.abc import Mapping, Sequence

from nerbridge.evaluation.uncertainty import Interval, Spread
from nerbridge.pipeline.sweep.best import clear_best
from nerbridge.pipeline.sweep.naming import shown_value
from nerbridge.pipeline.sweep.outcome import SweepResult
from nerbridge.pipeline.sweep.results import SPLITS, TARGET, Average, Row, best_rows

Table = tuple[list[str], list[list[str]]]  # header and rows


def settings_table(result: SweepResult, *, mark: str = "**") -> Table:
    """One row per setting; the best F1 of the metric stands in `mark`s, once per target."""
    splits = result.splits
    best = best_rows(result.rows, result.metric, len(result.plan.seeds))
    header = [*result.plan.shorts.values(), "seeds"]
    for split in splits:
        header += [f"{split} F1", "deviation", "95 % interval"]
    rows = []
    for row in result.rows:
        cells = [*map(shown_value, row.choices.values()), ",".join(map(str, row.seeds))]
        for split in splits:
            marked = mark if split == result.metric and row in best else ""
            cells += _score(row.f1.get(split), row.intervals.get(split), marked)
        rows.append([*cells, f"{row.seconds:.1f}"])
    return [*header, "seconds"], rows


def averages_table(result: SweepResult, *, mark: str = "**") -> Table:
    """One row per setting of everything but the target: the metric on each target, and the average per split."""
    averages, splits = result.averages, result.splits
    if not averages:
        return [], []
    best = clear_best([(one, one.f1[result.metric].mean) for one in averages])
    targets = list(averages[0].by_target[result.metric])
    shorts = [short for key, short in result.plan.shorts.items() if key != TARGET]
    header = [*shorts, "seeds", *(f"{result.metric} F1, {shown_value(target)}" for target in targets)]
    for split in splits:
        header += [f"average {split} F1", "deviation"]
    rows = []
    for average in averages:
        cells = [*map(shown_value, average.choices.values()), ",".join(map(str, average.seeds))]
        cells += [percent(average.by_target[result.metric][target]) for target in targets]
        for split in splits:
            marked = mark if split == result.metric and average in best and len(averages) > 1 else ""
            cells += _score(average.f1[split], None, marked)[:2]
        rows.append(cells)
    return header, rows


def _score(f1: Spread | None, interval: Interval | None, mark: str) -> list[str]:
    if f1 is None:
        return ["-", "-", "-"]
    deviation = "-" if f1.deviation is None else percent(f1.deviation)
    bounds = f"{percent(interval.low)} to {percent(interval.high)}" if interval else ""
    return [f"{mark}{percent(f1.mean)}{mark}", deviation, bounds]


def percent(fraction: float) -> str:
    """0.6789 -> '67.89'."""
    return f"{100 * fraction:.2f}"


def to_markdown(result: SweepResult) -> str:
    """The page table.md: what was varied, all tables, what is missing, what to know when reading them."""
    varied = ", ".join(f"`{variation.key}`" for variation in result.plan.variations)
    parts = [f"# Sweep of {result.plan.recipe.name} over {varied}"]
    tables = [settings_table(result), averages_table(result)]
    parts += [_markdown_table(header, rows) for header, rows in tables if rows]
    if result.failures:
        lines = [f"- {cell}: {error.splitlines()[0]}" for cell, error in result.failures]
        parts.append("\n".join(["Failed:", "", *lines]))
    parts.append("\n".join(f"- {note}" for note in result.notes))
    return "\n\n".join(parts) + "\n"


def _markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def to_csv(rows: Sequence[Row], keys: Sequence[str]) -> str:
    """table.csv: one line per setting, dotted keys, scores in percent with all digits; empty where there is none."""
    columns = [f"{split}_{what}" for split in SPLITS for what in ("f1", "deviation", "low", "high")]
    lines = [
        [
            *(shown_value(row.choices[key]) for key in keys),
            " ".join(map(str, row.seeds)),
            row.num_train,
            *(value for split in SPLITS for value in _numbers(row.f1.get(split), row.intervals.get(split))),
            f"{row.seconds:.1f}",
        ]
        for row in rows
    ]
    return _csv([*keys, "seeds", "train_sentences", *columns, "seconds"], lines)


def averages_to_csv(averages: Sequence[Average]) -> str:
    """averages.csv: one line per setting and split."""
    keys = list(averages[0].choices)
    targets = list(next(iter(averages[0].by_target.values())))
    lines = [
        [*map(shown_value, one.choices.values()), " ".join(map(str, one.seeds)), split]
        + [100 * by_target[target] for target in targets]
        + _numbers(one.f1[split], None)[:2]
        for one in averages
        for split, by_target in one.by_target.items()
    ]
    return _csv([*keys, "seeds", "split", *map(shown_value, targets), "average", "deviation"], lines)


def _numbers(f1: Spread | None, interval: Interval | None) -> list[object]:
    mean = "" if f1 is None else 100 * f1.mean
    deviation = "" if f1 is None or f1.deviation is None else 100 * f1.deviation
    bounds: Mapping[str, object] = (
        {"low": "", "high": ""} if interval is None else {"low": 100 * interval.low, "high": 100 * interval.high}
    )
    return [mean, deviation, bounds["low"], bounds["high"]]


def _csv(header: Sequence[str], lines: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([f"{cell:.4f}" if isinstance(cell, float) else cell for cell in line] for line in lines)
    return text.getvalue()
