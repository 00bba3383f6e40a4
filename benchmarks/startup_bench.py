"""How fast the command line starts: `--help` everywhere, and `data check` of 15,000 sentences, all without torch.

    python benchmarks/startup_bench.py [--repetitions 5]

Every command runs in a process of its own, and once more with `-X importtime`, which lists what it imports. A table
goes to stdout and to benchmarks/results/startup.{md,json}. Exit code 1 when a help takes half a second or more, or when
torch or transformers was imported. The fastest of the repetitions counts: on a crowded machine the others say more
about the machine than about the program; core seconds leave waiting for other programs out. The checked file is made
here, from a seed.
"""

import argparse
import json
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nerbridge.cli.app import COMMANDS, GROUPS

RESULTS = Path(__file__).parent / "results"
HELP_SECONDS = 0.5
HEAVY = ("torch", "transformers")
SENTENCES = 15_000


def commands(file: Path) -> Iterator[list[str]]:
    """Every help there is, and `data check` of `file`."""
    yield ["--help"]
    for name in COMMANDS:
        yield [name, "--help"]
    for group, module in GROUPS.items():
        yield [group, "--help"]
        for name in module.COMMANDS:
            yield [group, name, "--help"]
    yield ["data", "check", "--train", str(file)]


def write_sentences(path: Path) -> int:
    """Write SENTENCES sentences of made-up words with tags; returns the number of words."""
    numbers = random.Random(1)
    syllables = [first + second for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u", "an", "er")]
    lines, words = [], 0
    for _ in range(SENTENCES):
        for _ in range(numbers.randint(8, 30)):
            word = "".join(numbers.choices(syllables, k=numbers.randint(1, 4)))
            named = numbers.random() < 0.08
            lines.append(f"{word.title()}\tB-{numbers.choice(['person', 'place'])}" if named else f"{word}\tO")
            words += 1
        lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return words


def seconds_of(command: list[str]) -> tuple[float, float]:
    """Seconds of the command from the start of Python to its end: on the wall, and of the cores."""
    started, before = time.perf_counter(), core_seconds()
    subprocess.run([sys.executable, "-m", "nerbridge", *command], check=True, capture_output=True)
    return time.perf_counter() - started, core_seconds() - before


def core_seconds() -> float:
    """Of all finished child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def imported(command: list[str]) -> set[str]:
    """The top-level packages that the command imports."""
    program = [sys.executable, "-X", "importtime", "-m", "nerbridge", *command]
    done = subprocess.run(program, check=True, capture_output=True, text=True)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


def measure(command: list[str], repetitions: int) -> dict[str, Any]:
    """One row of the table."""
    walls, cores = zip(*(seconds_of(command) for _ in range(repetitions)), strict=True)
    return {
        "command": "nerbridge " + " ".join("FILE" if "/" in part else part for part in command),
        "fastest": round(min(walls), 3),
        "median": round(statistics.median(walls), 3),
        "cores": round(min(cores), 3),
        "heavy": sorted(imported(command).intersection(HEAVY)),
    }


def report(rows: list[dict[str, Any]], about: dict[str, Any]) -> str:
    """The rows as Markdown."""
    columns = ("fastest", "median", "cores")
    lines = ["# Start of the command line", "", "| command | fastest, s | median, s | core seconds | heavy imports |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for row in rows:
        cells = [f"`{row['command']}`", *(str(row[column]) for column in columns), ", ".join(row["heavy"]) or "none"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *(f"- {key}: {value}" for key, value in about.items())]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "train.conll"
        words = write_sentences(file)
        rows = [measure(command, arguments.repetitions) for command in commands(file)]
    about = {
        "file": f"{SENTENCES:,} sentences, {words:,} words",
        "repetitions": arguments.repetitions,
        "python": platform.python_version(),
        "cores": len(os.sched_getaffinity(0)),
        "load_average": [round(value, 2) for value in os.getloadavg()],
    }
    text = report(rows, about)
    print(text)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "startup.md").write_text(text, encoding="utf-8")
    (RESULTS / "startup.json").write_text(json.dumps({"machine": about, "rows": rows}, indent=2) + "\n", "utf-8")
    slow = [row for row in rows if "--help" in row["command"] and row["fastest"] >= HELP_SECONDS]
    heavy = [row for row in rows if row["heavy"]]
    for row in (*slow, *heavy):
        print(f"too slow or too heavy: {row['command']}", file=sys.stderr)
    return 1 if slow or heavy else 0


if __name__ == "__main__":
    sys.exit(main())
