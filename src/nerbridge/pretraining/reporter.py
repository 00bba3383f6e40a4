"""What is told of a pre-training while it runs: to the journal, to whoever watches, and to the log."""

import logging
import time
from dataclasses import dataclass

from nerbridge.pretraining.progress import Moment, Watcher
from nerbridge.pretraining.state import Evaluation, State
from nerbridge.training.clock import Clock
from nerbridge.training.journal import Journal

logger = logging.getLogger(__name__)

PROGRESS_SECONDS = 0.5  # between two reports of progress; each waits for the device


@dataclass(frozen=True)
class Measure:
    """What pieces are told as. unit: its plural. share: so many of it are in a piece."""

    unit: str = "pieces"
    share: float = 1.0


class Reporter:
    """Tells journal and watcher. speaks: false on all but one of several processes. clock: of steps and all else.

    measure: what pieces are told as.
    """

    def __init__(self, journal: Journal, watcher: Watcher, *, speaks: bool, measure: Measure | None = None) -> None:
        self._journal, self._watcher, self._speaks = journal, watcher, speaks
        self._measure = measure or Measure()
        self._told_at = time.monotonic()
        self._total = self._first_step = 0
        self._seconds_before = self._waited_before = 0.0
        self.clock = Clock()

    def start(self, state: State, total: int, *, resumed: bool) -> None:
        """It begins, or goes on where `state` is; the journal forgets what came after. total: steps in all."""
        self.clock = Clock(state.seconds, state.learning_seconds)
        self._total, self._first_step = total, state.step
        self._seconds_before, self._waited_before = state.seconds, state.waiting_seconds
        if not self._speaks:
            return
        self._journal.cut(state.step if resumed else -1)
        self._journal.write("resumed" if resumed else "started", step=state.step)
        if resumed:
            logger.info("pre-training: goes on from the checkpoint of step %s", f"{state.step:,}")
        self._watcher.start(total)

    def note(self, state: State, waited: float) -> None:
        """Write the seconds so far into `state`. waited: of this attempt, for data."""
        state.seconds, state.learning_seconds = self.clock.seconds, self.clock.learning
        state.waiting_seconds = self._waited_before + waited

    def due(self, state: State) -> bool:
        """Is it time to tell how far it has got? Not right behind an evaluation, which has told it all."""
        return self._speaks and state.loss_steps > 0 and time.monotonic() - self._told_at >= PROGRESS_SECONDS

    def advance(self, state: State) -> None:
        """Tell how far it has got; `state` has just been noted."""
        self._told_at = time.monotonic()
        seconds, advanced = state.seconds - self._seconds_before, state.step - self._first_step
        self._watcher.advance(
            Moment(
                step=state.step,
                total=self._total,
                loss=state.mean_loss,
                pieces_per_second=state.pieces_per_second * self._measure.share,
                waiting_share=state.waiting_share,
                seconds=seconds,
                seconds_left=(self._total - state.step) * seconds / advanced if advanced else None,
                unit=self._measure.unit,
            )
        )

    def evaluated(self, state: State, evaluation: Evaluation) -> None:
        """Tell what the held-out text says."""
        if self._speaks:
            self._journal.write("evaluation", step=state.step, loss=state.mean_loss, **evaluation.numbers)
            self._watcher.evaluated(evaluation)

    def finish(self, state: State) -> None:
        """It has come to its end."""
        if self._speaks:
            pace = {f"{self._measure.unit}_per_second": round(state.pieces_per_second * self._measure.share, 1)}
            waiting, seconds = round(state.waiting_share, 5), round(state.seconds, 3)
            self._journal.write("finished", step=state.step, seconds=seconds, **pace, waiting_share=waiting)

    def close(self) -> None:
        """Nothing more will be told."""
        if self._speaks:
            self._watcher.close()
