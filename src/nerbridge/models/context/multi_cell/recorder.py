"""Which shapes of batches are recorded.

A shape is recorded when it comes a second time. Long batches, where kernels are large, and shapes beyond the most that
are kept are computed as ever, as those that cannot be recorded: every recording holds the memory of its passes as long
as it lives.
"""

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from nerbridge.models.context.multi_cell.passes import CellWeights
from nerbridge.models.context.multi_cell.recording import Record, Tape, record_on_gpu, say_not_recorded

ROUND_UNITS, ROUND_ROWS = 8, 8  # batches are padded to multiples of these
LARGEST = 32_000_000  # numbers in the gates of a batch that is recorded
MOST = 64  # shapes
BYTES = 32  # that a recording holds, both passes, for each number in its gates
SHARE = 8  # of a device's memory all recordings of a network together hold no more than one part in so many


def memory_of(device: torch.device) -> int:
    """The bytes of a GPU's memory; without bound elsewhere."""
    return torch.cuda.get_device_properties(device).total_memory if device.type == "cuda" else sys.maxsize


class Recorder:
    """Knows the tapes of one network. record: how work is recorded; devices: where that is worth it; memory: the bytes
    that a device has.

    A copy of a recorder, or one that is loaded, is empty.
    """

    def __init__(
        self,
        record: Record = record_on_gpu,
        devices: tuple[str, ...] = ("cuda",),
        memory: Callable[[torch.device], int] = memory_of,
    ) -> None:
        self._record, self._devices, self._memory = record, devices, memory
        self._seen: Counter[tuple[Any, ...]] = Counter()
        self._tapes: dict[tuple[Any, ...], Tape | None] = {}  # None: could not be recorded
        self._held = 0  # numbers in the gates of all tapes

    def __reduce__(self) -> tuple[Any, ...]:
        return Recorder, (self._record, self._devices, self._memory)

    def tape(self, vectors: Tensor, weights: CellWeights, num_cells: int) -> Tape | None:
        """The tape that a batch fits on; None where it is computed as ever."""
        _, units, rows, width = vectors.shape
        shape = _rounded(units, ROUND_UNITS), _rounded(rows, ROUND_ROWS)
        gates = vectors.shape[0] * shape[0] * shape[1] * weights.biases.shape[1]
        if vectors.device.type not in self._devices or gates > LARGEST:
            return None
        key = (vectors.device, vectors.dtype, *shape, width, num_cells, weights.biases.shape, weights.recurrent.shape)
        self._seen[key] += 1
        if key not in self._tapes and self._seen[key] > 1 and self._has_room(gates, vectors.device):
            try:
                with torch.inference_mode(False), torch.no_grad():  # training goes on in places made while tagging
                    self._tapes[key] = Tape(self._record, vectors, weights, num_cells, shape)
                self._held += gates
            except RuntimeError as fault:  # CUDA's errors and those of its memory are of this kind
                self._tapes[key] = None
                say_not_recorded(fault)
        return self._tapes.get(key)

    def _has_room(self, gates: int, device: torch.device) -> bool:
        return len(self._tapes) < MOST and (self._held + gates) * BYTES * SHARE <= self._memory(device)


def _rounded(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple
