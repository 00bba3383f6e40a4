"""One row of results over all targets that it has runs of: scores, intervals, time and device."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np
from cell_lines import Key
from crossner_cells import DOMAINS
from grid_provenance import record_of
from grid_results import Results
from label_aware_grid import Row
from row_makeup import made_of
from row_pretraining import seconds_of_pretraining

from nerbridge.evaluation.uncertainty import Floats, f1_of, percentiles, resample

ROUNDS = 2000
BENCHMARKS = {  # targets that are averaged
    "crossner": DOMAINS,
    "mit": ("mit_movie", "mit_restaurant"),
    "bionlp": ("bionlp13pc", "bionlp13cg"),
    "twitter": ("broad_twitter", "twitter2017"),
    "scitech": ("cbs_scitech",),
}


def result_row(results: Results, rows: Row | Sequence[Row], encoder: str) -> dict[str, Any] | None:
    """One row, as `result_rows.py` describes it; none without a run.

    rows: several are one system with settings of its own for each target, and bear the first one's name. encoder: what
    the runs' encoder is called.
    """
    several = {row.name: row for row in ([rows] if isinstance(rows, Row) else rows)}
    keys = sorted(key for key in results.lines if key[0] in several and key[2] in results.seeds)
    if not keys:
        return None
    row = next(row for name, row in several.items() if any(key[0] == name for key in keys))
    scores, intervals = _scores(results, several, keys)
    return {
        "row": row.name,
        "said": row.said or row.name,
        "recipe": row.recipe,
        **made_of(results, next(key for key in keys if key[0] == row.name), row, encoder),
        "scores": scores,
        "intervals": intervals,
        "seconds": round(fmean(_seconds(results, key) for key in keys), 1),
        "device": _device(results, keys),
    }


def _scores(
    results: Results, rows: Mapping[str, Row], keys: Sequence[Key]
) -> tuple[dict[str, Any], dict[str, list[float]]]:
    """Those of each target, and the intervals of the averages of which every target has its predictions."""
    scores: dict[str, Any] = {}
    draws: dict[str, Floats] = {}
    for number, target in enumerate(_ordered({domain for _, domain, _ in keys})):
        seeds = [key for key in keys if key[1] == target]
        scores[target] = {"f1": {str(key[2]): results.f1(rows[key[0]], target, key[2], "test") for key in seeds}}
        if (drawn := _drawn(results, seeds, number)) is not None:
            draws[target] = drawn
            scores[target]["interval"] = _interval(drawn)
    intervals = {
        name: _interval(np.mean([draws[target] for target in several], axis=0))
        for name, several in BENCHMARKS.items()
        if all(target in draws for target in several)
    }
    return scores, intervals


def _ordered(domains: set[str]) -> list[str]:
    """As `BENCHMARKS` has them, others behind."""
    targets = [target for several in BENCHMARKS.values() for target in several]
    return sorted(domains, key=lambda one: (targets.index(one) if one in targets else 99, one))


def _drawn(results: Results, keys: Sequence[Key], seed: int) -> Floats | None:
    """F1 of every resampling, mean over seeds; none where the predictions of one are not there.

    seed: of the draws, another one for each target, or those of targets of one size would go up and down together.
    """
    counts = [one for key in keys if (one := results.counts(key, "test")) is not None]
    if len(counts) < len(keys):
        return None
    drawn: Floats = np.mean([f1_of(resample(one, rounds=ROUNDS, seed=seed)) for one in counts], axis=0)
    return drawn


def _interval(drawn: Floats) -> list[float]:
    found = percentiles(drawn, 0.95)
    return [round(found.low, 6), round(found.high, 6)]


def _seconds(results: Results, key: Key) -> float:
    """Of all stages, and of the pre-training whose encoder they start from."""
    stages = sum(float(stage["seconds"]) for stage in results.lines[key]["stages"].values())
    return stages + seconds_of_pretraining(results, key)


def _device(results: Results, keys: Sequence[Key]) -> str:
    """Where the runs were made; several devices are all named."""
    found = dict.fromkeys(
        str(one["device"]) for key in keys if (one := record_of(results, key, "environment")) is not None
    )
    return ", ".join(found)
