"""One step of pre-training: the gradients of all parts of a batch, one update.

The loss is the mean over all that the whole batch predicts, however it is split over parts and processes.
"""

import math
from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.pretraining.objective import Objective
from nerbridge.pretraining.step_batch import StepBatch
from nerbridge.pretraining.timetable import AnyTraining, Timetable
from nerbridge.training.guards import FiniteGuard
from nerbridge.training.optimiser import set_rates
from nerbridge.training.processes import Processes
from nerbridge.training.schedule import rate_factor
from nerbridge.training.seeding import seed_step

_FUSED = ("cpu", "cuda")  # devices on which torch updates all parameters in one kernel


class Learner:
    """A model and its optimiser: first of a new head alone, then of everything.

    guard: has looked at every loss and gradient. loss_sum: of the steps since it was last set, on the device.
    """

    def __init__(self, model: Objective, settings: AnyTraining, timetable: Timetable, processes: Processes) -> None:
        self.model, self._settings, self._timetable, self._processes = model, settings, timetable, processes
        self._head_alone: bool | None = None
        self.guard = FiniteGuard(model, processes.device)
        self.loss_sum: Float[Tensor, ""] = torch.zeros((), device=processes.device)

    def begin(self, step: int) -> None:
        """Make the optimiser of the phase that `step` belongs to; it stays until the phase ends."""
        head_alone = step < self._timetable.head_steps
        if head_alone == self._head_alone:
            return
        self._head_alone = head_alone
        self.model.train()
        self.model.freeze_encoder(head_alone)
        self._parameters = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        settings = self._settings
        rate = settings.learning_rate
        if head_alone and isinstance(settings, PretrainingSettings):
            rate = settings.head_learning_rate
        self.optimizer = _build_optimizer(self._parameters, rate, self._settings.weight_decay)

    def learn(self, batch: StepBatch[Any], step: int) -> None:
        """Update the model once. Raises NotFinite, where the guard looks, for a loss or gradient that is not finite."""
        settings = self._settings
        warmup = 0.0 if self._head_alone else settings.warmup
        set_rates(self.optimizer, rate_factor(settings.schedule, self._timetable.done(step), warmup=warmup))
        seed_step(settings.seed, step, self._processes.index)
        self.optimizer.zero_grad(set_to_none=True)
        loss = self._processes.add_up(self._parameters, self.gradients(batch))
        norm = nn.utils.clip_grad_norm_(self._parameters, settings.clip_norm or math.inf)
        self.guard.observe(step, loss, norm)
        self.optimizer.step()
        self.loss_sum += loss

    def gradients(self, batch: StepBatch[Any]) -> Float[Tensor, ""]:
        """Add the gradients of this process's share of a batch; returns the share's part of the mean loss."""
        scale = batch.weight / max(batch.num_targets, 1)
        total: Float[Tensor, ""] = torch.zeros((), device=self._processes.device)
        for rows in batch.parts:
            loss = self._loss(rows.to(self._processes.device)) * scale
            torch.autograd.backward(loss)
            total += loss.detach()
        return total

    def rate(self) -> float:
        """The learning rate of the last step."""
        return float(self.optimizer.param_groups[0]["lr"])

    def _loss(self, rows: Any) -> Float[Tensor, ""]:
        with autocast(self._processes.device, self._settings):
            return self.model.loss(rows)


def autocast(device: torch.device, settings: AnyTraining) -> Any:
    """Inside, matrices are multiplied in bf16 where the settings say so."""
    return torch.autocast(device.type, torch.bfloat16, enabled=precision_on(device, settings) == "bf16")


def precision_on(device: torch.device, settings: AnyTraining) -> Literal["float32", "bf16"]:
    """The precision of matrix products on a device; "auto" is bf16 on a GPU that has it, float32 elsewhere."""
    if not isinstance(settings, PretrainingSettings):
        return "float32"
    if settings.precision != "auto":
        return settings.precision
    has = device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
    return "bf16" if has else "float32"


def _build_optimizer(parameters: list[nn.Parameter], rate: float, decay: float) -> torch.optim.Optimizer:
    """AdamW; vectors and scalars do not decay."""
    groups = [
        {"params": [p for p in parameters if (p.ndim > 1) == wide], "lr": rate, "initial_lr": rate, "weight_decay": d}
        for wide, d in ((True, decay), (False, 0.0))
    ]
    fused = all(parameter.device.type in _FUSED for parameter in parameters) or None
    return torch.optim.AdamW([group for group in groups if group["params"]], fused=fused)
