"""Recipes x target domains x seeds, through the installed command, several at a time.

    python benchmarks/crossner_bench.py RUNS --recipes sequential-linear,direct-linear --encoder FOLDER --data-root ROOT
    python benchmarks/crossner_bench.py RUNS --recipes "crf=sequential-crf;movie=mit/sequential-crf@mit_movie" ...

Every cell is one `nerbridge train` in RUNS/<row>/<domain>/seed-<n>; `crossner_cells.py` says how rows are written. All
cells are checked before the first one starts. One JSON line per finished cell goes to stdout and to RUNS/cells.jsonl.
Stopped or killed, the same command goes on where it was. Cells share source stages (one trains it, others do other work
meanwhile). A finished cell of another recipe, other settings or another encoder is refused, unless
--accept-other-settings is said. `crossner_table.py` and `label_aware_tables.py` make the tables.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from threading import Lock
from typing import Any

from cell_differences import refuse_others
from cell_lines import Key, read_cells
from crossner_cells import DOMAINS, ROOT, Cell, cells
from crossner_order import SeedBySeed
from endings import faults_said
from json_lines import append_lines, damage
from option_types import names, positive, seeds, some_gpus

from nerbridge.data.registry.card import find_card


def run_cell(cell: Cell, runs: Path, arguments: argparse.Namespace, lock: Lock, devices: "Queue[int]") -> bool:
    """Run one cell on the device that has been free longest, write its line; did it succeed?"""
    started = time.monotonic()
    device = devices.get()
    environment = {} if arguments.devices == (0,) else {"CUDA_VISIBLE_DEVICES": str(device)}
    done = subprocess.run(
        cell.command(runs, arguments.data_root),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env={**os.environ, **environment, "OMP_NUM_THREADS": str(arguments.threads), "TOKENIZERS_PARALLELISM": "false"},
    )
    devices.put(device)
    line: dict[str, Any] = {"row": cell.name, "recipe": cell.recipe, "domain": cell.domain, "seed": cell.seed}
    line |= {"settings": cell.settings, "encoder": cell.encoder, "seconds": round(time.monotonic() - started, 1)}
    if done.returncode == 0:
        result = json.loads(done.stdout)
        line |= {"stages": result["stages"]}
        line |= {
            split: {
                "f1": s["f1"],
                "interval": s["interval"],
                "strict_f1": s["strict"]["f1"],
                "macro_f1": s["conlleval"]["macro"]["f1"],
            }
            for split, s in result["scores"].items()
        }
        if not arguments.keep_models:
            (cell.folder(runs) / "model" / "model.safetensors").unlink(missing_ok=True)
    else:
        line |= {"failed": done.returncode, "stderr": done.stderr[-2000:]}
    with lock:
        append_lines(runs / "cells.jsonl", [line])
        print(json.dumps(line), flush=True)
    return done.returncode == 0


def finished(runs: Path) -> dict[Key, dict[str, Any]]:
    """The good lines that cells have already; how many damaged lines there are is said."""
    path = runs / "cells.jsonl"
    found = read_cells([path])
    for text in damage(path, found.damaged):
        print(text, file=sys.stderr)
    return found.finished


def missing(arguments: argparse.Namespace) -> list[Cell]:
    """The cells that are asked for and have no good line.

    Raises DataError where a target is no data set, ConfigError where a line is of other settings.
    """
    done, asked = finished(arguments.runs), list(cells(arguments))
    for cell in asked:
        if cell.experiment.target.dataset is not None:  # files of one's own otherwise
            find_card(cell.dataset)
    if not arguments.accept_other_settings:
        refuse_others(asked, done, str(arguments.runs / "cells.jsonl"))
    return [cell for cell in asked if cell.key not in done]


@faults_said()
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, help="folder of all runs")
    parser.add_argument(
        "--recipes",
        default="sequential-linear",
        help="rows separated by ',' or (with settings or targets) by ';': NAME=RECIPE@TARGET,TARGET key=value",
    )
    parser.add_argument("--domains", type=names(), default=DOMAINS, help="targets of rows that name none")
    parser.add_argument("--seeds", type=seeds, default=(1, 2, 3))
    parser.add_argument("--encoder", default="", help="checkpoint of every row; default: the encoder of each recipe")
    parser.add_argument("--data-root", default=os.environ.get("NERBRIDGE_DATA", str(ROOT / ".." / "shared/data/ner")))
    parser.add_argument("--set", action="append", default=[], help="override for every cell")
    parser.add_argument("--jobs", type=positive, default=1)
    parser.add_argument("--devices", type=some_gpus, default=(0,), help="GPUs that share the jobs: 4, or 2,3 by number")
    parser.add_argument("--threads", type=positive, default=1)
    parser.add_argument("--keep-models", action="store_true")
    parser.add_argument("--accept-other-settings", action="store_true", help="of finished cells")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="start no cell after so many seconds")
    arguments = parser.parse_args()
    arguments.runs.mkdir(parents=True, exist_ok=True)
    lock, started = Lock(), time.monotonic()

    devices: Queue[int] = Queue()
    for number in range(arguments.jobs):
        devices.put(arguments.devices[number % len(arguments.devices)])
    waiting = missing(arguments)
    schedule = SeedBySeed(waiting)

    def attempt(_: int) -> bool:
        if time.monotonic() - started > arguments.stop_after:
            return False
        cell = schedule.take()
        try:
            return run_cell(cell, arguments.runs, arguments, lock, devices)
        finally:
            schedule.finish(cell)

    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(attempt, range(len(waiting))))
    print(f"{sum(results)} of {len(waiting)} cells finished", file=sys.stderr)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
