"""Kill training processes at random and at chosen moments; every run must end like one that nobody disturbed.

    python benchmarks/resume_bench.py [--kills 24]

A tiny encoder, sequential transfer over two source stages and a target, on the CPU with one thread. Each run is killed
several times and then left to finish with the same command; its weights and scores are compared with an undisturbed
run's, byte by byte. The table goes to stdout, and with all kills to results/resume.json and results/resume.md.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import resume_kills
import torch
from measuring import RESULTS, ROOT, machine, table
from resume_kills import Kill, Place

sys.path.insert(0, str(ROOT / "tests"))

from tiny_project import MUSIC, NEWS, draw, write_columns, write_project, write_recipe_file

PROGRAM = Path(sys.executable).with_name("nerbridge")
KILLING = ROOT / "tests" / "flows" / "killing.py"
COMPARED = ("model/model.safetensors", "scores.json", "predictions/dev.jsonl", "predictions/test.jsonl")
TRAINING = {
    "learning_rate": 1e-3,
    "batch_sentences": 8,
    "checkpoint_seconds": 0.1,
    "source": {"epochs": 6},
    "target": {"epochs": 8, "evaluate_every": 0.5, "patience": 16},
}
KILLS_PER_RUN = 3
OF_SOURCES = ("source stage", "between stages")  # moments that are over once both source stages are finished


@dataclass
class Run:
    """One run: its kills, and whether it ended like the undisturbed one."""

    name: str
    kills: list[Kill] = field(default_factory=list)
    equal: bool = False


def make_project(folder: Path) -> None:
    """Files large enough that a run spends seconds in each stage."""
    write_project(folder)
    write_columns(folder / "news.txt", draw(500, NEWS, seed=1))
    write_columns(folder / "bands.txt", draw(400, MUSIC, seed=2))
    write_columns(folder / "train.txt", draw(300, MUSIC, seed=3))
    write_columns(folder / "dev.txt", draw(300, MUSIC, seed=4))
    write_recipe_file(folder, training=TRAINING)


def arguments(name: str) -> list[str]:
    return ["train", "recipe.toml", "--output", name, "--cache", f"{name}-cache"]


def finish(folder: Path, name: str) -> tuple[dict[str, str], float]:
    """Run to the end; SHA-256 of what is compared, and seconds."""
    start = time.monotonic()
    subprocess.run([PROGRAM, *arguments(name)], cwd=folder, capture_output=True, check=True)
    digests = {file: hashlib.sha256((folder / name / file).read_bytes()).hexdigest() for file in COMPARED}
    return digests, time.monotonic() - start


def killers(folder: Path, name: str, seconds: float, chance: random.Random) -> dict[str, Callable[[], Kill]]:
    """Every way to kill the run `name`, which would take `seconds` undisturbed."""
    plain = [str(PROGRAM), *arguments(name)]
    place = Place(folder / name, folder / f"{name}-cache")

    def exactly(moment: str) -> Kill:
        count = str(chance.randint(1, 3))
        return resume_kills.exactly([sys.executable, str(KILLING), moment, count, *arguments(name)], folder, moment)

    return {
        "source stage": partial(resume_kills.in_a_stage, plain, folder, place, "source", chance),
        "evaluation": lambda: exactly("evaluation"),
        "checkpoint writing": lambda: resume_kills.in_checkpoint(
            plain, folder, place, after=chance.uniform(0.3, 0.8) * seconds
        ),
        "a random time": lambda: resume_kills.at_random(plain, folder, seconds, chance),
        "between stages": lambda: resume_kills.between_stages(plain, folder, place),
        "checkpoint half written": lambda: exactly("checkpoint half written"),
        "bundle saving": lambda: resume_kills.in_bundle(plain, folder, place),
        "target stage": partial(resume_kills.in_a_stage, plain, folder, place, "target", chance),
    }


def disturb(folder: Path, name: str, moments: Iterator[str], seconds: float, chance: random.Random) -> list[Kill]:
    """Kill the run KILLS_PER_RUN times, or until it has finished in spite of all."""
    ways = killers(folder, name, seconds, chance)
    place = Place(folder / name, folder / f"{name}-cache")
    kills: list[Kill] = []
    while len(kills) < KILLS_PER_RUN and not (folder / name / "report.html").exists():
        kill = ways[next(one for one in moments if one not in OF_SOURCES or not place.sources_are_done())]()
        kills.append(kill)
        print(f"  {name}: {kill.moment}, {kill.seconds} s, {'hit' if kill.hit else 'missed'}", flush=True)
    return kills


def bench(folder: Path, num_kills: int, seed: int) -> dict[str, Any]:
    """Runs until `num_kills` kills have hit; what happened in each."""
    make_project(folder)
    expected, seconds = finish(folder, "undisturbed")
    chance = random.Random(seed)
    moments = cycle(killers(folder, "none", seconds, chance))
    runs: list[Run] = []
    while sum(kill.hit for run in runs for kill in run.kills) < num_kills:
        run = Run(f"run-{len(runs) + 1}")
        runs.append(run)
        run.kills = disturb(folder, run.name, moments, seconds, chance)
        run.equal = finish(folder, run.name)[0] == expected
        print(f"{run.name}: {'equal' if run.equal else 'DIFFERENT'}", flush=True)
    return {
        "machine": machine(torch.device("cpu")),
        "undisturbed_seconds": round(seconds, 1),
        "seed": seed,
        "kills": sum(kill.hit for run in runs for kill in run.kills),
        "all_equal": all(run.equal for run in runs),
        "runs": [asdict(run) for run in runs],
    }


def write_results(result: dict[str, Any]) -> str:
    """resume.json and resume.md; returns the latter."""
    kills = [(kill, run["equal"]) for run in result["runs"] for kill in run["kills"]]
    tried = Counter((kill["moment"], kill["how"]) for kill, _ in kills)
    hit = Counter((kill["moment"], kill["how"]) for kill, _ in kills if kill["hit"])
    equal = Counter((kill["moment"], kill["how"]) for kill, ended in kills if kill["hit"] and ended)
    rows = [[*key, tried[key], hit[key], equal[key]] for key in tried]
    rows.append(["all", "", sum(tried.values()), sum(hit.values()), sum(equal.values())])
    where = result["machine"]
    text = (
        "# Killed training runs\n\n"
        f"{len(result['runs'])} runs of tiny sequential transfer (two source stages and a target, "
        f"{result['undisturbed_seconds']} s undisturbed) were killed with SIGKILL up to {KILLS_PER_RUN} times each and "
        "continued with the same command. *equal*: the run of this kill ended with the weights, scores and predictions "
        "of an undisturbed run, byte by byte. A kill is a hit when the process died of it and the files it left show "
        "the moment.\n\n"
        + table(["moment", "how", "tried", "hits", "equal in the end"], rows)
        + f"\n{where['processor']}, {where['cores']} cores, load {where['load_average'][0]}; Python {where['python']}, "
        f"torch {where['torch']}, transformers {where['transformers']}, nerbridge {where['nerbridge']} "
        f"({where['revision']}). `python benchmarks/resume_bench.py`\n"
    )
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "resume.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    (RESULTS / "resume.md").write_text(text, encoding="utf-8")
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=24, help="hits before the benchmark ends")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ.update(OMP_NUM_THREADS="1", HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        result = bench(Path(folder) / "project", options.kills, options.seed)
    print(write_results(result))
    sys.exit(0 if result["all_equal"] else 1)


if __name__ == "__main__":
    main()
