"""What a killed pre-training needs to go on: weights, optimiser and numbers, in one checkpoint."""

import logging
from pathlib import Path

import torch
from safetensors import SafetensorError
from torch import Tensor

from nerbridge.pretraining.learner import Learner
from nerbridge.pretraining.state import State
from nerbridge.training.checkpoint import Checkpoint, CheckpointFolder, named_weights
from nerbridge.training.optimiser import load_state_tensors, state_tensors
from nerbridge.training.processes import Processes

logger = logging.getLogger(__name__)

_MODEL, _OPTIMIZER = "model/", "optimizer/"


class Recovery:
    """Saves and restores a pre-training. key: of everything that decides how it goes."""

    def __init__(self, learner: Learner, workdir: Path, key: str) -> None:
        self._learner = learner
        self._folder = CheckpointFolder(workdir, key)
        self._weights = named_weights(learner.model)

    def resume(self, processes: Processes) -> State | None:
        """Put model and optimiser where the last checkpoint left them; None, all at step 0, when there is none."""
        if processes.is_main:
            self._folder.clean()
        processes.from_main(None)
        checkpoint = self._folder.load()
        if not processes.all_agree(checkpoint is not None) or checkpoint is None:
            processes.equalise(self._weights.values())
            self._learner.begin(0)
            return None
        state = State.from_json(checkpoint.state)
        with torch.no_grad():
            for name, tensor in _under(checkpoint.tensors, _MODEL).items():
                self._weights[name].copy_(tensor)
        self._learner.begin(state.step)
        optimizer = _under(checkpoint.tensors, _OPTIMIZER)
        load_state_tensors(self._learner.model, self._learner.optimizer, optimizer)
        return state

    def save(self, state: State) -> None:
        """Write a checkpoint; where the disk refuses, say so and let training go on."""
        tensors = {_MODEL + name: tensor for name, tensor in self._weights.items()}
        optimizer = state_tensors(self._learner.model, self._learner.optimizer)
        tensors |= {_OPTIMIZER + name: tensor for name, tensor in optimizer.items()}
        try:
            self._folder.save(Checkpoint(tensors, state.to_json()), None)
        except (OSError, SafetensorError) as fault:
            logger.warning("no checkpoint of step %d could be written (%s); training goes on", state.step, fault)


def _under(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
