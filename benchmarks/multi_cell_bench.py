"""Milliseconds of a multi-cell context, forward and back, beside a loop over cells and steps and a fused BiLSTM.

    python benchmarks/multi_cell_bench.py [--device cuda] [--threads 2] [--name cpu] [--cells 5 15]

The loop is the same network with the same weights, as public code has it: the products of every cell of every step by
themselves, batched over sentences, the rest of a step for all cells at once. Before anything is measured, both must
give the same states and the same gradient of the vectors. The fused BiLSTM is `torch.nn.LSTM` with the same hidden size
(cuDNN's on a GPU). Sentences of 25 words, all of one length, 32 in a batch, 200 wide states (100 for each direction),
vectors 100 wide.

Promise: at least 10 times as fast as the loop on a GPU, at most 4 times as slow as the fused BiLSTM there; at least 1.5
times as fast as the loop on 2 CPU cores. Exit code 1 when one is broken.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from measuring import RESULTS, machine, table, take_turns
from multi_cell_loop import LoopedMultiCell
from torch import Tensor, nn
from torch.profiler import ProfilerActivity, profile

from nerbridge.batching.batch import Objective
from nerbridge.config.context import MultiCellSettings
from nerbridge.models.context.multi_cell import MultiCellNetwork

OURS, LOSSES, LOOP, FUSED = "multi-cell", "multi-cell and its losses", "loop over cells and steps", "fused BiLSTM"
LOOP_GOALS, FUSED_GOALS = {"cpu": 1.5, "cuda": 10.0}, {"cuda": 4.0}
PRODUCTS = ("mm", "bmm", "addmm", "baddbmm", "matmul", "linear", "gemm", "gemv", "cutlass", "xmma", "nvjet")


class Bench:
    """One number of cells: the contestants and what they read."""

    def __init__(self, cells: int, asked: argparse.Namespace) -> None:
        torch.manual_seed(1)
        self.device, self.asked = torch.device(asked.device), asked
        labels = {"all": [f"label{number:02}" for number in range(cells - 1)]}
        self.network = MultiCellNetwork(MultiCellSettings(hidden=asked.hidden), asked.width, labels).to(self.device)
        self.loop = LoopedMultiCell(self.network).to(self.device)
        self.fused = nn.LSTM(asked.width, asked.hidden // 2, batch_first=True, bidirectional=True).to(self.device)
        self.mask = torch.ones(asked.batch, asked.words, dtype=torch.bool, device=self.device)
        self.vectors = torch.randn(asked.batch, asked.words, asked.width, device=self.device)
        self.weights = torch.randn(asked.batch, asked.words, asked.hidden, device=self.device)
        self.types = torch.randint(0, cells, self.mask.shape, device=self.device)

    def works(self) -> dict[str, Callable[[], Tensor]]:
        """What each contestant does in one step; each returns the gradient of the vectors."""
        place: tuple[str, Objective] = ("all", "tags")

        def own() -> Tensor:
            return self._back(lambda vectors: self.network.at(vectors, self.mask, place))

        def losses() -> Tensor:
            vectors = self.vectors.detach().requires_grad_()
            states, terms = self.network.learn(vectors, self.mask, place, self.types)
            ((states * self.weights).sum() + terms.total()).backward()
            assert vectors.grad is not None
            return vectors.grad

        def loop() -> Tensor:
            return self._back(lambda vectors: self.loop(vectors, self.mask))

        def fused() -> Tensor:
            return self._back(lambda vectors: self.fused(vectors)[0])

        return {OURS: own, LOSSES: losses, LOOP: loop, FUSED: fused}

    def _back(self, states: Callable[[Tensor], Tensor]) -> Tensor:
        vectors = self.vectors.detach().requires_grad_()
        for module in (self.network, self.loop, self.fused):
            module.zero_grad(set_to_none=True)
        (states(vectors) * self.weights).sum().backward()
        assert vectors.grad is not None
        return vectors.grad

    def check(self) -> None:
        """Both ways give the same states and gradients."""
        works = self.works()
        for _ in range(3):  # the first time, and then as it was recorded
            torch.testing.assert_close(works[OURS](), works[LOOP](), rtol=1e-3, atol=1e-4)
        with torch.no_grad():
            states = self.network.at(self.vectors, self.mask, ("all", "tags"))
            torch.testing.assert_close(states, self.loop(self.vectors, self.mask), rtol=1e-3, atol=1e-4)

    def share_in_products(self, name: str) -> float:
        """The share of a contestant's time that goes into matrix products: of the GPU's kernels, or of operators."""
        work, gpu = self.works()[name], self.device.type == "cuda"
        work()
        with profile(activities=[ProfilerActivity.CUDA if gpu else ProfilerActivity.CPU]) as record:
            for _ in range(3):
                work()
            if gpu:
                torch.cuda.synchronize()
        times: dict[str, float] = {}
        for event in record.key_averages():
            times[event.key] = event.self_device_time_total if gpu else event.self_cpu_time_total
        found = sum(time for key, time in times.items() if any(part in key.lower() for part in PRODUCTS))
        return found / max(sum(times.values()), 1e-9)


def measure(cells: int, asked: argparse.Namespace) -> dict[str, Any]:
    """Medians of all contestants, and of the ratios to ours turn by turn."""
    bench = Bench(cells, asked)
    bench.check()
    works = bench.works()

    def several(work: Callable[[], Tensor]) -> Callable[[], None]:
        def run() -> None:
            for _ in range(asked.steps):
                work()

        return run

    laps = take_turns({name: partial(several, work) for name, work in works.items()}, asked.repetitions, bench.device)
    milliseconds = {
        name: round(1e3 * statistics.median(one.wall for one in taken) / asked.steps, 3) for name, taken in laps.items()
    }
    turns = {name: list(zip(laps[name], laps[OURS], strict=True)) for name in (LOOP, FUSED)}
    ratios = {name: statistics.median(its.wall / ours.wall for its, ours in pairs) for name, pairs in turns.items()}
    by_cores = statistics.median(its.cores / ours.cores for its, ours in turns[LOOP])
    shares = {name: round(bench.share_in_products(name), 3) for name in (OURS, LOOP)}
    return {
        "milliseconds": milliseconds,
        "times_as_fast_as_the_loop": round(ratios[LOOP], 2),
        "times_as_fast_by_core_seconds": round(by_cores, 2),
        "times_as_slow_as_the_fused_bilstm": round(1 / ratios[FUSED], 2),
        "share_in_matrix_products": shares,
    }


def page(found: dict[int, dict[str, Any]], asked: argparse.Namespace, about: dict[str, Any]) -> str:
    """The results for people."""
    rows = [
        [cells, name, one["milliseconds"][name], one["share_in_matrix_products"].get(name, "")]
        for cells, one in found.items()
        for name in one["milliseconds"]
    ]
    lines = [
        f"{cells} cells: {one['times_as_fast_as_the_loop']} times as fast as the loop "
        f"({one['times_as_fast_by_core_seconds']} by core seconds), "
        f"{one['times_as_slow_as_the_fused_bilstm']} times as slow as the fused BiLSTM"
        for cells, one in found.items()
    ]
    where = f"{about['device']}, {about['threads']} threads, torch {about['torch']}, load {about['load_average'][0]}"
    size = f"{asked.batch} sentences of {asked.words} words, hidden {asked.hidden}; forward and back; {where}"
    head = ["cells", "context", "milliseconds", "share in matrix products"]
    return f"# Multi-cell LSTM\n\n{size}\n\n{table(head, rows)}\n" + "\n".join(lines) + "\n"


def kept(found: dict[int, dict[str, Any]], device: str) -> bool:
    """Are the promises kept?"""
    slow = FUSED_GOALS.get(device, float("inf"))
    return all(
        one["times_as_fast_as_the_loop"] >= LOOP_GOALS[device] and one["times_as_slow_as_the_fused_bilstm"] <= slow
        for one in found.values()
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cells", type=int, nargs="+", default=[5, 15])
    parser.add_argument("--steps", type=int, default=5, help="steps of one turn")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--batch", type=int, default=32, help="sentences")
    parser.add_argument("--words", type=int, default=25, help="of every sentence")
    parser.add_argument("--hidden", type=int, default=200, help="both directions together")
    parser.add_argument("--width", type=int, default=100, help="of word vectors")
    parser.add_argument("--name", help="of the files of results; default: the device")
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    found = {cells: measure(cells, asked) for cells in asked.cells}
    about = machine(torch.device(asked.device))
    sizes = {key: getattr(asked, key) for key in ("batch", "words", "hidden", "width", "steps", "repetitions")}
    path = RESULTS / f"multi-cell-{asked.name or asked.device}"
    path.with_suffix(".json").write_text(json.dumps({"cells": found, **sizes, **about}, indent=2) + "\n", "utf-8")
    path.with_suffix(".md").write_text(page(found, asked, about), encoding="utf-8")
    print(page(found, asked, about))
    return 0 if kept(found, asked.device) else 1


if __name__ == "__main__":
    sys.exit(main())
