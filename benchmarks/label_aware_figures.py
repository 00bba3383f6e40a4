"""Figures 2 to 4 of the LANER paper from the runs of the grid: F1 by label, by label width, by number of sentences."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from grid_results import Results
from label_aware_grid import HEADS, SIZES, WIDTHS, Row
from label_aware_sections import Table, deviation, mean, percent

from nerbridge.evaluation.scoring import score
from nerbridge.evaluation.uncertainty import Spread, spread
from nerbridge.pipeline.sweep.lines import Picture, Point
from nerbridge.pipeline.sweep.plot import draw_picture

SHARED = ("person", "organisation", "organization", "location", "misc")  # labels that CoNLL-2003 has too
Curves = Mapping[str, Mapping[float, Row]]  # line -> number on the axis -> row


def label_scores(results: Results, row: Row, domain: str) -> tuple[dict[str, Spread], Counter[str], int]:
    """F1 of each label over the seeds that have predictions, gold mentions of each label, and how many seeds."""
    found: dict[str, list[float]] = {}
    gold: Counter[str] = Counter()
    runs = [results.predictions((row.name, domain, seed), "test") for seed in results.seeds]
    there = [run for run in runs if run is not None]
    for run in there:
        tallies = score(run).per_label
        gold = Counter({label: tally.gold for label, tally in tallies.items() if tally.gold})
        for label in gold:
            found.setdefault(label, []).append(tallies[label].f1)
    return {label: spread(values) for label, values in found.items()}, gold, len(there)


def by_label(results: Results, rows: Sequence[Row], domain: str) -> tuple[Table, Picture] | None:
    """The labels of a domain, those that the source has too last, each by its number of mentions; none without runs."""
    scored = {row.said: label_scores(results, row, domain) for row in rows}
    shown = {name: found for name, found in scored.items() if found[2]}
    if not shown:
        return None
    gold = next(iter(shown.values()))[1]
    labels = sorted(gold, key=lambda label: (label in SHARED, -gold[label]))
    header = ["label", "gold mentions", *(text for name in shown for text in (name, "±"))]
    table = [
        [
            label,
            str(gold[label]),
            *(text for one in shown.values() for text in (mean(one[0][label]), deviation(one[0][label]))),
        ]
        for label in labels
    ]
    lines = {
        name: [_point(place, label, one[0][label]) for place, label in enumerate(labels)] for name, one in shown.items()
    }
    seeds = "; ".join(f"{name} {one[2]} of {len(results.seeds)}" for name, one in scored.items())
    behind = [label for label in labels if label in SHARED]
    said = f"Seeds with predictions: {seeds}. Labels that CoNLL-2003 has too: {', '.join(behind) or 'none'}."
    return Table(header, table, (said,)), Picture(f"label of {domain}", lines, numeric=False, averaged=False)


def _point(place: float, name: str, f1: Spread) -> Point:
    return Point(float(place), name, 100 * f1.mean, None if f1.deviation is None else 100 * f1.deviation)


def curves(results: Results, asked: Curves, axis: str, domain: str) -> tuple[Table, Picture] | None:
    """Dev and test F1 of one domain along an axis, a line for each key of `asked`; none without runs."""
    table, lines = list[list[str]](), dict[str, list[Point]]()
    for name, rows in asked.items():
        points = []
        for number, row in rows.items():
            dev, test = (results.average(row, split, [domain]) for split in ("dev", "test"))
            scores = [mean(dev), deviation(dev), mean(test), deviation(test)]
            table.append([name, f"{number:g}", *scores, results.cells(row, [domain])])
            points += [_point(number, f"{number:g}", test)] if test else []
        lines |= {name: points} if points else {}
    if not lines:
        return None
    header = ["row", axis, "dev F1", "±", "test F1", "±", "cells"]
    return Table(header, table), Picture(axis, lines, numeric=True, averaged=False)


def width_curves(rows: Sequence[Row]) -> Curves:
    """Figure 3."""
    return {"label-aware": dict(zip(map(float, WIDTHS), rows, strict=True))}


def size_curves(rows: Sequence[Row]) -> Curves:
    """Figure 4: rows as the grid has them, all sizes of one head after the other."""
    each = len(SIZES)
    return {
        head: dict(zip(map(float, SIZES), rows[each * place : each * (place + 1)], strict=True))
        for place, head in enumerate(HEADS)
    }


def draw(drawn: Picture, path: Path, title: str) -> None:
    """The PNG; wider where there are many bars."""
    number = max(len(points) for points in drawn.lines.values())
    draw_picture(drawn, [path], title=title, unit="test F1", width=7.0 if drawn.numeric or number < 9 else 11.0)


def peak(results: Results, rows: Sequence[Row], domain: str) -> str:
    """Where the dev F1 of the widths is highest; the paper has its best at 150 (Figure 3, test)."""
    found = {
        width: one for width, row in zip(WIDTHS, rows, strict=True) if (one := results.average(row, "dev", [domain]))
    }
    if not found:
        return "No width has a run."
    best = max(found, key=lambda width: found[width].mean)
    return f"Highest dev F1 at width {best} ({percent(found[best].mean)}), among {len(found)} of {len(WIDTHS)} widths."
