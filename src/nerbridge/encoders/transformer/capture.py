"""Kernels of a pass there and back as two CUDA graphs, which are played again with one call each.

Both graphs, and those of other shapes that were recorded with the same `GpuRecording`, take their memory from one pool:
what one shape keeps on the way there lies where another keeps its own. So only one of them may be under way at a time.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor

WARM_UPS = 3  # what libraries do at their first calls must not be recorded
# Graphs whose recording failed: torch may go on asking them which memory is theirs, so they must outlive it.
_spoilt: list[torch.cuda.CUDAGraph] = []


@dataclass(frozen=True)
class Recorded:
    """A pass, recorded. states, gradients: where its results lie. forward, backward: what fills these places again."""

    states: Tensor
    gradients: Tensor
    forward: Callable[[], Any]
    backward: Callable[[], Any]


# The way there, and the way back from its result -> both recorded.
Record = Callable[[Callable[[], Tensor], Callable[[Tensor], Tensor]], Recorded]


class GpuRecording:
    """Records on the current GPU; see `Record`.

    A recorded pass draws its random numbers from where torch's generator of the device stands when it is played, and
    moves the generator on as the pass itself would have.
    """

    def __init__(self) -> None:
        self._pool: Any = None

    def __call__(self, forward: Callable[[], Tensor], backward: Callable[[Tensor], Tensor]) -> Recorded:
        """Both passes, recorded. Raises RuntimeError where they ask for what no graph can hold, such as a wait."""
        stream = _recording_stream(torch.cuda.current_device())
        if self._pool is None:
            self._pool = torch.cuda.graph_pool_handle()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(WARM_UPS):
                backward(forward())
        torch.cuda.synchronize()
        torch.cuda.empty_cache()  # what the warm-ups took on that stream would be of no use to any other
        there, back = torch.cuda.CUDAGraph(), torch.cuda.CUDAGraph()
        with torch.cuda.stream(stream):
            with _capturing(there, self._pool):
                states = forward()
            with _capturing(back, self._pool):
                gradients = backward(states)
        torch.cuda.current_stream().wait_stream(stream)
        return Recorded(states.detach(), gradients, there.replay, back.replay)


@contextmanager
def _capturing(graph: torch.cuda.CUDAGraph, pool: Any) -> Iterator[None]:
    """What is launched inside goes into `graph`; other threads (of the autograd engine too) are left in peace."""
    graph.capture_begin(pool=pool, capture_error_mode="thread_local")
    try:
        yield
        graph.capture_end()
    except RuntimeError:
        _give_up(graph)
        raise


def _give_up(graph: torch.cuda.CUDAGraph) -> None:
    """After a recording that failed: leave the stream, and torch's random generator, as if there had been none."""
    _spoilt.append(graph)
    with suppress(RuntimeError):  # it ends the recording, and says that it was no good
        graph.capture_end()
    # The generator may still believe that it is being recorded, and would then refuse to draw.
    generator = torch.cuda.default_generators[torch.cuda.current_device()]
    generator.graphsafe_set_state(generator.clone_state())


@cache
def _recording_stream(device: int) -> torch.cuda.Stream:
    """One for all recordings of a device: libraries keep memory for every stream that they have seen."""
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
