"""What a pre-training tells while it runs, and the plain way to show it: a line now and then through logging."""

import logging
from dataclasses import dataclass
from typing import Protocol

from nerbridge.pretraining.state import Evaluation
from nerbridge.training.progress import clock_text

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Moment:
    """Where a pre-training stands.

    step, total: steps done, and all. loss: mean since the last evaluation. pieces_per_second: of learning alone.
    waiting_share: share (0 to 1) of the steps' time in which they waited for data. seconds: since the start of this
    attempt. seconds_left: None when too little is done to say. unit: what pieces are called.
    """

    step: int
    total: int
    loss: float
    pieces_per_second: float
    waiting_share: float
    seconds: float
    seconds_left: float | None
    unit: str = "pieces"


class Watcher(Protocol):
    """Shows a pre-training to somebody. Called about twice a second, on the main process only."""

    def start(self, total: int) -> None:
        """It begins or goes on; `total` steps in all."""

    def advance(self, moment: Moment) -> None:
        """It has got so far."""

    def evaluated(self, evaluation: Evaluation) -> None:
        """The held-out text was read."""

    def close(self) -> None:
        """It has ended, whether well or not."""


class PlainWatcher:
    """One log line per evaluation, and between them one per tenth of the steps, at most every `seconds`.

    What takes hours gets a line every minute.
    """

    def __init__(self, seconds: float = 10.0) -> None:
        self._pause = seconds
        self._last_seconds = 0.0
        self._last_step = 0

    def start(self, total: int) -> None:  # noqa: ARG002
        self._last_seconds, self._last_step = 0.0, 0

    def advance(self, moment: Moment) -> None:
        waited = moment.seconds - self._last_seconds
        enough = moment.step - self._last_step >= moment.total / 10
        if waited >= 6 * self._pause or (waited >= self._pause and enough):
            self._last_seconds, self._last_step = moment.seconds, moment.step
            logger.info("pre-training: step %s of %s, %s", f"{moment.step:,}", f"{moment.total:,}", describe(moment))

    def evaluated(self, evaluation: Evaluation) -> None:
        logger.info("pre-training: %s", describe_evaluation(evaluation))

    def close(self) -> None:
        """Nothing to tidy up."""


def describe(moment: Moment) -> str:
    """'loss 2.1034, 5,310 pieces/s, 0.1 % waiting for data, 12:05 left'."""
    left = "" if moment.seconds_left is None else f", {clock_text(moment.seconds_left)} left"
    waiting = f"{100 * moment.waiting_share:.1f} % waiting for data"
    return f"loss {moment.loss:.4f}, {moment.pieces_per_second:,.0f} {moment.unit}/s, {waiting}{left}"


def describe_evaluation(evaluation: Evaluation) -> str:
    """'perplexity after step 250: 9.31 with token masks, 14.20 with span masks'."""
    return f"perplexity after step {evaluation.step:,}: {evaluation.describe()}"
