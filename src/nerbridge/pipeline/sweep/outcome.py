"""What came out of a sweep so far: rows, averages, failures, and what to know when reading them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from nerbridge.pipeline.sweep.cell_warnings import cell_warnings
from nerbridge.pipeline.sweep.plan import Cell, SweepPlan
from nerbridge.pipeline.sweep.results import NUM_TRAIN, SPLITS, Average, Row, average_targets, best_rows, collect_rows
from nerbridge.pipeline.sweep.state import is_finished
from nerbridge.wording import counted

Metric = Literal["dev", "test"]


@dataclass(frozen=True)
class SweepResult:
    """metric: the split that rows are ranked by; failures: cells of this attempt and their errors."""

    plan: SweepPlan
    metric: Metric
    rows: tuple[Row, ...]
    averages: tuple[Average, ...]
    failures: tuple[tuple[Cell, str], ...]
    num_waiting: int
    notes: tuple[str, ...]

    @property
    def splits(self) -> list[str]:
        """The splits that some row has scores of."""
        return [split for split in SPLITS if any(split in row.f1 for row in self.rows)]

    def to_json(self) -> dict[str, Any]:
        """Everything, ready for `json.dumps`; scores are fractions."""
        plan, errors = self.plan, {str(cell): error for cell, error in self.failures}
        return {
            "recipe": str(plan.recipe),
            "folder": str(plan.folder),
            "vary": {variation.key: list(variation.texts) for variation in plan.variations},
            "set": list(plan.overrides),
            "seeds": list(plan.seeds),
            "metric": self.metric,
            "notes": list(self.notes),
            "rows": [row.to_json() for row in self.rows],
            "averages": [average.to_json() for average in self.averages],
            "cells": [_cell_json(cell, errors) for cell in plan.cells],
        }


def _cell_json(cell: Cell, errors: Mapping[str, str]) -> dict[str, Any]:
    error = errors.get(str(cell))
    state = "finished" if is_finished(cell) else "waiting" if error is None else "failed"
    return {
        "choices": dict(cell.choices),
        "seed": cell.seed,
        "folder": str(cell.folder),
        "state": state,
        **({} if error is None else {"error": error}),
    }


def gather(plan: SweepPlan, metric: Metric, failures: Sequence[tuple[Cell, str]] = ()) -> SweepResult:
    """The result as the sweep's folder has it now."""
    rows = collect_rows(plan)
    found = {split for row in rows for split in row.f1}
    other: Metric = "test" if metric == "dev" else "dev"
    ranked_by = metric if metric in found or not found else other
    failed = {str(cell) for cell, _ in failures}
    waiting = [cell for cell in plan.cells if str(cell) not in failed and not is_finished(cell)]
    notes = [*_ranking(metric, ranked_by, plan, rows), *_missing(plan, rows), *_short_of_sentences(rows)]
    notes += [line for cell in plan.cells if is_finished(cell) for line in cell_warnings(cell)]
    averages = average_targets(plan, rows)
    return SweepResult(plan, ranked_by, rows, averages, tuple(failures), len(waiting), tuple(notes))


def _ranking(asked: Metric, metric: Metric, plan: SweepPlan, rows: Sequence[Row]) -> list[str]:
    more = "; a labelled dev file of the target gives some (target.files.dev)" if asked == "dev" else ""
    notes = [f"there are no {asked} scores{more}"] if asked != metric else []
    whole = [row.f1[metric].mean for row in rows if metric in row.f1 and len(row.seeds) == len(plan.seeds)]
    if whole and not best_rows(rows, metric, len(plan.seeds)):
        reason = "several settings share the highest" if max(whole) else "all are 0.00"
        return [*notes, f"no {metric} F1 is marked as the best: {reason}"]
    if metric == "dev":
        return [*notes, "the best dev F1 is marked: choices are made on dev, the test F1 beside it is what to report"]
    return [*notes, "the best test F1 is marked: a setting that is chosen by it has no honest test score left"]


def _missing(plan: SweepPlan, rows: Sequence[Row]) -> list[str]:
    short = sum(len(row.seeds) < len(plan.seeds) for row in rows)
    absent = len(plan.settings) - len(rows)
    notes = [f"without all seeds, and never the best: {short} of {counted(len(rows), 'row')}"] if short else []
    absence = f"without a finished run yet: {absent} of {counted(len(plan.settings), 'setting')}"
    return [*notes, absence] if absent else notes


def _short_of_sentences(rows: Sequence[Row]) -> list[str]:
    asked = [(row, row.choices.get(NUM_TRAIN, "")) for row in rows]
    return [
        f"{row.name}: there are only {counted(row.num_train, 'training sentence')}"
        for row, number in asked
        if number.isdigit() and int(number) > row.num_train
    ]
