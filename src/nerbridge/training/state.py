"""Where a stage stands: all the plain numbers that a checkpoint keeps."""

from dataclasses import asdict, dataclass, field
from typing import Any

from nerbridge.training.stopping import Stopping


@dataclass
class State:
    """step: updates made. epoch, place: epochs done and steps done in the current one. words: learnt from, repeats too.

    loss_sum, loss_steps: of the steps since the last evaluation. f1: of the last evaluation.
    seconds, learning_seconds: so far, all and those spent learning.
    one_tag_evaluations: the last so many in a row gave every word of dev the same tag.
    due: has the evaluation behind this step still to be made?
    """

    step: int = 0
    epoch: int = 0
    place: int = 0
    words: int = 0
    loss_sum: float = 0.0
    loss_steps: int = 0
    f1: float | None = None
    seconds: float = 0.0
    learning_seconds: float = 0.0
    stopping: Stopping = field(default_factory=Stopping)
    warnings: list[str] = field(default_factory=list)
    one_tag_evaluations: int = 0
    due: bool = False

    def to_json(self) -> dict[str, Any]:
        """JSON values; `from_json` takes them back without loss."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "State":
        """The state that `to_json` wrote."""
        return cls(**{**values, "stopping": Stopping(**values["stopping"])})

    @property
    def mean_loss(self) -> float:
        """Of the steps since the last evaluation; 0 before the first."""
        return self.loss_sum / max(self.loss_steps, 1)

    def advance(self, steps_in_epoch: int, words: int) -> None:
        """One more step, the `place`-th of an epoch with `steps_in_epoch` steps, from `words` words."""
        self.step += 1
        self.place += 1
        self.words += words
        self.loss_steps += 1
        if self.place == steps_in_epoch:
            self.epoch, self.place = self.epoch + 1, 0
