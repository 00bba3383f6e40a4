"""Checkpoints: one file that holds all that a killed stage needs to go on, written so that it is whole or not there.

`checkpoint.safetensors` holds weights and optimiser state as tensors and the rest as JSON in its metadata. The best
weights so far lie beside it in `best-STEP.safetensors`, complete before a checkpoint refers to them. Both are written
as `tensor_file` says.
"""

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from nerbridge.training.tensor_file import PARTIAL, DamagedFile, read_state, read_tensors, write_tensors

logger = logging.getLogger(__name__)

FILE = "checkpoint.safetensors"
ASIDE = ".tmp*"  # what safetensors calls such a file while it writes it


@dataclass(frozen=True)
class Checkpoint:
    """tensors: weights as 'model/NAME' and optimiser state as 'optimizer/KEY/NAME'. state: JSON values.

    best: the best weights so far by parameter name; None when there are none.
    """

    tensors: dict[str, Tensor]
    state: dict[str, Any]
    best: dict[str, Tensor] | None = None


class CheckpointFolder:
    """The checkpoint of one stage in `workdir`. digest: of everything that decides how the stage goes."""

    def __init__(self, workdir: Path, digest: str) -> None:
        self._workdir = workdir
        self._digest = digest

    def load(self) -> Checkpoint | None:
        """The last complete checkpoint; None when there is none, it is damaged, or it is of another stage."""
        path = self._workdir / FILE
        if not path.exists():
            return None
        try:
            tensors, state = read_tensors(path)
            if state["digest"] != self._digest:
                logger.warning("%s is of other settings, data or seed: ignored, training starts anew", path)
                return None
            best = read_tensors(self._workdir / state["best"])[0] if state["best"] else None
        except DamagedFile as fault:
            logger.warning("%s: ignored, training starts anew", fault)
            return None
        return Checkpoint(tensors, state["state"], best)

    def save(self, checkpoint: Checkpoint, best_step: int | None) -> None:
        """Replace the checkpoint. best_step: the step of `checkpoint.best`, written too unless it is there already."""
        self._workdir.mkdir(parents=True, exist_ok=True)
        best = None if checkpoint.best is None else f"best-{best_step}.safetensors"
        if best and checkpoint.best is not None and not (self._workdir / best).exists():
            write_tensors(self._workdir / best, checkpoint.best, {})
        state = {"digest": self._digest, "best": best, "state": checkpoint.state}
        write_tensors(self._workdir / FILE, checkpoint.tensors, state)
        self._remove_leftovers(best)

    def clean(self) -> None:
        """Remove what a killed write left behind; without a usable checkpoint, every file of an earlier attempt."""
        path = self._workdir / FILE
        best = None
        if path.exists():
            try:
                state = read_state(path)
            except DamagedFile:
                state = {}
            best = state.get("best") if state.get("digest") == self._digest else None
        self._remove_leftovers(best)

    def _remove_leftovers(self, best: str | None) -> None:
        patterns = ("best-*.safetensors", f"*.safetensors{PARTIAL}", ASIDE)
        for path in [path for pattern in patterns for path in self._workdir.glob(pattern)]:
            if path.name != best:
                path.unlink(missing_ok=True)


def clear_checkpoints(workdir: Path) -> None:
    """Remove every file that training wrote into `workdir`, once the stage's result is safe elsewhere."""
    patterns = (FILE, "best-*.safetensors", "rescued-*.safetensors", f"*.safetensors{PARTIAL}", ASIDE)
    for path in [path for pattern in patterns for path in workdir.glob(pattern)]:
        path.unlink(missing_ok=True)


def named_weights(model: nn.Module) -> dict[str, Tensor]:
    """Everything a model must keep, by name, each shared tensor once; the tensors are the model's own."""
    kept = model.state_dict(keep_vars=True).keys()
    own = [*model.named_parameters(), *model.named_buffers()]
    return {name: tensor.detach() for name, tensor in own if name in kept}
