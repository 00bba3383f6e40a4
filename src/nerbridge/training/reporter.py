"""What is said about a stage while it trains: to the journal, to whoever watches, and to the log."""

import logging
import time
from collections.abc import Mapping
from dataclasses import asdict

from nerbridge.training.clock import Clock
from nerbridge.training.evaluation import Evaluation, FitResult
from nerbridge.training.guards import is_one_tag, one_tag_verdict, one_tag_warning
from nerbridge.training.journal import Journal
from nerbridge.training.progress import Moment, Progress
from nerbridge.training.state import State
from nerbridge.training.timetable import Timetable

logger = logging.getLogger(__name__)

PROGRESS_SECONDS = 0.5  # between two reports of progress; each waits for the device


class Reporter:
    """Tells the journal, the progress display and the log. speaks: false on all but one of several processes."""

    def __init__(self, journal: Journal, progress: Progress, *, speaks: bool) -> None:
        self._journal = journal
        self._progress = progress
        self._speaks = speaks
        self._told_at = time.monotonic()
        self._start_seconds = self._start_done = self._loss = 0.0
        self.clock = Clock()

    def start(self, state: State, timetable: Timetable, parameters: Mapping[str, int], *, resumed: bool) -> None:
        """The stage begins, or goes on where `state` is; the journal forgets what came after.

        parameters: their number, in all and by part.
        """
        self.clock = Clock(state.seconds, state.learning_seconds)
        self._start_seconds, self._start_done = state.seconds, timetable.done(state)
        if self._speaks:
            self._journal.cut(state.step if resumed else -1)
            self._journal.write("resumed" if resumed else "started", step=state.step, parameters=dict(parameters))
            if resumed:
                logger.info("%s: goes on from the checkpoint of step %d", self._journal.stage or "training", state.step)
            self._progress.start(self._journal.stage)

    def due(self) -> bool:
        """Is it time to tell how far the stage has got?"""
        return self._speaks and time.monotonic() - self._told_at >= PROGRESS_SECONDS

    def advance(self, state: State, timetable: Timetable) -> None:
        """Tell how far the stage has got."""
        self._told_at = time.monotonic()
        self._progress.advance(self._moment(state, timetable))

    def evaluated(self, state: State, timetable: Timetable, evaluation: Evaluation, *, improved: bool) -> None:
        """Tell what dev said, and warn of what stays wrong: once, added to `state`, and taken back when it passes."""
        self._watch(state, timetable, evaluation)
        if not self._speaks:
            return
        self._journal.write(
            "evaluation",
            step=state.step,
            epoch=round(timetable.epochs_done(state), 4),
            loss=state.mean_loss,
            f1=evaluation.f1,
            improved=improved,
            seconds=round(self.clock.seconds, 3),
            **evaluation.numbers,
        )
        self._progress.evaluated(self._moment(state, timetable), evaluation, improved=improved)

    def _watch(self, state: State, timetable: Timetable, evaluation: Evaluation) -> None:
        if is_one_tag(evaluation):
            state.one_tag_evaluations += 1
            self._warn(state, one_tag_warning(state, timetable.done(state)))
            return
        if state.warnings and self._speaks:
            logger.info("%s: the words of dev get different tags again", self._journal.stage or "training")
        state.one_tag_evaluations = 0
        state.warnings.clear()

    def _warn(self, state: State, warning: str | None) -> None:
        """Say it, and keep it in `state`; of several warnings the first is enough."""
        if warning is None or state.warnings:
            return
        state.warnings.append(warning)
        if self._speaks:
            logger.warning("%s: warning: %s", self._journal.stage or "training", warning)

    def finish(self, state: State, timetable: Timetable, stopped: str, *, kept_step: int) -> FitResult:
        """The result, written into the journal too, with the warnings that still hold.

        kept_step: that of the weights which the model holds now.
        """
        self._warn(state, one_tag_verdict(state))
        result = FitResult(
            f1=state.f1,
            best_f1=state.stopping.best_f1,
            best_step=state.stopping.best_step,
            steps=state.step,
            epochs=round(timetable.epochs_done(state), 4),
            seconds=round(self.clock.seconds, 3),
            words_per_second=round(state.words / max(self.clock.learning, 1e-9), 1),
            stopped=stopped,
            warnings=tuple(state.warnings),
        )
        if self._speaks:
            for warning in state.warnings:
                self._journal.write("warning", step=state.step, text=warning)
            values = asdict(result)
            self._journal.write("finished", step=values.pop("steps"), kept_step=kept_step, **values)
        return result

    def close(self) -> None:
        """Nothing more will be told."""
        if self._speaks:
            self._progress.close()

    def _moment(self, state: State, timetable: Timetable) -> Moment:
        seconds = self.clock.seconds - self._start_seconds
        done = timetable.done(state)
        advanced = done - self._start_done
        if state.loss_steps:
            self._loss = state.mean_loss
        return Moment(
            step=state.step,
            epoch=timetable.epochs_done(state),
            done=done,
            loss=self._loss,  # none yet behind an evaluation: that of before
            best_f1=state.stopping.best_f1,
            seconds=seconds,
            seconds_left=seconds * (1 - done) / advanced if advanced > 0 else None,
            words=state.words,
            learning_seconds=self.clock.learning,
        )
