"""One step: a mini-batch of every stream, losses weighted and added, one update.

The same for CPU and GPU, one process or several. On a GPU nothing here waits for the device.
"""

import math
from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.config.training import TrainingSettings
from nerbridge.training.guards import FiniteGuard
from nerbridge.training.optimiser import build_optimizer, set_rates
from nerbridge.training.processes import Processes
from nerbridge.training.schedule import rate_factor
from nerbridge.training.seeding import seed_step


class Learner:
    """A model, its optimiser and the streams that it learns from.

    guard: has looked at every loss and gradient. loss_sum: of the steps since it was last set, on the device.
    """

    def __init__(
        self,
        model: Tagger,
        streams: Sequence[Stream],
        settings: TrainingSettings,
        *,
        seed: int,
        processes: Processes,
    ) -> None:
        self._model, self._streams, self._settings, self._seed = model, streams, settings, seed
        self._processes = processes
        self._parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
        self.optimizer = build_optimizer(model, settings)
        self.guard = FiniteGuard(model, processes.device)
        self.loss_sum: Float[Tensor, ""] = torch.zeros((), device=processes.device)

    def learn(self, parts: Sequence[list[int]], *, step: int, done: float) -> None:
        """Update the model once. parts: the sentences of each stream. done: share of the stage at the step's middle.

        Raises NotFinite, where the guard looks, for the first step whose loss or gradient was NaN or infinite.
        """
        settings = self._settings
        set_rates(self.optimizer, rate_factor(settings.schedule, done, warmup=settings.warmup))
        seed_step(self._seed, step, self._processes.index)
        self.optimizer.zero_grad(set_to_none=True)
        self._model.at_share(done)
        with self._model.together((stream.domain, stream.objective) for stream in self._streams):
            losses = [self._gradients(stream, part) for stream, part in zip(self._streams, parts, strict=True)]
        loss = self._processes.add_up(self._parameters, torch.stack(losses).sum())
        norm = nn.utils.clip_grad_norm_(self._parameters, settings.clip_norm or math.inf)
        self.guard.observe(step, loss, norm)
        self.optimizer.step()
        self.loss_sum += loss

    def rates(self) -> list[float]:
        """The learning rates of the last step, distinct, ascending."""
        return sorted({group["lr"] for group in self.optimizer.param_groups})

    def _gradients(self, stream: Stream, indices: list[int]) -> Float[Tensor, ""]:
        """Add the gradients of one mini-batch; returns its weighted loss. One backward pass each keeps memory low."""
        device = self._processes.device
        batch = stream.batch(self._processes.share(indices)).to(device)
        with torch.autocast(device.type, torch.bfloat16, enabled=self._settings.precision == "bf16"):
            loss: Float[Tensor, ""] = self._model(batch)
        loss = loss.float() * self._processes.weight(batch, len(indices))
        if loss.requires_grad:
            torch.autograd.backward(loss)
        return loss.detach()
