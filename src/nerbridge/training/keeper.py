"""What must not be lost: the state of a stage on disk, its best weights, and its last good ones."""

import logging
from pathlib import Path

import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from nerbridge.training.checkpoint import Checkpoint, CheckpointFolder, named_weights
from nerbridge.training.optimiser import load_state_tensors, state_tensors
from nerbridge.training.processes import Processes
from nerbridge.training.state import State
from nerbridge.training.tensor_file import write_tensors

logger = logging.getLogger(__name__)

_MODEL, _OPTIMIZER = "model/", "optimizer/"


class Keeper:
    """Saves and restores a stage.

    The best weights are kept in memory, beside the model, and written when the next checkpoint is: a killed stage goes
    on from its checkpoint and finds them again by itself.
    """

    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, folder: CheckpointFolder) -> None:
        self._model = model
        self._optimizer = optimizer
        self._folder = folder
        self._weights = named_weights(model)
        self._best: dict[str, Tensor] | None = None

    def resume(self, processes: Processes) -> State | None:
        """Put model and optimiser where the last checkpoint left them; None, and all as it is, when there is none."""
        if processes.is_main:
            self._folder.clean()
        processes.from_main(None)
        checkpoint = self._folder.load()
        if not processes.all_agree(checkpoint is not None) or checkpoint is None:
            processes.equalise(self._weights.values())
            return None
        self._load(_under(checkpoint.tensors, _MODEL))
        load_state_tensors(self._model, self._optimizer, _under(checkpoint.tensors, _OPTIMIZER))
        if checkpoint.best is not None:
            self._best = {name: tensor.to(self._weights[name].device) for name, tensor in checkpoint.best.items()}
        return State.from_json(checkpoint.state)

    def save(self, state: State) -> None:
        """Write a checkpoint; where the disk refuses, say so and let training go on."""
        tensors = {_MODEL + name: tensor for name, tensor in self._weights.items()}
        optimizer = state_tensors(self._model, self._optimizer)
        tensors |= {_OPTIMIZER + name: tensor for name, tensor in optimizer.items()}
        try:
            self._folder.save(Checkpoint(tensors, state.to_json(), self._best), state.stopping.best_step)
        except (OSError, SafetensorError) as fault:
            logger.warning("no checkpoint of step %d could be written (%s); training goes on", state.step, fault)

    def keep_best(self) -> None:
        """The model's weights are the best so far."""
        self._best = {name: tensor.clone() for name, tensor in self._weights.items()}

    def select_best(self) -> None:
        """Give the model the best weights, if any were kept."""
        if self._best is not None:
            self._load(self._best)

    def rescue_best(self, workdir: Path, step: int | None) -> Path | None:
        """Write the best weights so far where no later run of the stage touches them.

        None when none were kept, or when the disk refuses, which is said.
        """
        if self._best is None:
            return None
        path = workdir / f"rescued-{step}.safetensors"
        try:
            workdir.mkdir(parents=True, exist_ok=True)
            write_tensors(path, self._best, {})
        except (OSError, SafetensorError) as fault:
            logger.warning("the best weights could not be written (%s)", fault)
            return None
        return path

    def _load(self, tensors: dict[str, Tensor]) -> None:
        with torch.no_grad():
            for name, tensor in tensors.items():
                self._weights[name].copy_(tensor)


def _under(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
