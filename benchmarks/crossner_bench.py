"""CrossNER recipes x target domains x seeds, through the installed command, several at a time.

    python benchmarks/crossner_bench.py RUNS --recipes sequential-linear,direct-linear --encoder FOLDER --data-root ROOT

Every cell is one `nerbridge train` in RUNS/<recipe>/<domain>/seed-<n>. One JSON line per finished cell goes to stdout
and to RUNS/cells.jsonl. Stopped or killed, the same command goes on where it was. `crossner_table.py` makes
the tables.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from queue import Queue
from threading import Lock
from typing import Any

ROOT = Path(__file__).parents[1]
DOMAINS = ("politics", "science", "music", "literature", "ai")


@dataclass(frozen=True)
class Cell:
    """One run. name: of its row in the tables; recipe: file under recipes/crossner; settings: overrides."""

    name: str
    recipe: str
    domain: str
    seed: int
    settings: tuple[str, ...]

    def folder(self, runs: Path) -> Path:
        return runs / self.name / self.domain / f"seed-{self.seed}"

    def command(self, runs: Path, arguments: argparse.Namespace) -> list[str]:
        overrides = [
            f"target.dataset=crossner/{self.domain}",
            f"encoder.checkpoint={arguments.encoder}",
            f"seed={self.seed}",
            *self.settings,
        ]
        recipe = ROOT / "recipes" / "crossner" / f"{self.recipe}.toml"
        places = [
            "--output",
            str(self.folder(runs)),
            "--data-root",
            arguments.data_root,
            "--cache",
            str(runs / "cache"),
        ]
        sets = [part for override in overrides for part in ("--set", override)]
        return [sys.executable, "-m", "nerbridge", "train", str(recipe), *sets, *places, "--json"]


def cells(arguments: argparse.Namespace) -> Iterator[Cell]:
    """All cells; those that begin a source stage come first, so that the others find it in the cache."""
    domains = arguments.domains.split(",")
    seeds = [int(seed) for seed in arguments.seeds.split(",")]
    rows = [parse_row(text) for text in arguments.recipes.split(";" if ";" in arguments.recipes else ",")]
    first, *others = domains
    order = [(first, seed) for seed in seeds] + [(domain, seed) for seed in seeds for domain in others]
    for (domain, seed), (name, recipe, settings) in product(order, rows):
        yield Cell(name, recipe, domain, seed, (*arguments.set, *settings))


def parse_row(text: str) -> tuple[str, str, tuple[str, ...]]:
    """'NAME=RECIPE key=value key=value' or 'RECIPE key=value': one row of the table."""
    first, *settings = text.split()
    name, _, recipe = first.rpartition("=")
    label = name or "-".join([recipe, *(setting.rpartition(".")[2].replace("=", "") for setting in settings)])
    return label, recipe, tuple(settings)


def run_cell(cell: Cell, runs: Path, arguments: argparse.Namespace, lock: Lock, devices: "Queue[int]") -> bool:
    """Run one cell on the device that has been free longest, write its line; did it succeed?"""
    started = time.monotonic()
    device = devices.get()
    environment = {"CUDA_VISIBLE_DEVICES": str(device)} if arguments.devices > 1 else {}
    done = subprocess.run(
        cell.command(runs, arguments),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment, "OMP_NUM_THREADS": str(arguments.threads), "TOKENIZERS_PARALLELISM": "false"},
    )
    devices.put(device)
    line: dict[str, Any] = {"row": cell.name, "recipe": cell.recipe, "domain": cell.domain, "seed": cell.seed}
    line |= {"settings": cell.settings, "seconds": round(time.monotonic() - started, 1)}
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
    with lock, (runs / "cells.jsonl").open("a", encoding="utf-8") as file:
        text = json.dumps(line)
        file.write(text + "\n")
        print(text, flush=True)
    return done.returncode == 0


def finished(runs: Path) -> set[tuple[str, str, int]]:
    """The cells that have a good line already."""
    path = runs / "cells.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return {(line["row"], line["domain"], line["seed"]) for line in lines if "failed" not in line}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, help="folder of all runs")
    parser.add_argument(
        "--recipes", default="sequential-linear", help="rows separated by ',' or (with settings) by ';'"
    )
    parser.add_argument("--domains", default=",".join(DOMAINS))
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--data-root", default=os.environ.get("NERBRIDGE_DATA", str(ROOT / ".." / "shared/data/ner")))
    parser.add_argument("--set", action="append", default=[], help="override for every cell")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--devices", type=int, default=1, help="GPUs to spread the jobs over")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--keep-models", action="store_true")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="start no cell after so many seconds")
    arguments = parser.parse_args()
    arguments.runs.mkdir(parents=True, exist_ok=True)
    lock, started, done = Lock(), time.monotonic(), finished(arguments.runs)

    devices: Queue[int] = Queue()
    for number in range(arguments.jobs):
        devices.put(number % arguments.devices)

    def attempt(cell: Cell) -> bool:
        late = time.monotonic() - started > arguments.stop_after
        return not late and run_cell(cell, arguments.runs, arguments, lock, devices)

    waiting = [cell for cell in cells(arguments) if (cell.name, cell.domain, cell.seed) not in done]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(attempt, waiting))
    print(f"{sum(results)} of {len(waiting)} cells finished", file=sys.stderr)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
