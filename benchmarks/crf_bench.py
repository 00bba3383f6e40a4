"""Milliseconds of a CRF that is summed unit by unit and otherwise: a loss with its gradient, and decoding.

    python benchmarks/crf_bench.py [--device cuda] [--tags 5 9 19] [--words 10 25 60] [--batch 16 60] [--name cpu]
    python benchmarks/crf_bench.py --device cpu --against scaled --name cpu-scaled

The other way is a tree, or (`--against scaled`, the loss alone) scaled products, which a CPU takes.

Random scores, sentences of one length, tags known. Decoding finds the best tags and how sure each of them is. Both ways
must give the same before they are measured; they take turns. Operations are counted once: on a GPU its kernels, on a
CPU the operators of torch that would be a kernel there, which is about what a GPU would start.

A JSON line for each case goes to stdout and to `crf-NAME.jsonl`, after a line about the machine; a table goes to
`crf-NAME.md`, with the cases where the bounds of `nerbridge.models.layers.chain_choice` choose the slower way on a GPU.
Cases with more cells (rows x words x tags^3) than `--most-cells` are left out and counted.
"""

import argparse
import itertools
import json
import statistics
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import torch
from crf_cases import LOOP, NAMES, TASKS, Bench, count_operations, peak_megabytes
from measuring import RESULTS, machine, table, take_turns

MOST_CELLS = {"cpu": 1 << 27, "cuda": 1 << 40}  # a CPU's patience; any


def measure(case: tuple[int, int, int], task: str, asked: argparse.Namespace) -> dict[str, Any]:
    """Medians of both ways, and of the ratios turn by turn."""
    device = torch.device(asked.device)
    bench = Bench(*case, device)
    bench.check(task, asked.against)
    ways = LOOP, asked.against
    works = {way: bench.work(task, way) for way in ways}

    def several(work: Callable[[], object]) -> Callable[[], None]:
        def run() -> None:
            for _ in range(asked.steps):
                work()

        return run

    laps = take_turns({way: partial(several, works[way]) for way in ways}, asked.repetitions, device)
    ratios = [loop.wall / other.wall for loop, other in zip(laps[LOOP], laps[asked.against], strict=True)]
    found: dict[str, Any] = {"task": task, **dict(zip(("tags", "words", "batch"), case, strict=True))}
    for way in ways:
        milliseconds = statistics.median(one.wall for one in laps[way]) * 1e3 / asked.steps
        found[way] = {
            "milliseconds": round(milliseconds, 3),
            "operations": count_operations(works[way], device),
            "peak_megabytes": peak_megabytes(works[way], device),
        }
    found[f"times_as_fast_by_{asked.against}"] = round(statistics.median(ratios), 2)
    found["range"] = [round(min(ratios), 2), round(max(ratios), 2)]
    return {**found, "cells_of_a_step": bench.cells[task], "chosen_on_a_gpu": bench.chosen[task]}


def cases(asked: argparse.Namespace) -> Iterator[tuple[int, int, int]]:
    """Tags, words and sentences of every case that is small enough."""
    left_out = 0
    for tags, words, batch in itertools.product(asked.tags, asked.words, asked.batch):
        if 2 * batch * words * tags**3 <= (asked.most_cells or MOST_CELLS[asked.device]):
            yield tags, words, batch
        else:
            left_out += 1
    print(f"cases left out, above --most-cells: {left_out}", file=sys.stderr)


def page(found: list[dict[str, Any]], asked: argparse.Namespace, about: dict[str, Any]) -> str:
    """The results for people."""
    other = asked.against
    rows = [
        [one["task"], one["tags"], one["words"], one["batch"]]
        + [one[way][key] for key in ("milliseconds", "operations") for way in (LOOP, other)]
        + [one[f"times_as_fast_by_{other}"], f"{one['cells_of_a_step']:,}", one["chosen_on_a_gpu"]]
        for one in found
    ]
    head = ["", "tags", "words", "sentences", "loop, ms", f"{other}, ms", "loop, operations", f"{other}, operations"]
    where = f"{about['device']}, {about['threads']} threads, torch {about['torch']}, load {about['load_average'][0]}"
    text = f"# CRF by loop and by {NAMES[other]}\n\n{where}; medians of {asked.repetitions} turns of {asked.steps}\n\n"
    text += table([*head, f"times as fast by {NAMES[other]}", "cells of a step", "chosen on a GPU"], rows)
    return text + ("\n" + verdict(found) if asked.device == "cuda" and other == "tree" else "")


def verdict(found: list[dict[str, Any]]) -> str:
    """Where the bounds choose the slower way, and up to where the tree is the faster one."""
    wrong = [one for one in found if (one["times_as_fast_by_tree"] > 1) != (one["chosen_on_a_gpu"] == "tree")]
    lines = [f"The slower way is chosen in {len(wrong)} of {len(found)} cases.\n"]
    for one in wrong:
        case = f"{one['task']}, {one['tags']} tags, {one['words']} words, {one['batch']} sentences"
        lines.append(f"- {case}: {one['chosen_on_a_gpu']}, but {one['times_as_fast_by_tree']} times as fast by tree")
    for task in TASKS:
        mine = [one for one in found if one["task"] == task]
        faster = [one["cells_of_a_step"] for one in mine if one["times_as_fast_by_tree"] > 1]
        slower = [one["cells_of_a_step"] for one in mine if one["times_as_fast_by_tree"] <= 1]
        most, fewest = f"{max(faster, default=0):,}", f"{min(slower):,}" if slower else "none"
        lines.append(f"- {task}: most cells of a step where the tree is faster {most}, fewest where not {fewest}")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--against", choices=NAMES, default="tree", help="the other way")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tags", type=int, nargs="+", default=[5, 9, 19, 33, 57])
    parser.add_argument("--words", type=int, nargs="+", default=[10, 25, 60])
    parser.add_argument("--batch", type=int, nargs="+", default=[16, 60], help="sentences")
    parser.add_argument("--steps", type=int, default=5, help="of one turn")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--most-cells", type=int, help="cells of a case; default: a CPU's patience, any on a GPU")
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--name", help="of the files of results; default: the device")
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    about = machine(torch.device(asked.device))
    path = asked.output / f"crf-{asked.name or asked.device}"
    path.parent.mkdir(parents=True, exist_ok=True)
    found = []
    with path.with_suffix(".jsonl").open("w", encoding="utf-8") as file:
        print(json.dumps(about), file=file)
        for case, task in itertools.product(cases(asked), TASKS if asked.against == "tree" else ("loss",)):
            found.append(measure(case, task, asked))
            for where in (file, sys.stdout):
                print(json.dumps(found[-1]), file=where, flush=True)
    path.with_suffix(".md").write_text(page(found, asked, about), encoding="utf-8")
    print(page(found, asked, about))
    return 0


if __name__ == "__main__":
    sys.exit(main())
