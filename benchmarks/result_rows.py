"""Runs of `crossner_bench.py` -> rows of results, which `results_page.py` gathers into docs/results.md.

    python benchmarks/result_rows.py RUNS --name crossner-mpnet --encoder mpnet [--rows a,b] [--note TEXT]

Writes benchmarks/results/rows-NAME.json. Every grid can write such a file, whatever its own page is:

    schema     1
    note       a sentence about these runs
    made_with  lines about machine, versions and data, as the runs' own folders tell
    data       target -> SHA-256 of its test sentences: rows on different sentences are never put into one table
    rows       row (its name), said (what it is called), recipe, encoder, tagger, transfer, source, raw_text (does it
               read some?), pre_trained (kind of pre-training of the encoder, empty without), scores (target -> f1 of
               every seed, interval), intervals (benchmark -> of the average over its targets), seconds (to train, mean
               over runs: all stages, and the pre-training of the encoder; none where it would mislead), device

Scores are fractions, micro F1 of exact spans on test, conlleval reading. Intervals hold 95 % of 2,000 resamplings of
sentences, mean over seeds, the same draws in every seed; those of an average resample inside every target.
"""

import argparse
import json
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from cell_lines import read_cells
from endings import faults_said
from grid_provenance import describe, record_of
from grid_results import Results, read_results
from kept_cells import opened
from label_aware_grid import Row
from option_types import seeds
from row_scores import result_row

from nerbridge.evaluation.files import write_text

SCHEMA = 1
RESULTS = Path(__file__).parent / "results"


def write_rows(
    path: Path, results: Results, rows: Sequence[Row], *, encoder: str, note: str = "", untimed: str = ""
) -> Path:
    """Writes the file of those `rows` that have a run.

    Rows of one recipe that are called the same and have no target in common are one row of the file. encoder: what the
    runs' encoder is called. untimed: names or patterns of rows, separated by ',', that get no seconds: those of a
    machine that had other work would mislead.
    """
    found = [one for several in _systems(results, rows) if (one := result_row(results, several, encoder)) is not None]
    busy = tuple(filter(None, untimed.split(",")))
    for one in found:
        if any(fnmatchcase(one["row"], pattern) for pattern in busy):
            one["seconds"] = None
    content = {
        "schema": SCHEMA,
        "note": note,
        "made_with": describe(results),
        "data": _fingerprints(results),
        "rows": found,
    }
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    return path


def add_untimed(parser: argparse.ArgumentParser) -> None:
    """The option that says which rows have no minutes."""
    parser.add_argument(
        "--untimed",
        nargs="?",
        const="*",
        default="",
        metavar="ROWS",
        help="no minutes of these rows (names or patterns, separated by ','; default: of all): other work beside them",
    )


def _systems(results: Results, rows: Sequence[Row]) -> list[list[Row]]:
    """Rows together that are one system with other settings for other targets: of one recipe and called the same."""
    systems: dict[tuple[str, str], list[list[Row]]] = {}
    targets = {row.name: {key[1] for key in results.lines if key[0] == row.name} for row in rows}
    found: list[list[Row]] = []
    for row in rows:
        alike = systems.setdefault((row.said or row.name, row.recipe), [])
        free = [several for several in alike if not any(targets[one.name] & targets[row.name] for one in several)]
        if free:
            free[0].append(row)
        else:
            alike.append([row])
            found.append(alike[-1])
    return found


def _fingerprints(results: Results) -> dict[str, str]:
    """SHA-256 of the test sentences of every target. Raises ValueError where two runs differ."""
    found: dict[str, str] = {}
    for key in sorted(results.used):
        data = record_of(results, key, "data")
        test = data["domains"][-1]["splits"].get("test") if data else None
        if test and found.setdefault(key[1], test["fingerprint"]) != test["fingerprint"]:
            raise ValueError(f"the runs of {key[1]} were scored on different test sentences")
    return found


def rows_of_lines(paths: Sequence[Path]) -> list[Row]:
    """The rows that good lines belong to, by name."""
    found: dict[str, Row] = {}
    for row, line in ((key[0], line) for key, line in read_cells(paths).lines):
        if "failed" not in line and "recipe" in line:
            found[row] = Row(row, line["recipe"])
    return sorted(found.values(), key=lambda row: row.name)


@faults_said()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", help="folders of crossner_bench.py, or kept cells")
    parser.add_argument("--name", required=True, help="of the file")
    parser.add_argument("--encoder", required=True, help="what the encoder of these runs is called")
    parser.add_argument("--rows", default="", help="names of rows, in order; default: all")
    parser.add_argument("--seeds", type=seeds, default=(1, 2, 3))
    parser.add_argument("--note", default="")
    parser.add_argument("--output", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    with opened(arguments.runs) as places:
        files = [folder / "cells.jsonl" for folder in places.folders]
        there = {row.name: row for row in rows_of_lines(files)}
        rows = [there[name] for name in arguments.rows.split(",")] if arguments.rows else list(there.values())
        results = read_results(files, places.folders, arguments.seeds, rows, places.notes)
        path = arguments.output / f"rows-{arguments.name}.json"
        print(write_rows(path, results, rows, encoder=arguments.encoder, note=arguments.note))


if __name__ == "__main__":
    main()
