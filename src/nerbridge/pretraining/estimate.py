"""How long a pre-training should take: a few batches are tried, nothing is learnt from them."""

import time
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import torch

from nerbridge.pretraining.learner import Learner
from nerbridge.pretraining.learning_material import Material
from nerbridge.pretraining.step_batch import StepBatch
from nerbridge.pretraining.timetable import AnyTraining, evaluation_steps
from nerbridge.training.processes import Processes
from nerbridge.training.progress import clock_text
from nerbridge.wording import counted

PROBE_SECONDS = 2.0  # after the first part, which is slower
HEAD_SHARE = 0.5  # what a step of the head alone costs beside one of the whole model
READ_SHARE = 1 / 3  # what a pass over held-out text costs beside learning from it
MOST_BATCHES = 8


@dataclass(frozen=True)
class Estimate:
    """seconds: of the whole pre-training. pieces: learnt from in it. pieces_per_second: in the probe.

    held_out_seconds: those of the whole in which held-out text is read.
    """

    seconds: float
    pieces: int
    pieces_per_second: float
    held_out_seconds: float = 0.0

    def to_json(self) -> dict[str, float]:
        """JSON values."""
        return asdict(self)

    def describe(self, unit: str, where: str) -> str:
        """'about 5:00: learning 4:00 (24,000 pieces, 100 per second on cpu), held-out text 1:00'.

        unit: 'piece'. where: the device, 'cpu'.
        """
        amount, pace = counted(self.pieces, unit), f"{self.pieces_per_second:,.0f} per second on {where}"
        if not self.held_out_seconds:
            return f"about {clock_text(self.seconds)} for {amount}, {pace}"
        learning, reading = clock_text(self.seconds - self.held_out_seconds), clock_text(self.held_out_seconds)
        return f"about {clock_text(self.seconds)}: learning {learning} ({amount}, {pace}), held-out text {reading}"


def estimate(learner: Learner, material: Material, settings: AnyTraining, processes: Processes) -> Estimate:
    """What the steps and evaluations of `material` should take, from the pace of a few parts of batches.

    The learner's gradients are afterwards empty; weights, optimiser and the order of everything are untouched.
    """
    timetable = material.timetable
    learner.begin(timetable.head_steps)
    pace = _pace(learner, material, settings, processes)
    mean = int(material.collator.sizes.sum()) / timetable.steps_per_epoch
    own = timetable.total - timetable.head_steps
    cost = mean * (own + HEAD_SHARE * timetable.head_steps)
    reading = 0.0
    if material.held_out is not None:
        reading = len(evaluation_steps(timetable, settings.evaluate_every)) * material.held_out.reading_cost
    return Estimate((cost + reading) / pace, round(mean * timetable.total), pace, reading / pace)


def _pace(learner: Learner, material: Material, settings: AnyTraining, processes: Processes) -> float:
    """Pieces per second of all processes together.

    Every part is tried twice, and the faster time counts: caches, memory and kernels are made ready in the first, and
    whatever else the machine does can only slow one down.
    """
    timetable, device = material.timetable, processes.device
    pieces, seconds, started = 0, 0.0, 0.0
    for step, rows in islice(timetable.batches(timetable.head_steps), MOST_BATCHES):
        batch = material.collator(rows, settings, timetable.mask_seed(step), material.share)
        for part in batch.parts:
            once = _seconds(learner, batch.only(part), device)
            started = started or time.perf_counter()  # behind the first time, which is slower
            seconds += min(once, _seconds(learner, batch.only(part), device))
            pieces += part.num_pieces
            if time.perf_counter() - started >= PROBE_SECONDS:
                break
        if time.perf_counter() - started >= PROBE_SECONDS:
            break
    learner.optimizer.zero_grad(set_to_none=True)
    return float(processes.from_main(processes.count * pieces / max(seconds, 1e-9)))


def _seconds(learner: Learner, batch: StepBatch[Any], device: torch.device) -> float:
    """What the gradients of `batch` take."""
    started = time.perf_counter()
    learner.gradients(batch)
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter() - started
