"""What the journals of finished runs say: scores of all four tasks over training, and where they end."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grid_results import Results
from label_aware_grid import Row
from light_rows import WATCHED

from nerbridge.evaluation.uncertainty import Spread, spread
from nerbridge.pipeline.sweep.lines import Picture, Point
from nerbridge.training.journal import read_journal

TICKS = 7  # numbers below the axis of a learning curve


def evaluations(results: Results, row: Row, domain: str, seed: int) -> list[dict[str, Any]]:
    """Those of a run's last stage, in order; none where the journal is not there."""
    key = (row.name, domain, seed)
    folder = results.run_folder(key) if key in results.lines else None
    path = None if folder is None else folder / "journal.jsonl"
    found = [line for line in read_journal(path) if line.get("event") == "evaluation"] if path is not None else []
    return [line for line in found if line["stage"] == found[-1]["stage"]]


def last_watched(results: Results, row: Row, domain: str) -> dict[str, Spread]:
    """Watched numbers at the weights that were kept, over seeds; perplexities as they are, shares as fractions."""
    found: dict[str, list[float]] = {}
    for seed in results.seeds:
        lines = evaluations(results, row, domain, seed)
        kept = max(lines, key=lambda line: line["f1"]) if lines else {}
        for name, value in kept.items():
            if name.startswith(WATCHED):
                found.setdefault(name, []).append(float(value))
    return {name: spread(values) for name, values in found.items()}


def learning_curve(
    results: Results, row: Row, domain: str, number: Callable[[dict[str, Any]], float | None]
) -> list[Point]:
    """What `number` says of each evaluation, mean over the seeds that have as many; x: steps."""
    runs = [lines for seed in results.seeds if (lines := evaluations(results, row, domain, seed))]
    points = []
    for place, lines in enumerate(zip(*runs, strict=False)):
        values = [value for line in lines if (value := number(line)) is not None]
        if values:
            step = lines[0]["step"]
            said = str(step) if place % max(1, math.ceil(len(runs[0]) / TICKS)) == 0 else ""
            points.append(Point(float(step), said, sum(values) / len(values), None))
    return points


def curves_of_rows(results: Results, rows: Sequence[Row], domain: str) -> Picture | None:
    """Figure 3: dev F1 of a target over training, a line for each row."""
    lines = {row.said: points for row in rows if (points := learning_curve(results, row, domain, _percent("f1")))}
    return Picture(f"steps, {domain}", _one_ruler(lines), numeric=True, averaged=False) if lines else None


def curves_of_tasks(results: Results, row: Row, domains: Sequence[str], what: str) -> Picture | None:
    """Figure 4: the full model's taggers (what: "f1") or language models (what: "perplexity") over training."""
    lines: dict[str, list[Point]] = {}
    for domain in domains:
        watched = {name for name in last_watched(results, row, domain) if name.startswith(f"{what} ")}
        if what == "f1":
            lines[f"{domain}: tags"] = learning_curve(results, row, domain, _percent("f1"))
        for name in sorted(watched):
            take = _percent(name) if what == "f1" else _plain(name)
            lines[f"{domain}: {name.partition(' ')[2]}"] = learning_curve(results, row, domain, take)
    lines = {name: points for name, points in lines.items() if points}
    return Picture("steps", _one_ruler(lines), numeric=True, averaged=False) if lines else None


def curves_of_numbers(results: Results, row: Row, domain: str, said: Mapping[str, str]) -> Picture | None:
    """Shares that a row's journals have at each evaluation, in percent. said: their names there -> of the lines."""
    lines = {name: learning_curve(results, row, domain, _percent(key)) for key, name in said.items()}
    lines = {name: points for name, points in lines.items() if points}
    return Picture(f"steps, {domain}", _one_ruler(lines), numeric=True, averaged=False) if lines else None


def _one_ruler(lines: dict[str, list[Point]]) -> dict[str, list[Point]]:
    """Numbers below the axis are those of the first line alone."""
    ruler = {one.x: one.name for one in next(iter(lines.values()), [])}
    return {name: [replace(one, name=ruler.get(one.x, "")) for one in points] for name, points in lines.items()}


def _percent(name: str) -> Callable[[dict[str, Any]], float | None]:
    return lambda line: 100 * float(line[name]) if name in line else None


def _plain(name: str) -> Callable[[dict[str, Any]], float | None]:
    return lambda line: float(line[name]) if name in line else None
