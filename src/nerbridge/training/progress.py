"""What the loop tells while it runs, and the plain way to show it: a line now and then through logging."""

import logging
from dataclasses import dataclass
from typing import Protocol

from nerbridge.training.evaluation import Evaluation

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Moment:
    """Where a stage stands.

    epoch: epochs done, with a fraction. done: share (0 to 1) of the longest this stage may take; it may stop earlier.
    loss: mean since the last evaluation. best_f1: a fraction; None before the first evaluation.
    seconds: since the start of this attempt. seconds_left: at most; None when too little is done to say.
    words: learnt from since the stage began, in learning_seconds, earlier attempts included.
    """

    step: int
    epoch: float
    done: float
    loss: float
    best_f1: float | None
    seconds: float
    seconds_left: float | None
    words: int
    learning_seconds: float

    @property
    def words_per_second(self) -> float:
        """The pace of the whole stage so far."""
        return self.words / max(self.learning_seconds, 1e-9)


class Progress(Protocol):
    """Shows a stage to somebody. The loop calls it about twice a second, on the main process only."""

    def start(self, stage: str) -> None:
        """A stage begins or goes on."""

    def advance(self, moment: Moment) -> None:
        """It has got so far."""

    def evaluated(self, moment: Moment, evaluation: Evaluation, *, improved: bool) -> None:
        """Dev was evaluated."""

    def close(self) -> None:
        """It has ended, whether well or not."""


class PlainProgress:
    """One log line per evaluation, and between them one per tenth of the stage, at most every `seconds`.

    A stage that takes hours gets a line every minute.
    """

    def __init__(self, seconds: float = 10.0) -> None:
        self._pause = seconds
        self._stage = ""
        self._last_seconds = 0.0
        self._last_done = 0.0

    def start(self, stage: str) -> None:
        self._stage = stage
        self._last_seconds = self._last_done = 0.0

    def advance(self, moment: Moment) -> None:
        waited = moment.seconds - self._last_seconds
        if waited >= 6 * self._pause or (waited >= self._pause and moment.done - self._last_done >= 0.1):
            self._say(moment, "")

    def evaluated(self, moment: Moment, evaluation: Evaluation, *, improved: bool) -> None:
        how = " (no entity right yet)" if moment.best_f1 == 0 else " (best so far)" if improved else ""
        self._say(moment, f", dev F1 {100 * evaluation.f1:.2f}{how}")

    def close(self) -> None:
        """Nothing to tidy up."""

    def _say(self, moment: Moment, scores: str) -> None:
        self._last_seconds, self._last_done = moment.seconds, moment.done
        left = "" if moment.seconds_left is None else f", at most {clock_text(moment.seconds_left)} left"
        logger.info(
            "%s: step %d, epoch %.2f, loss %.4f%s, %s words/s%s",
            self._stage or "training",
            moment.step,
            moment.epoch,
            moment.loss,
            scores,
            f"{moment.words_per_second:,.0f}",
            left,
        )


def clock_text(seconds: float) -> str:
    """'0:42', '12:05' or '3:07:00'."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
