"""Corpus levels x maskings: a pre-training each, at one fixed budget, then taggers on every encoder (CrossNER table 2).

    python benchmarks/dapt_bench.py RUNS prepare --domains ai --text-root TEXT --gazetteer-root LISTS --data-root ROOT
    python benchmarks/dapt_bench.py RUNS pretrain --domains ai --encoder FOLDER --devices 4
    python benchmarks/dapt_bench.py RUNS taggers --domains ai --encoder FOLDER --data-root ROOT --devices 4 --jobs 12

`prepare` builds RUNS/levels/DOMAIN/LEVEL from TEXT/DOMAIN/* and the names in LISTS/DOMAIN, without text of the domain's
dev and test sets; it needs no GPU, and RUNS/levels can be carried to another machine. `pretrain` makes the encoders
RUNS/encoders/DOMAIN-LEVEL-MASKING by `nerbridge pretrain`, by default with 1,000 steps of 64 x 256 pieces in bf16, one
process per GPU side by side; a line per finished one goes to stdout and to RUNS/encoders.jsonl. `taggers` hands them to
`crossner_bench.py`, a row per recipe, level and masking and one without pre-training, in RUNS/taggers; a row has an
encoder for each domain. Stopped or killed, every command goes on where it was; a finished encoder or tagger of other
settings is refused, unless --accept-other-settings is said. `dapt_tables.py` makes the tables.

Shares of the text (figure 2), drawn from its documents, smaller ones part of larger ones, each with a level of its own:

    ... prepare --share 1,25,50,75    ... pretrain --levels integrated --share 1,25,50,75,100    ... taggers (the same)

Another budget under another name, beside the fixed one, and taggers on it:

    ... pretrain --levels integrated --maskings span --name-suffix full --set max_steps=none --set epochs=15
    ... taggers --levels integrated --maskings span --name-suffix full --on integrated-span-full --experiments ablations

More taggers on the encoders of --on, and without pre-training: --experiments, and --rows 'NAME=RECIPE key=value;...'.
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

from crossner_cells import ROOT, dataset_of, gpus
from dapt_cells import LEVELS, MASKINGS, Cell, cells, damaged_encoders, encoder_lines, share_folder, tagger_texts
from dapt_grid import EXPERIMENTS
from encoder_differences import refuse_others
from endings import faults_said
from json_lines import append_lines, damage
from option_types import names, percents, positive, seeds

from nerbridge.data.registry.card import find_card

BUDGET = ("max_steps=1000", "epochs=100000", "batch_rows=64", "length=256", "precision=bf16")
RECIPES = "sequential-linear,sequential-label-aware"


def nerbridge(*words: object) -> list[str]:
    return [sys.executable, "-m", "nerbridge", *map(str, words)]


def pretraining_command(cell: Cell, arguments: argparse.Namespace) -> list[str]:
    settings = [*BUDGET, f"masking={cell.masking}", *arguments.set]
    sets = [part for setting in settings for part in ("--set", setting)]
    return nerbridge(
        "pretrain",
        f"{cell.domain}={cell.corpus(arguments.runs)}",
        *("--encoder", arguments.encoder, "--output", cell.encoder(arguments.runs)),
        *("--cache", arguments.runs / "cache", "--json"),
        *sets,
    )


def prepare(arguments: argparse.Namespace) -> int:
    """Build the domain level and choose the others from it, once for every share."""
    shares = sorted(arguments.share, reverse=True)
    for domain in arguments.domains:
        built = share_folder(arguments.runs, domain, 100) / "domain"
        texts = sorted((arguments.text_root / domain).glob("*.gz"))
        build = nerbridge("corpus", "build", *texts, "--output", built, "--guard", f"crossner/{domain}")
        subprocess.run([*build, "--data-root", str(arguments.data_root)], check=True)
        names = ("--gazetteer", arguments.gazetteer_root / domain, "--target", f"crossner/{domain}")
        for share in shares:
            folder = share_folder(arguments.runs, domain, share)
            wanted = [level for level in arguments.levels if share != 100 or level != "domain"]
            missing = [level for level in wanted if not (folder / level / "manifest.json").exists()]
            if missing:
                select = nerbridge("corpus", "select", built, "--output", folder, *names, "--share", share / 100)
                subprocess.run([*select, "--levels", ",".join(missing)], check=True)
    return 0


def pretrain(arguments: argparse.Namespace) -> int:
    """One pre-training per cell, each on the GPU that has been free longest."""
    arguments.runs.mkdir(parents=True, exist_ok=True)
    devices: Queue[int | None] = Queue()
    for number in arguments.devices or (None,):
        devices.put(number)
    asked = list(cells(arguments))
    if not arguments.accept_other_settings:
        refuse_others(asked, arguments.runs, arguments.encoder, [*BUDGET, *arguments.set])
    lock, started, written = Lock(), time.monotonic(), written_lines(arguments.runs)

    def attempt(cell: Cell) -> bool:
        if cell in written and cell.is_made(arguments.runs):
            return True
        if time.monotonic() - started > arguments.stop_after:
            return False
        device = devices.get()
        try:
            return run_cell(cell, device, arguments, lock)
        finally:
            devices.put(device)

    with ThreadPoolExecutor(max(len(arguments.devices), 1)) as pool:
        results = list(pool.map(attempt, asked))
    print(f"{sum(results)} of {len(results)} encoders are there", file=sys.stderr)
    return 0 if all(results) else 1


def written_lines(runs: Path) -> set[Cell]:
    """The cells that have a good line already; how many damaged lines there are is said."""
    path = runs / "encoders.jsonl"
    for text in damage(path, damaged_encoders([path])):
        print(text, file=sys.stderr)
    return {cell for cell, line in encoder_lines([path]) if "failed" not in line}


def run_cell(cell: Cell, device: int | None, arguments: argparse.Namespace, lock: Lock) -> bool:
    """Run one pre-training and write its line; did it succeed?"""
    log = arguments.runs / "encoders" / f"{cell.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    environment = {} if device is None else {"CUDA_VISIBLE_DEVICES": str(device)}
    environment |= {"OMP_NUM_THREADS": str(arguments.threads), "TOKENIZERS_PARALLELISM": "false"}
    started = time.monotonic()
    with log.open("a", encoding="utf-8") as errors:
        done = subprocess.run(
            pretraining_command(cell, arguments),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            errors="replace",
            check=False,
            env={**os.environ, **environment},
        )
    line: dict[str, Any] = {**cell._asdict(), "wall_seconds": round(time.monotonic() - started, 1)}
    line |= json.loads(done.stdout) if done.returncode == 0 else {"failed": done.returncode, "log": str(log)}
    with lock:
        append_lines(arguments.runs / "encoders.jsonl", [line])
        print(json.dumps(line), flush=True)
    return done.returncode == 0


def taggers(arguments: argparse.Namespace) -> int:
    """The rows of `crossner_bench.py`: without pre-training, and on every encoder that is finished."""
    command = [sys.executable, str(ROOT / "benchmarks" / "crossner_bench.py"), str(arguments.runs / "taggers")]
    command += ["--recipes", ";".join(tagger_texts(arguments)), "--encoder", str(arguments.encoder)]
    command += ["--seeds", ",".join(map(str, arguments.seeds))]
    command += ["--keep-models"] if arguments.keep_models else []
    command += ["--data-root", str(arguments.data_root), "--jobs", str(arguments.jobs), "--threads", "1"]
    command += [
        "--devices",
        ",".join(map(str, arguments.devices or (0,))) + ",",
        "--stop-after",
        str(arguments.stop_after),
    ]
    command += ["--accept-other-settings"] if arguments.accept_other_settings else []
    command += ["--set", "training.precision=bf16"] if arguments.devices else []
    return subprocess.run(command, check=False).returncode


@faults_said()
def main() -> int:
    shared = ROOT / ".." / "shared" / "data"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, help="folder of everything that is made")
    parser.add_argument("part", choices=("prepare", "pretrain", "taggers"))
    parser.add_argument("--domains", type=names(), default=("ai",))
    parser.add_argument("--levels", type=names(*LEVELS), default=LEVELS)
    parser.add_argument("--maskings", type=names(*MASKINGS), default=MASKINGS)
    parser.add_argument("--share", type=percents, default=(100,), help="percent of the text, such as 1,25,50,75,100")
    parser.add_argument("--name-suffix", default="", help="behind the names of encoders with another budget")
    parser.add_argument("--encoder", default="minilm", help="what goes on learning: minilm, or a folder")
    parser.add_argument("--set", action="append", default=[], help="setting of every pre-training, such as max_steps=4")
    parser.add_argument("--recipes", default=RECIPES, help="taggers on every encoder, NAME=RECIPE key=value or RECIPE")
    known = names(*EXPERIMENTS)
    parser.add_argument("--experiments", type=known, default=(), help=f"on those of --on: {', '.join(EXPERIMENTS)}")
    parser.add_argument("--rows", action="append", default=[], help="more of them: 'NAME=RECIPE key=value;...'")
    parser.add_argument("--on", default="integrated-span", help="encoders, without domain, of --experiments and --rows")
    parser.add_argument("--curves-of", default="ai", help="domain of the experiments sizes and widths")
    parser.add_argument("--pretrained-only", action="store_true", help="no taggers without pre-training")
    parser.add_argument("--seeds", type=seeds, default=(1, 2, 3), help="of the taggers")
    parser.add_argument("--devices", type=gpus, default=(0,), help="GPUs: 4, or 2,3 by number; 0: the CPU")
    parser.add_argument("--jobs", type=positive, default=1, help="taggers at the same time")
    parser.add_argument("--threads", type=positive, default=1, help="of every pre-training")
    parser.add_argument("--keep-models", action="store_true", help="of the taggers")
    parser.add_argument("--accept-other-settings", action="store_true", help="of finished encoders and taggers")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="start nothing after so many seconds")
    parser.add_argument("--text-root", type=Path, default=shared / "corpora")
    parser.add_argument("--gazetteer-root", type=Path, default=shared / "gazetteers")
    parser.add_argument("--data-root", type=Path, default=Path(os.environ.get("NERBRIDGE_DATA", shared / "ner")))
    arguments = parser.parse_args()
    for domain in arguments.domains:
        find_card(f"crossner/{domain}" if arguments.part == "prepare" else dataset_of(domain))
    return {"prepare": prepare, "pretrain": pretrain, "taggers": taggers}[arguments.part](arguments)


if __name__ == "__main__":
    sys.exit(main())
