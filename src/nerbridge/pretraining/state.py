"""Where a pre-training stands: all the plain numbers that a checkpoint keeps."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class MaskedEvaluation:
    """How well masked pieces of the held-out text are filled, with masks that never change.

    step: steps done. token, span: perplexity with token-level and with span-level masks.
    """

    step: int
    token: float
    span: float

    @property
    def numbers(self) -> Mapping[str, float]:
        """By their names in the journal."""
        return {"token_perplexity": self.token, "span_perplexity": self.span}

    def describe(self) -> str:
        """'9.31 with token masks, 14.20 with span masks'."""
        return f"{self.token:,.2f} with token masks, {self.span:,.2f} with span masks"


@dataclass(frozen=True)
class DirectedEvaluation:
    """How well the held-out text is predicted, of words by elmo, of characters by flair.

    step: steps done. forward, backward: perplexity of what comes next, and of what stood before.
    """

    step: int
    forward: float
    backward: float

    @property
    def numbers(self) -> Mapping[str, float]:
        """By their names in the journal."""
        return {"forward_perplexity": self.forward, "backward_perplexity": self.backward}

    def describe(self) -> str:
        """'85.20 forward, 90.07 backward'."""
        return f"{self.forward:,.2f} forward, {self.backward:,.2f} backward"


Evaluation = MaskedEvaluation | DirectedEvaluation


def evaluation_from_json(values: dict[str, Any]) -> Evaluation:
    """The evaluation whose fields were written."""
    return MaskedEvaluation(**values) if "token" in values else DirectedEvaluation(**values)


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
        return cls(**{**values, "evaluations": [evaluation_from_json(one) for one in values["evaluations"]]})

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
