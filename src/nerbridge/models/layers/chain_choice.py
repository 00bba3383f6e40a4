"""Whether a chain is summed unit by unit, in log space or by scaled products, or by a tree.

The loop (`models.layers.chain_loop`) starts two dozen small kernels for each unit, which a GPU waits for; the tree
(`models.layers.chain_tree`) starts some fifteen for each doubling of the length, and does `tag` times the work. On a
CPU, where starting costs little and work much, the loop is always taken.

Up to 19 tags the tree was faster in every case measured on an H200 (`benchmarks/crf_bench.py`), from 10 words on. The
bounds below lie beyond those cases and are an estimate. A step of the loop and its gradient is about 25 kernels of 5
microseconds; the tree moves about 20 bytes for each cell (row, tag, tag, tag) of a step, which takes a GPU of 3 TB/s as
long at some 19 million cells. Half of that is the bound. The loss sums every row twice, known tags and all tags.

On a CPU, where all tags of a batch are known, the known ones need no sum; the sum over all takes scaled products
(`models.layers.chain_scaled`), unless scores differ too much for them. A GPU would have to be waited for to tell, and
is not measured: it takes them only where they are asked for.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

import torch
from jaxtyping import Bool, Int
from torch import Tensor

Way = Literal["loop", "tree", "scaled"]

CELLS_OF_A_STEP = 1 << 23  # of (row, tag, tag, tag), at most: 120 rows of 41 tags, 32 rows of 64 tags
MOST_TAGS = 64
FEWEST_UNITS = 8  # below, a tree has about as many kernels as the loop

_forced: ContextVar[Way | None] = ContextVar("way of summing chains", default=None)


@contextmanager
def summing_by(way: Way) -> Iterator[None]:
    """Inside, every chain is summed this way, on any device: for tests and benchmarks."""
    token = _forced.set(way)
    try:
        yield
    finally:
        _forced.reset(token)


def takes_scaled(tags: Int[Tensor, "batch unit"], mask: Bool[Tensor, "batch unit"]) -> bool:
    """May a loss take scaled products, because all tags are known?"""
    way = _forced.get()
    wanted = way == "scaled" or (way is None and tags.device.type == "cpu")
    return wanted and not bool((mask & (tags < 0)).any())


def takes_tree(shape: torch.Size, device: torch.device) -> bool:
    """Is a chain over emissions of this shape (batch, unit, tag) on this device summed by a tree?"""
    forced = _forced.get()
    if forced is not None:
        return forced == "tree"
    rows, units, tags = shape
    fits = units >= FEWEST_UNITS and tags <= MOST_TAGS and rows * tags**3 <= CELLS_OF_A_STEP
    return device.type == "cuda" and fits
