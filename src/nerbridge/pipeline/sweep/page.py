"""The page of a sweep: its table, bars, averages and notes as one HTML file, from nothing but sweep.json."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nerbridge.errors import BundleError, ConfigError
from nerbridge.evaluation.charts import Bar, draw_bars
from nerbridge.evaluation.files import write_text
from nerbridge.evaluation.pages import page
from nerbridge.evaluation.run_folder import SWEEP
from nerbridge.evaluation.uncertainty import Interval
from nerbridge.pipeline.files import read_json
from nerbridge.pipeline.sweep.best import best_of_each
from nerbridge.pipeline.sweep.naming import short_keys, shown_value
from nerbridge.pipeline.sweep.results import SPLITS, TARGET

PAGE = "report.html"
_MAX_BARS = 60

Rows = Sequence[Mapping[str, Any]]


def write_sweep_page(folder: Path, *, metric: str | None = None) -> Path:
    """Writes `folder`/report.html from its sweep.json and returns its path.

    metric: "dev" or "test", which the bars show and the best is marked by; by default what the sweep was ranked by.
    Raises BundleError when sweep.json is damaged, ConfigError when no row has scores of `metric`.
    """
    content = read_json(folder / SWEEP)
    try:
        facts = _describe(content, metric or content["metric"])
    except (AttributeError, LookupError, TypeError, ValueError) as fault:
        raise BundleError(
            f"'{SWEEP}' is of another form ({type(fault).__name__}: {fault})",
            where=str(folder / SWEEP),
            expected="the file as the sweep wrote it",
            hint="run the command of the sweep again: what is finished is not trained again",
        ) from fault
    if facts["rows"] and facts["metric"] not in facts["splits"]:
        raise ConfigError(
            f"the sweep in '{folder}' has no {facts['metric']} scores",
            where="--split",
            expected=f"one of {', '.join(facts['splits'])}",
            hint="choose another --split",
        )
    path = folder / PAGE
    write_text(path, page("sweep.html").render(title=folder.resolve().name, **facts))
    return path


def _describe(content: Mapping[str, Any], metric: str) -> dict[str, Any]:
    rows, cells = content["rows"], content["cells"]
    keys = list(content["vary"])
    best = _best(rows, metric, len(content["seeds"]))
    ranked = [row for row in rows if metric in row][:_MAX_BARS]
    return {
        "sweep": content,
        "metric": metric,
        "keys": short_keys(keys),
        "splits": [split for split in SPLITS if any(split in row for row in rows)],
        "rows": rows,
        "best": [row["name"] for row in best],
        "bars": draw_bars([_bar(row, metric) for row in ranked]) if ranked else "",
        "num_bars": len(ranked),
        "links": {row["name"]: _links(row) for row in rows},
        "targets": list(content["averages"][0][metric]["targets"]) if content["averages"] else [],
        "average_keys": [key for key in keys if key != TARGET],
        "failed": [cell for cell in cells if cell["state"] == "failed"],
        "num_waiting": sum(cell["state"] == "waiting" for cell in cells),
        "shown_value": shown_value,
    }


def _best(rows: Rows, metric: str, num_seeds: int) -> Rows:
    """The row with the highest mean for each target, among those that have all seeds; none where that is not clear."""
    scored: dict[str | None, list[tuple[Mapping[str, Any], float]]] = {}
    for row in rows:
        target = row["choices"].get(TARGET)
        if metric in row and len(row["seeds"]) == num_seeds:
            scored.setdefault(target, []).append((row, row[metric]["f1"]["mean"]))
    return best_of_each(scored)


def _bar(row: Mapping[str, Any], metric: str) -> Bar:
    name = ", ".join(shown_value(text) for text in row["choices"].values())
    f1, interval = row[metric]["f1"], row[metric]["interval"]
    deviation = "" if f1["deviation"] is None else f" ± {100 * f1['deviation']:.2f}"
    return Bar(name, f1["mean"], Interval(interval["low"], interval["high"]), f"{100 * f1['mean']:.2f}{deviation}")


def _links(row: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Seed and the address of its run's report, from the sweep's folder."""
    return [(seed, f"{quote(row['name'])}/seed-{seed}/report.html") for seed in row["seeds"]]
