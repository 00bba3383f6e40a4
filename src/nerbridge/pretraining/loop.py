"""The loop: learn, look at the held-out text now and then, keep what must not be lost."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.errors import TrainingError
from nerbridge.pretraining.batch import Collator, MaskedBatch, Share
from nerbridge.pretraining.feeding import Feeder
from nerbridge.pretraining.held_out import HeldOut
from nerbridge.pretraining.learner import Learner
from nerbridge.pretraining.masking import Ids
from nerbridge.pretraining.progress import Moment, Watcher
from nerbridge.pretraining.recovery import Recovery
from nerbridge.pretraining.state import State
from nerbridge.pretraining.timetable import Timetable, evaluation_steps
from nerbridge.training.clock import Clock
from nerbridge.training.guards import NotFinite
from nerbridge.training.journal import Journal
from nerbridge.training.processes import Processes

logger = logging.getLogger(__name__)

PROGRESS_SECONDS = 0.5  # between two reports of progress; each waits for the device
SAVE_SHARE = 0.05  # of the time, at most, goes into checkpoints


@dataclass(frozen=True)
class Material:
    """What a pre-training learns from and is measured on. held_out: None where no text could be held out."""

    collator: Collator
    timetable: Timetable
    share: Share
    held_out: HeldOut | None


class Loop:
    """One pre-training while it runs."""

    def __init__(
        self,
        learner: Learner,
        material: Material,
        settings: PretrainingSettings,
        *,
        recovery: Recovery,
        processes: Processes,
        journal: Journal,
        watcher: Watcher,
    ) -> None:
        self._learner, self._material, self._settings = learner, material, settings
        self._recovery, self._processes = recovery, processes
        self._journal, self._watcher = journal, watcher
        self._timetable = material.timetable
        self._evaluations = evaluation_steps(self._timetable, settings.evaluate_every)
        self._state, self._clock, self._feeder = State(), Clock(), Feeder()
        self._saved_at = self._told_at = time.monotonic()
        self._save_seconds = self._waited_before = self._seconds_before = 0.0
        self._first_step = 0

    def run(self) -> State:
        """Train to the end, from the start or from a checkpoint. Raises TrainingError when numbers are not finite."""
        self._start()
        try:
            self._evaluate()
            batches = self._feeder.feed(self._timetable.batches(self._state.step), self._make)
            for batch in batches:
                self._learn(batch)
                self._evaluate()
                self._look_after()
            return self._finish()
        finally:
            self._watcher.close()

    def _start(self) -> None:
        state = self._recovery.resume(self._processes)
        self._state = state or State()
        self._clock = Clock(self._state.seconds, self._state.learning_seconds)
        self._waited_before, self._first_step = self._state.waiting_seconds, self._state.step
        self._seconds_before = self._state.seconds
        self._learner.guard.remember()
        self._learner.loss_sum.fill_(self._state.loss_sum)
        if self._processes.is_main:
            self._journal.cut(self._state.step if state else -1)
            self._journal.write("resumed" if state else "started", step=self._state.step)
            if state:
                logger.info("pre-training: goes on from the checkpoint of step %s", f"{state.step:,}")
            self._watcher.start(self._timetable.total)

    def _make(self, item: tuple[int, Ids]) -> MaskedBatch:
        step, rows = item
        batch = self._material.collator(rows, self._settings, self._timetable.mask_seed(step), self._material.share)
        return batch.pinned() if self._processes.device.type == "cuda" else batch

    def _learn(self, batch: MaskedBatch) -> None:
        state = self._state
        with self._finite():
            self._learner.learn(batch, state.step)
        state.step += 1
        state.pieces += batch.num_pieces
        state.loss_steps += 1
        if state.step < self._timetable.total:
            self._learner.begin(state.step)

    @contextmanager
    def _finite(self) -> Iterator[None]:
        """Turns NotFinite into a TrainingError that says what to change."""
        try:
            yield
        except NotFinite as fault:
            raise TrainingError(
                f"the loss or its gradient became NaN or infinite at step {fault.step:,}, "
                f"with learning rate {self._learner.rate():.3g}",
                where=f"step {fault.step:,} of the pre-training",
                expected="finite numbers",
                hint="lower learning_rate and head_learning_rate, or raise warmup; with precision bf16, try float32",
            ) from None

    def _evaluate(self) -> None:
        """Look at the held-out text where it is time and has not been done."""
        state, held_out = self._state, self._material.held_out
        done = bool(state.evaluations) and state.evaluations[-1].step == state.step
        if held_out is None or state.step not in self._evaluations or done:
            return
        self._note()
        with self._clock.pause():
            device, main = self._processes.device, self._processes.is_main
            found = held_out.evaluate(self._learner.model, state.step, device) if main else None
            evaluation = self._processes.from_main(found)
        assert evaluation is not None
        state.evaluations.append(evaluation)
        if self._processes.is_main:
            numbers = {"token_perplexity": evaluation.token, "span_perplexity": evaluation.span}
            self._journal.write("evaluation", step=state.step, loss=state.mean_loss, **numbers)
            self._watcher.evaluated(evaluation)
        self._learner.loss_sum.zero_()
        state.loss_sum, state.loss_steps = 0.0, 0

    def _look_after(self) -> None:
        """Report progress and write a checkpoint where it is time; the main process only."""
        if not self._processes.is_main:
            return
        now = time.monotonic()
        if now - self._told_at >= PROGRESS_SECONDS and self._state.loss_steps:  # an evaluation has told it all
            self._note()
            self._told_at = now
            self._watcher.advance(self._moment())
        waited = now - self._saved_at
        pause = self._settings.checkpoint_seconds
        if waited >= (max(pause, self._save_seconds / SAVE_SHARE) if pause else 0.0):
            self._note()
            with self._clock.pause():
                self._recovery.save(self._state)
            self._saved_at = time.monotonic()
            self._save_seconds = self._saved_at - now

    def _note(self) -> None:
        """Bring loss and seconds into the state, after a look that all is finite."""
        with self._finite():
            self._learner.guard.look()
        state = self._state
        state.loss_sum = float(self._learner.loss_sum)
        state.seconds, state.learning_seconds = self._clock.seconds, self._clock.learning
        state.waiting_seconds = self._waited_before + self._feeder.waited

    def _moment(self) -> Moment:
        state = self._state
        seconds = self._clock.seconds - self._seconds_before
        advanced = state.step - self._first_step
        left = (self._timetable.total - state.step) * seconds / advanced if advanced else None
        return Moment(
            state.step,
            self._timetable.total,
            state.mean_loss,
            state.pieces_per_second,
            state.waiting_share,
            seconds,
            left,
        )

    def _finish(self) -> State:
        self._note()
        self._learner.model.eval()
        if self._processes.is_main:
            self._journal.write("finished", step=self._state.step, seconds=round(self._state.seconds, 3))
        return self._state
