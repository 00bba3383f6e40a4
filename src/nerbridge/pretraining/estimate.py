"""How long a pre-training should take: a few batches are tried, nothing is learnt from them."""

import time
from dataclasses import asdict, dataclass
from itertools import islice

import torch

from nerbridge.pretraining.learner import Learner
from nerbridge.pretraining.learning_material import Material
from nerbridge.pretraining.timetable import AnyTraining, evaluation_steps
from nerbridge.training.processes import Processes

PROBE_SECONDS = 2.0  # after the first part, which is slower
HEAD_SHARE = 0.5  # what a step of the head alone costs beside one of the whole model
READ_SHARE = 1 / 3  # what a pass over held-out text costs beside learning from it
MOST_BATCHES = 8


@dataclass(frozen=True)
class Estimate:
    """seconds: of the whole pre-training. pieces: learnt from in it. pieces_per_second: in the probe."""

    seconds: float
    pieces: int
    pieces_per_second: float

    def to_json(self) -> dict[str, float]:
        """JSON values."""
        return asdict(self)


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
    if material.held_out is not None:
        looks = len(evaluation_steps(timetable, settings.evaluate_every))
        cost += looks * material.held_out.reading_cost
    return Estimate(cost / pace, round(mean * timetable.total), pace)


def _pace(learner: Learner, material: Material, settings: AnyTraining, processes: Processes) -> float:
    """Pieces per second of all processes together."""
    timetable = material.timetable
    pieces, started, first = 0, 0.0, True
    for step, rows in islice(timetable.batches(timetable.head_steps), MOST_BATCHES):
        batch = material.collator(rows, settings, timetable.mask_seed(step), material.share)
        for part in batch.parts:
            learner.gradients(batch.only(part))
            _wait(processes.device)
            if first:  # caches, memory and kernels are made ready
                first, started = False, time.perf_counter()
                if len(batch.parts) > 1:
                    continue
                learner.gradients(batch.only(part))
                _wait(processes.device)
            pieces += part.num_pieces
            if time.perf_counter() - started >= PROBE_SECONDS:
                break
        if time.perf_counter() - started >= PROBE_SECONDS:
            break
    seconds = time.perf_counter() - started
    learner.optimizer.zero_grad(set_to_none=True)
    return float(processes.from_main(processes.count * pieces / max(seconds, 1e-9)))


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
