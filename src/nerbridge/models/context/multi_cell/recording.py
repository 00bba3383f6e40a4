"""Steps recorded once and played again: on a GPU it takes longer to ask for a step's small kernels than to run them.

A CUDA graph holds the kernels of a whole pass, forward or back, for one shape of batch. It reads and writes fixed
places in memory, so inputs are copied in and results out. To need few graphs, batches are padded to round numbers of
sentences and words: rows and steps behind the real ones change nothing before them, and no gradient comes from them.

Which shapes are recorded: `recorder.py`.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

import torch
from torch import Tensor

from nerbridge.models.context.multi_cell.backward import Wanted
from nerbridge.models.context.multi_cell.passes import CellWeights, backward_pass, forward_pass
from nerbridge.models.context.multi_cell.trace import Trace

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
Record = Callable[[Callable[[], Any]], tuple[Any, Callable[[], None]]]  # work -> its result, and what does it again


def record_on_gpu(work: Callable[[], Result]) -> tuple[Result, Callable[[], None]]:
    """The kernels of `work` as a CUDA graph: the places of its result, and what fills them again."""
    stream = _recording_stream(torch.cuda.current_device())
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        work()  # what libraries do at their first call must not be recorded
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.stream(stream):
        graph.capture_begin(capture_error_mode="thread_local")
        try:
            result = work()
        finally:
            graph.capture_end()
    torch.cuda.current_stream().wait_stream(stream)
    return result, graph.replay


def rerun(work: Callable[[], Result]) -> tuple[Result, Callable[[], None]]:
    """The same without recording: doing it again fills the places of the first result."""
    first = work()
    return first, lambda: torch._foreach_copy_(_tensors(first), _tensors(work()))


def record_or_rerun(record: Record, work: Callable[[], Result]) -> tuple[Result, Callable[[], None]]:
    """Recorded by `record` where that can be done, such as while there is memory for it."""
    try:
        return record(work)
    except RuntimeError as fault:  # CUDA's errors and those of its memory are of this kind
        say_not_recorded(fault)
        return rerun(work)


def say_not_recorded(fault: RuntimeError) -> None:
    """Warn that a shape is computed as ever."""
    logger.warning("the steps of a shape of batch are not recorded: %s", str(fault).partition("\n")[0])


@cache
def _recording_stream(device: int) -> torch.cuda.Stream:
    """One for all recordings of a device: libraries keep memory for every stream that they have seen."""
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]


class Tape:
    """Both passes of one shape, recorded. It holds one batch at a time; one that was replaced is run again.

    shape: words and sentences of the batches that fit, padded. Raises what `record` raises about the pass forward.
    """

    def __init__(
        self, record: Record, vectors: Tensor, weights: CellWeights, num_cells: int, shape: tuple[int, int]
    ) -> None:
        self._record = record
        self._vectors = vectors.new_zeros(vectors.shape[0], *shape, vectors.shape[3])
        self._weights = CellWeights._make(None if one is None else one.detach().clone() for one in weights)
        self._vectors[:, : vectors.shape[1], : vectors.shape[2]].copy_(vectors)
        self._trace, self._again = record(lambda: forward_pass(self._vectors, self._weights, num_cells, kept=True))
        self._backs: dict[tuple[bool, bool], _Back] = {}
        self.serial = 0  # of the batch that it holds

    def forward(self, vectors: Tensor, weights: CellWeights) -> int:
        """Run a batch; returns its number."""
        self._vectors[:, : vectors.shape[1], : vectors.shape[2]].copy_(vectors)
        torch._foreach_copy_(_present(self._weights), _present(weights))
        self._again()
        self.serial += 1
        return self.serial

    def states(self, units: int, rows: int, *, kept: bool) -> tuple[Tensor, Tensor, Tensor | None]:
        """h, c_k and I of the batch that it holds; of the latter two the first step alone unless `kept`."""
        trace, steps = self._trace, units if kept else 1
        scores = None if trace.scores is None else trace.scores.given[:, :steps, :rows].clone()
        return trace.hidden[:, 1 : units + 1, :rows].clone(), trace.cells[:, :steps, :rows].clone(), scores

    def backward(
        self, vectors: Tensor, weights: CellWeights, wanted: Wanted, serial: int
    ) -> tuple[Tensor, CellWeights]:
        """The gradients of the batch with this number, whose vectors and weights are given again."""
        if serial != self.serial:
            self.forward(vectors, weights)
        asked = wanted.cells is not None, wanted.scores is not None
        if asked not in self._backs:
            self._backs[asked] = _Back(self._record, self._vectors, self._weights, self._trace, asked)
        of_vectors, of_weights = self._backs[asked].play(wanted)
        return of_vectors[:, : vectors.shape[1], : vectors.shape[2]], of_weights


class _Back:
    """The way back of one shape. asked: whether gradients of cells and of scores come from outside."""

    def __init__(
        self, record: Record, vectors: Tensor, weights: CellWeights, trace: Trace, asked: tuple[bool, bool]
    ) -> None:
        cells = torch.zeros_like(trace.cells) if asked[0] else None
        scores = torch.zeros_like(trace.scores.given) if asked[1] and trace.scores is not None else None
        self._wanted = Wanted(torch.zeros_like(trace.hidden[:, 1:]), cells, scores)
        self._shapes = [one.shape for one in _present((vectors, *weights))]

        def work() -> Tensor:
            of_vectors, of_weights = backward_pass(vectors, weights, trace, self._wanted)
            return torch.cat([one.flatten() for one in _present((of_vectors, *of_weights))])

        self._flat, self._again = record_or_rerun(record, work)

    def play(self, wanted: Wanted) -> tuple[Tensor, CellWeights]:
        """The gradients of the vectors, padded, and of the weights."""
        for mine, its in zip(_given(self._wanted), _given(wanted), strict=True):
            if mine.shape != its.shape:
                mine.zero_()
            mine[:, : its.shape[1], : its.shape[2]].copy_(its)
        self._again()
        parts = torch.split_with_sizes(self._flat.clone(), [shape.numel() for shape in self._shapes])
        of_vectors, *of_weights = (part.view(shape) for part, shape in zip(parts, self._shapes, strict=True))
        return of_vectors, CellWeights(*of_weights, *[None] * (len(CellWeights._fields) - len(of_weights)))


def _given(wanted: Wanted) -> list[Tensor]:
    """The gradients that come from outside, in order."""
    return _present((wanted.hidden, wanted.cells, wanted.scores))


def _tensors(result: Any) -> list[Tensor]:
    """The tensors of a result, in order."""
    if isinstance(result, Tensor):
        return [result]
    inner = fields(result) if is_dataclass(result) else ()
    return [one for field in inner for one in _tensors(getattr(result, field.name))]


def _present(tensors: Iterable[Tensor | None]) -> list[Tensor]:
    return [one for one in tensors if one is not None]
