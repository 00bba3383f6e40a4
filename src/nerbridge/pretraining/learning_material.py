"""What a pre-training learns from and is measured on."""

from dataclasses import dataclass
from typing import Any, Protocol

import torch

from nerbridge.pretraining.masking import Ids
from nerbridge.pretraining.state import Evaluation
from nerbridge.pretraining.step_batch import Share, StepBatch
from nerbridge.pretraining.timetable import Timetable


class Collates(Protocol):
    """Makes batches of row numbers. sizes: of every row, in pieces (for language models: words or characters)."""

    sizes: Ids

    def __call__(self, numbers: Ids, settings: Any, seed: int, share: Share) -> StepBatch[Any]: ...


class HeldOutText(Protocol):
    """Text that is not learnt from. num_pieces: of it. reading_cost: pieces that could be learnt from in that time."""

    num_pieces: int
    reading_cost: float

    def evaluate(self, model: Any, step: int, device: torch.device) -> Evaluation: ...


@dataclass(frozen=True)
class Material:
    """What a pre-training learns from and is measured on. held_out: None where no text could be held out."""

    collator: Collates
    timetable: Timetable
    share: Share
    held_out: HeldOutText | None
