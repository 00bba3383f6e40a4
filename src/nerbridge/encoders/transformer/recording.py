"""Forward and backward passes of a transformer, recorded once per shape of batch and played again.

On a GPU it takes longer to ask for a small batch's many small kernels than to run them. A CUDA graph holds the kernels
of a whole pass. It reads and writes fixed places in memory, so a batch is copied in, and states and gradients out. To
need few graphs, batches are padded to round numbers of rows and pieces. Padded pieces are masked; in a padded row the
first piece is read, so that its softmax is a number; no gradient comes from padding.

Only training is recorded. A shape is recorded when it comes a second time; until then, and where it is not recorded at
all, it is computed as ever, but padded too: whether a batch is played or not, the same dropout is drawn for it, and a
run that goes on from a checkpoint repeats what it would have done. Recording leaves the random generators as they were
before, and played graphs draw from the seed that is set at the time; the training loop sets one per step.

Recorded are the numbers that the parameters hold when a graph is played. When a parameter is replaced, moved, frozen or
made trainable, all recordings are dropped. Other changes of the model after its first steps, such as of a dropout rate,
are not noticed.
"""

import logging
import weakref
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, distributed, nn

from nerbridge.encoders.transformer.capture import GpuRecording, Record
from nerbridge.encoders.transformer.tape import Rows, Tape, Turn, Weights

logger = logging.getLogger(__name__)

ROUND_ROWS, ROUND_PIECES = 8, 16  # batches are padded to multiples of these
LONGEST = 128  # pieces of a row; beyond, kernels are large
LARGEST = 8_192  # pieces of a batch, padding counted
TIMES = 2  # a shape is recorded when it comes for that time
MOST = 32  # shapes
TRIED = ("bert", "roberta", "distilbert", "mpnet")  # on a GPU (tests/parity/test_recorded_transformer.py)


def is_recorded(model: nn.Module, asked: bool | None) -> bool:
    """Does `model` train with recorded passes where it trains on a GPU? asked: None leaves it to what was tried."""
    kind: str = model.config.model_type  # type: ignore[union-attr,assignment]
    return kind in TRIED if asked is None else asked


class Recorder:
    """Knows the tapes of one model. begin: makes what records; devices: where that is worth it.

    A copy of a recorder, or one that is loaded, is empty.
    """

    def __init__(self, begin: Callable[[], Record] = GpuRecording, devices: tuple[str, ...] = ("cuda",)) -> None:
        self._begin, self._devices = begin, devices
        self._failed = False
        self.drop()

    def __reduce__(self) -> tuple[Any, ...]:
        return Recorder, (self._begin, self._devices)

    def drop(self) -> None:
        """Forget everything recorded."""
        self._record = self._begin()
        self._weights: Weights | None = None
        self._seen: Counter[tuple[Any, ...]] = Counter()
        self._tapes: dict[tuple[Any, ...], Tape] = {}
        self._turn: Callable[[], Turn | None] = lambda: None

    def states(self, model: nn.Module, rows: Rows, padding: int) -> Float[Tensor, "row piece width"] | None:
        """The last hidden states of a batch in training; None where it is to be computed as if nothing were recorded.

        padding: the piece that stands in padding.
        """
        size = rows.pieces.shape
        shape = _rounded(size[0], ROUND_ROWS), _rounded(size[1], ROUND_PIECES)
        if not self._is_worth_it(rows.pieces.device.type, shape) or _several_processes():
            return None
        padded = _padded(rows, shape, padding)
        tape = self._tape(model, padded)
        if tape is None:
            output = model(input_ids=padded.pieces, attention_mask=padded.mask.long()).last_hidden_state
            states: Tensor = output[: size[0], : size[1]]
            return states
        turn = Turn()
        self._turn = weakref.ref(turn)
        return tape.play(padded, size, turn)

    def _is_worth_it(self, device: str, shape: tuple[int, int]) -> bool:
        return device in self._devices and shape[1] <= LONGEST and shape[0] * shape[1] <= LARGEST

    def _tape(self, model: nn.Module, rows: Rows) -> Tape | None:
        """The tape for rows of this shape; None where there is none, or another batch is still under way."""
        if self._failed:
            return None
        weights = self._weights_of(model)
        kind = rows.pieces.device.type
        autocast = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else None
        key = (rows.pieces.device, *rows.pieces.shape, autocast)
        self._seen[key] += 1
        turn = self._turn()
        if turn is not None and not turn.over:
            return None
        wanted = self._seen[key] >= TIMES and len(self._tapes) < MOST and weights.gradients is not None
        if key not in self._tapes and wanted:
            self._add(key, model, rows, weights)
        return self._tapes.get(key)

    def _weights_of(self, model: nn.Module) -> Weights:
        if self._weights is None or not self._weights.are_those_of(model):
            self.drop()
            self._weights = Weights(model)
        return self._weights

    def _add(self, key: tuple[Any, ...], model: nn.Module, rows: Rows, weights: Weights) -> None:
        """Record a shape. Where that fails, say so, drop all that was recorded, and never try again."""
        device = rows.pieces.device
        try:
            with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
                self._tapes[key] = Tape(model, weights, rows, self._record)
        except RuntimeError as fault:
            reason = next(iter(str(fault).strip().splitlines()), type(fault).__name__)
            logger.warning("the transformer's kernels cannot be recorded, training goes on without: %s", reason)
            self._failed = True
            self.drop()


def _several_processes() -> bool:
    """Do several processes train as one? What they say to each other meanwhile has never been tried with recordings."""
    return distributed.is_available() and distributed.is_initialized() and distributed.get_world_size() > 1


def _padded(rows: Rows, shape: tuple[int, int], padding: int) -> Rows:
    """`rows` padded to `shape`; of rows that are padding, the first piece is read."""
    more_rows, more_pieces = shape[0] - rows.pieces.shape[0], shape[1] - rows.pieces.shape[1]
    margins = (0, more_pieces, 0, more_rows)
    mask = F.pad(rows.mask, margins, value=False)
    mask[shape[0] - more_rows :, 0] = True
    return Rows(F.pad(rows.pieces, margins, value=padding), mask)


def _rounded(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple
