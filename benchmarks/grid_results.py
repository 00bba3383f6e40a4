"""The lines of `crossner_bench.py` and the run folders behind them: scores, averages, and what is missing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from cell_lines import Key, read_cells
from kept_later import counts_of, is_there
from label_aware_grid import Row

from nerbridge.errors import DataError
from nerbridge.evaluation.predictions import Prediction, read_predictions
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.evaluation.uncertainty import Counts, Spread, count_sentences, f1_of, spread

ROUNDING = 1e-9


@dataclass
class Results:
    """Good lines by row, domain and seed. folders: of the runs. notes: what was left out of the lines, counted.

    called: row -> the name that its folders have, where it is another.
    """

    lines: dict[Key, dict[str, Any]]
    folders: tuple[Path, ...]
    seeds: tuple[int, ...]
    notes: list[str]
    used: set[Key] = field(default_factory=set)
    called: dict[str, str] = field(default_factory=dict)

    def f1(self, row: Row, domain: str, seed: int, split: str) -> float | None:
        """A fraction; none where the cell or the split is missing."""
        line = self.lines.get((row.name, domain, seed))
        if line is None or split not in line:
            return None
        self.used.add((row.name, domain, seed))
        return float(line[split]["f1"])

    def average(self, row: Row, split: str, domains: Sequence[str] | None = None) -> Spread | None:
        """The mean over `domains` (default: the row's), seed by seed; seeds that lack a domain are no part of it."""
        wanted = row.domains if domains is None else domains
        found = [[self.f1(row, domain, seed, split) for domain in wanted] for seed in self.seeds]
        whole = [fmean(values) for one in found if len(values := [v for v in one if v is not None]) == len(wanted)]
        return spread(whole) if whole else None

    def cells(self, rows: Row | Sequence[Row], domains: Sequence[str] | None = None) -> str:
        """'13 of 15': how many of the cells of a row, or of several, are there."""
        asked = [rows] if isinstance(rows, Row) else rows
        wanted = {(row.name, domain, seed) for row in asked for domain in domains or row.domains for seed in self.seeds}
        return f"{sum(key in self.lines for key in wanted)} of {len(wanted)}"

    def begun(self, rows: Sequence[Row]) -> bool:
        """Is any cell of any of these rows there?"""
        names = {row.name for row in rows}
        return any(key[0] in names for key in self.lines)

    def run_folder(self, key: Key) -> Path | None:
        """The run's folder, where one of `folders` has it."""
        row, domain, seed = key
        places = [folder / self.called.get(row, row) / domain / f"seed-{seed}" for folder in self.folders]
        return next((place for place in places if place.is_dir()), None)

    def predictions(self, key: Key, split: str) -> list[Prediction] | None:
        """Those of a cell that has a line; none where the file is not there."""
        folder = self.run_folder(key) if key in self.lines else None
        path = None if folder is None else predictions_path(folder, split)
        return read_predictions(path) if path is not None and is_there(path) else None

    def counts(self, key: Key, split: str) -> Counts | None:
        """Per sentence gold, predicted, correct. Raises ValueError where they add up to another F1 than the line's."""
        folder = self.run_folder(key) if key in self.lines else None
        path = None if folder is None else predictions_path(folder, split)
        counts = None if path is None else _counts(path)
        if counts is None:
            return None
        ours, said = float(f1_of(counts.sum(axis=0))), float(self.lines[key][split]["f1"])
        if abs(ours - said) > ROUNDING:
            raise ValueError(f"{path} has F1 {ours:.6f}, but the line of {key} says {said:.6f}: not the same run")
        return counts


def joined(first: Results, second: Results, called: Mapping[str, str]) -> Results:
    """All of `first`, and of `second` the rows that `called` names: name here -> name there; what `first` has stays."""
    lines = {
        (here, domain, seed): line
        for here, there in called.items()
        for (row, domain, seed), line in second.lines.items()
        if row == there
    }
    taken = {here: there for here, there in called.items() if not any(key[0] == here for key in first.lines)}
    kept = {key: line for key, line in lines.items() if key[0] in taken}
    folders, notes = (*first.folders, *second.folders), [*first.notes, *second.notes]
    return Results({**first.lines, **kept}, folders, first.seeds, notes, called={**first.called, **taken})


@cache
def _counts(path: Path) -> Counts | None:
    """None where there are no predictions."""
    if (known := counts_of(path)) is not None:
        return known
    return count_sentences(read_predictions(path)) if is_there(path) else None


def read_results(
    paths: Sequence[Path],
    folders: Sequence[Path],
    seeds: Sequence[int],
    rows: Sequence[Row],
    notes: Sequence[str] = (),
) -> Results:
    """The lines of the cells that `rows` ask for. notes: what is said already. Raises DataError without a file.

    Of several good lines of a cell the last one counts. Cells that failed, and lines that are damaged or whose recipe
    or settings are not those of the row, are left out and counted.
    """
    wanted = {row.name: row for row in rows}
    for path in paths:
        if not path.exists():
            raise DataError("there is no such file of cells", where=str(path), hint="`crossner_bench.py` writes it")
    found = read_cells(paths)
    left_out = Counter({"damaged": found.damaged})
    lines: dict[Key, dict[str, Any]] = {}
    failed: set[Key] = set()
    for key, line in found.lines:
        if "failed" in line:
            failed.add(key)
        elif key[0] in wanted and _asked_for(line, wanted[key[0]]):
            left_out["an earlier line of a cell that has another score"] += _differs(lines.get(key), line)
            lines[key] = line
        elif key[0] in wanted:
            left_out[f"not the recipe and settings of row {key[0]}"] += 1
    left_out["failed"] = sum(key not in lines and key[0] in wanted for key in failed)
    said = [f"lines left out, {fault}: {number}" for fault, number in sorted(left_out.items()) if number]
    return Results(lines, tuple(folders), tuple(seeds), [*notes, *said])


def _asked_for(line: dict[str, Any], row: Row) -> bool:
    """Has the line the row's recipe, and its settings behind those of the whole grid?"""
    own = list(row.settings)
    return line.get("recipe") == row.recipe and (not own or line.get("settings", [])[-len(own) :] == own)


def _differs(before: dict[str, Any] | None, line: dict[str, Any]) -> bool:
    return before is not None and before.get("test") != line.get("test")
