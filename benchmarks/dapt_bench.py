"""Corpus levels x maskings: a pre-training each, at one fixed budget, then taggers on every encoder (CrossNER table 2).

    python benchmarks/dapt_bench.py RUNS prepare --domains ai --text-root TEXT --gazetteer-root LISTS --data-root ROOT
    python benchmarks/dapt_bench.py RUNS pretrain --domains ai --encoder FOLDER --devices 4
    python benchmarks/dapt_bench.py RUNS taggers --domains ai --encoder FOLDER --data-root ROOT --devices 4 --jobs 12

`prepare` builds RUNS/levels/DOMAIN/LEVEL from TEXT/DOMAIN/* and the names in LISTS/DOMAIN, without text of the domain's
dev and test sets; it needs no GPU, and RUNS/levels can be carried to another machine. `pretrain` makes the encoders
RUNS/encoders/DOMAIN-LEVEL-MASKING by `nerbridge pretrain`, by default with 1,000 steps of 64 x 256 pieces in bf16, one
process per GPU side by side; a line per finished one goes to stdout and to RUNS/encoders.jsonl. `taggers` hands them to
`crossner_bench.py`, one row per recipe, level and masking and one without pre-training, in RUNS/taggers.
Stopped or killed, every command goes on where it was.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from queue import Queue
from threading import Lock
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
LEVELS = ("domain", "entity", "task", "integrated")
BUDGET = ("max_steps=1000", "epochs=100000", "batch_rows=64", "length=256", "precision=bf16")
RECIPES = "sequential-linear,sequential-label-aware"


class Cell(NamedTuple):
    """One pre-training."""

    domain: str
    level: str
    masking: str

    @property
    def name(self) -> str:
        return "-".join(self)

    def corpus(self, runs: Path) -> Path:
        return runs / "levels" / self.domain / self.level

    def encoder(self, runs: Path) -> Path:
        return runs / "encoders" / self.name

    def command(self, arguments: argparse.Namespace) -> list[str]:
        settings = [*BUDGET, f"masking={self.masking}", *arguments.set]
        sets = [part for setting in settings for part in ("--set", setting)]
        return nerbridge(
            "pretrain",
            f"{self.domain}={self.corpus(arguments.runs)}",
            *("--encoder", arguments.encoder, "--output", self.encoder(arguments.runs)),
            *("--cache", arguments.runs / "cache", "--json"),
            *sets,
        )


def nerbridge(*words: object) -> list[str]:
    return [sys.executable, "-m", "nerbridge", *map(str, words)]


def cells(arguments: argparse.Namespace) -> Iterator[Cell]:
    """The most telling ones first: a bench that is stopped early has them."""
    levels = sorted(arguments.levels.split(","), key=lambda level: -LEVELS.index(level))
    maskings = sorted(arguments.maskings.split(","))  # span, token
    return (Cell(*one) for one in product(arguments.domains.split(","), levels, maskings))


def prepare(arguments: argparse.Namespace) -> int:
    """Build the domain level and choose the others from it."""
    for domain in arguments.domains.split(","):
        folder = arguments.runs / "levels" / domain
        texts = sorted((arguments.text_root / domain).glob("*.gz"))
        build = nerbridge("corpus", "build", *texts, "--output", folder / "domain", "--guard", f"crossner/{domain}")
        subprocess.run([*build, "--data-root", str(arguments.data_root)], check=True)
        names = ("--gazetteer", arguments.gazetteer_root / domain, "--target", f"crossner/{domain}")
        others = [level for level in LEVELS[1:] if not (folder / level / "manifest.json").exists()]
        if others:
            select = nerbridge("corpus", "select", folder / "domain", "--output", folder, *names)
            subprocess.run([*select, "--levels", ",".join(others)], check=True)
    return 0


def pretrain(arguments: argparse.Namespace) -> int:
    """One pre-training per cell, each on the GPU that has been free longest."""
    arguments.runs.mkdir(parents=True, exist_ok=True)
    devices: Queue[int] = Queue()
    for number in range(max(arguments.devices, 1)):
        devices.put(number)
    lock, started = Lock(), time.monotonic()

    def attempt(cell: Cell) -> bool:
        if time.monotonic() - started > arguments.stop_after:
            return False
        device = devices.get()
        try:
            return run_cell(cell, device, arguments, lock)
        finally:
            devices.put(device)

    with ThreadPoolExecutor(max(arguments.devices, 1)) as pool:
        results = list(pool.map(attempt, cells(arguments)))
    print(f"{sum(results)} of {len(results)} encoders are there", file=sys.stderr)
    return 0 if all(results) else 1


def run_cell(cell: Cell, device: int, arguments: argparse.Namespace, lock: Lock) -> bool:
    """Run one pre-training and write its line; did it succeed?"""
    log = arguments.runs / "encoders" / f"{cell.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    environment = {"CUDA_VISIBLE_DEVICES": str(device)} if arguments.devices else {}
    environment |= {"OMP_NUM_THREADS": str(arguments.threads), "TOKENIZERS_PARALLELISM": "false"}
    started = time.monotonic()
    with log.open("a", encoding="utf-8") as errors:
        done = subprocess.run(
            cell.command(arguments),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            check=False,
            env={**os.environ, **environment},
        )
    line: dict[str, Any] = {**cell._asdict(), "wall_seconds": round(time.monotonic() - started, 1)}
    line |= json.loads(done.stdout) if done.returncode == 0 else {"failed": done.returncode, "log": str(log)}
    with lock, (arguments.runs / "encoders.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)
    return done.returncode == 0


def taggers(arguments: argparse.Namespace) -> int:
    """The rows of `crossner_bench.py`: without pre-training, and on every encoder that is finished."""
    made = [cell for cell in cells(arguments) if (cell.encoder(arguments.runs) / "pretraining.json").exists()]
    rows = [f"none-{recipe}={recipe}@{arguments.domains}" for recipe in arguments.recipes.split(",")]
    for recipe, cell in product(arguments.recipes.split(","), made):
        name = f"{cell.name}-{recipe}"  # the domain is part of it: every row has an encoder of its own
        rows.append(f"{name}={recipe}@{cell.domain} encoder.checkpoint={cell.encoder(arguments.runs).resolve()}")
    command = [sys.executable, str(ROOT / "benchmarks" / "crossner_bench.py"), str(arguments.runs / "taggers")]
    command += ["--recipes", ";".join(rows), "--encoder", str(arguments.encoder), "--seeds", arguments.seeds]
    command += ["--data-root", str(arguments.data_root), "--jobs", str(arguments.jobs), "--threads", "1"]
    command += ["--devices", str(max(arguments.devices, 1)), "--stop-after", str(arguments.stop_after)]
    command += ["--set", "training.precision=bf16"] if arguments.devices else []
    return subprocess.run(command, check=False).returncode


def main() -> int:
    shared = ROOT / ".." / "shared" / "data"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, help="folder of everything that is made")
    parser.add_argument("part", choices=("prepare", "pretrain", "taggers"))
    parser.add_argument("--domains", default="ai")
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--maskings", default="token,span")
    parser.add_argument("--encoder", default="minilm", help="what goes on learning: minilm, or a folder")
    parser.add_argument("--set", action="append", default=[], help="setting of every pre-training, such as max_steps=4")
    parser.add_argument("--recipes", default=RECIPES, help="of the taggers")
    parser.add_argument("--seeds", default="1,2,3", help="of the taggers")
    parser.add_argument("--devices", type=int, default=1, help="GPUs; 0: the CPU")
    parser.add_argument("--jobs", type=int, default=1, help="taggers at the same time")
    parser.add_argument("--threads", type=int, default=1, help="of every pre-training")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="start nothing after so many seconds")
    parser.add_argument("--text-root", type=Path, default=shared / "corpora")
    parser.add_argument("--gazetteer-root", type=Path, default=shared / "gazetteers")
    parser.add_argument("--data-root", type=Path, default=Path(os.environ.get("NERBRIDGE_DATA", shared / "ner")))
    arguments = parser.parse_args()
    return {"prepare": prepare, "pretrain": pretrain, "taggers": taggers}[arguments.part](arguments)


if __name__ == "__main__":
    sys.exit(main())
