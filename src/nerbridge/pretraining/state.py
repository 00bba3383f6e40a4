"""Where a pre-training stands: all the plain numbers that a checkpoint keeps."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Evaluation:
    """How well masked pieces of the held-out text are filled, with masks that never change.

    step: steps done. token, span: perplexity with token-level and with span-level masks.
    """

    step: int
    token: float
    span: float


@dataclass
class State:
    """step: steps done. pieces: learnt from, padding not counted. loss_sum, loss_steps: since the last evaluation.

    seconds, learning_seconds, waiting_seconds: so far; all, those of steps, and those of steps that waited for data.
    """

    step: int = 0
    pieces: int = 0
    loss_sum: float = 0.0
    loss_steps: int = 0
    seconds: float = 0.0
    learning_seconds: float = 0.0
    waiting_seconds: float = 0.0
    evaluations: list[Evaluation] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """JSON values; `from_json` takes them back without loss."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "State":
        """The state that `to_json` wrote."""
        return cls(**{**values, "evaluations": [Evaluation(**one) for one in values["evaluations"]]})

    @property
    def mean_loss(self) -> float:
        """Of the steps since the last evaluation; 0 before the first."""
        return self.loss_sum / max(self.loss_steps, 1)

    @property
    def pieces_per_second(self) -> float:
        """Of the steps, without evaluations and checkpoints."""
        return self.pieces / max(self.learning_seconds, 1e-9)

    @property
    def waiting_share(self) -> float:
        """Share (0 to 1) of the time of steps in which they waited for data."""
        return self.waiting_seconds / max(self.learning_seconds, 1e-9)
