"""What `crf_bench.py` measures: a loss with its gradient, and decoding; operations and memory of each."""

from collections.abc import Callable
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from nerbridge.models.layers.chain import ChainScores
from nerbridge.models.layers.chain_choice import summing_by, takes_tree
from nerbridge.models.layers.crf import log_likelihood
from nerbridge.models.layers.decoding import decode_chain

LOOP, TASKS = "loop", ("loss", "decoding")
NAMES = {"tree": "tree", "scaled": "scaled products"}
ARITHMETIC = (
    "abs add addcmul bitwise_and bitwise_not clamp div eq exp floor_divide ge gt log mul ne neg remainder rsub sub"
)
REDUCTIONS = "amax argmax max mm sort sum _log_softmax _softmax"
MOVES = "cat copy gather masked_fill scatter scatter_add where zero"
WORKING = frozenset(f"{ARITHMETIC} {REDUCTIONS} {MOVES}".split())  # the operators of torch that are a kernel on a GPU


class Bench:
    """One number of tags, words and sentences: what is read and what is done."""

    def __init__(self, tags: int, words: int, batch: int, device: torch.device) -> None:
        random = torch.Generator().manual_seed(1)
        emissions, pairs, starts, ends = (
            (scale * torch.randn(*shape, generator=random)).to(device).requires_grad_()
            for scale, shape in ((3.0, (batch, words, tags)), (1.0, (tags, tags)), (1.0, (tags,)), (1.0, (tags,)))
        )
        self.inputs, self.scores = (emissions, pairs, starts, ends), ChainScores(pairs, starts, ends)
        self.mask = torch.ones(batch, words, dtype=torch.bool, device=device)
        self.gold = torch.randint(tags, (batch, words), generator=random).to(device)
        # Known tags and all tags are summed at once, so the loss has twice the rows.
        rows = {"loss": 2 * batch, "decoding": batch}
        self.cells = {task: rows[task] * tags**3 for task in TASKS}
        gpu = torch.device("cuda")
        self.chosen = {task: (LOOP, "tree")[takes_tree(torch.Size((rows[task], words, tags)), gpu)] for task in TASKS}

    def loss(self) -> tuple[torch.Tensor, ...]:
        """The gradients of one loss."""
        total = -log_likelihood(self.scores, self.inputs[0], self.gold, self.mask).mean()
        return torch.autograd.grad(total, self.inputs)

    @torch.no_grad()
    def decoding(self) -> tuple[torch.Tensor, ...]:
        """The best tags, and how sure each is."""
        return decode_chain(self.scores, self.inputs[0], self.mask)

    def work(self, task: str, way: Any) -> Callable[[], tuple[torch.Tensor, ...]]:
        def run() -> tuple[torch.Tensor, ...]:
            with summing_by(way):
                return self.loss() if task == "loss" else self.decoding()

        return run

    def check(self, task: str, other: str) -> None:
        """Both ways give the same."""
        torch.testing.assert_close(self.work(task, other)(), self.work(task, LOOP)(), rtol=1e-3, atol=1e-3)


def count_operations(work: Callable[[], object], device: torch.device) -> int:
    """How many kernels a GPU runs for it, or how many operators a CPU of those that would be one on a GPU."""
    gpu = device.type == "cuda"
    with profile(activities=[ProfilerActivity.CUDA if gpu else ProfilerActivity.CPU]) as record:
        work()
        if gpu:
            torch.cuda.synchronize(device)
    events = record.key_averages()
    if gpu:
        return sum(
            event.count for event in events if not event.key.startswith("cuda") and event.self_device_time_total > 0
        )
    return sum(event.count for event in events if event.key.removeprefix("aten::").rstrip("_") in WORKING)


def peak_megabytes(work: Callable[[], object], device: torch.device) -> float | None:
    """The most memory of a GPU beside what was there before."""
    if device.type != "cuda":
        return None
    before = torch.cuda.memory_allocated(device)
    torch.cuda.reset_peak_memory_stats(device)
    work()
    return round((torch.cuda.max_memory_allocated(device) - before) / 1e6, 1)
