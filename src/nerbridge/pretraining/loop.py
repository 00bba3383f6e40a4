"""The loop: learn, look at the held-out text now and then, keep what must not be lost."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.errors import TrainingError
from nerbridge.pretraining.feeding import Feeder
from nerbridge.pretraining.learner import Learner
from nerbridge.pretraining.learning_material import Material
from nerbridge.pretraining.masking import Ids
from nerbridge.pretraining.recovery import Recovery
from nerbridge.pretraining.reporter import Reporter
from nerbridge.pretraining.state import State
from nerbridge.pretraining.step_batch import StepBatch
from nerbridge.pretraining.timetable import AnyTraining, evaluation_steps
from nerbridge.training.guards import NotFinite
from nerbridge.training.interruption import Interruption
from nerbridge.training.pace import Pace
from nerbridge.training.processes import Processes

REMEDY = "lower learning_rate, or raise warmup"
MASKED_REMEDY = (
    "lower learning_rate and head_learning_rate, or raise warmup; with precision bf16 (auto on most GPUs), try float32"
)


class Loop:
    """One pre-training while it runs."""

    def __init__(
        self,
        learner: Learner,
        material: Material,
        settings: AnyTraining,
        *,
        recovery: Recovery,
        processes: Processes,
        reporter: Reporter,
    ) -> None:
        self._learner, self._material, self._settings = learner, material, settings
        self._recovery, self._processes, self._reporter = recovery, processes, reporter
        self._timetable = material.timetable
        self._evaluations = evaluation_steps(self._timetable, settings.evaluate_every)
        self._state, self._feeder, self._pace = State(), Feeder(), Pace(settings.checkpoint_seconds)
        self._interruption = Interruption(alone=processes.count == 1)

    def run(self) -> State:
        """Train to the end, from the start or from a checkpoint. Raises TrainingError when numbers are not finite.

        Ctrl-C waits for the end of a step, and leaves a checkpoint of it.
        """
        self._start()
        try:
            self._evaluate()
            with closing(self._feeder.feed(self._timetable.batches(self._state.step), self._make)) as batches:
                for batch in batches:
                    with self._interruption.held_back():
                        self._learn(batch)
                    self._evaluate()
                    self._look_after()
            return self._finish()
        except KeyboardInterrupt:
            self._keep()
            raise
        finally:
            self._reporter.close()

    def _start(self) -> None:
        state = self._recovery.resume(self._processes)
        self._state = state or State()
        self._saved_step = self._state.step
        self._learner.guard.remember()
        self._learner.loss_sum.fill_(self._state.loss_sum)
        self._reporter.start(self._state, self._timetable.total, resumed=state is not None)

    def _make(self, item: tuple[int, Ids]) -> StepBatch[Any]:
        step, rows = item
        batch = self._material.collator(rows, self._settings, self._timetable.mask_seed(step), self._material.share)
        return batch.pinned() if self._processes.device.type == "cuda" else batch

    def _learn(self, batch: StepBatch[Any]) -> None:
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
                hint=MASKED_REMEDY if isinstance(self._settings, PretrainingSettings) else REMEDY,
            ) from None

    def _evaluate(self) -> None:
        """Look at the held-out text where it is time and has not been done."""
        state, held_out = self._state, self._material.held_out
        done = bool(state.evaluations) and state.evaluations[-1].step == state.step
        if held_out is None or state.step not in self._evaluations or done:
            return
        self._note()
        with self._reporter.clock.pause():
            device, main = self._processes.device, self._processes.is_main
            found = held_out.evaluate(self._learner.model, state.step, device) if main else None
            evaluation = self._processes.from_main(found)
        assert evaluation is not None
        with self._interruption.held_back():
            state.evaluations.append(evaluation)
            self._reporter.evaluated(state, evaluation)
            self._learner.loss_sum.zero_()
            state.loss_sum, state.loss_steps = 0.0, 0

    def _look_after(self) -> None:
        """Report progress and write a checkpoint where it is time; the main process only."""
        if not self._processes.is_main:
            return
        if self._reporter.due(self._state):
            self._note()
            self._reporter.advance(self._state)
        if self._pace.due(better=False):
            self._save()

    def _keep(self) -> None:
        """A checkpoint of the last step, behind a Ctrl-C that has left it whole."""
        if self._interruption.whole and self._state.step > self._saved_step:
            self._save()

    def _save(self) -> None:
        self._note()
        with self._reporter.clock.pause(), self._pace.saving():
            self._recovery.save(self._state)
        self._saved_step = self._state.step

    def _note(self) -> None:
        """Bring loss and seconds into the state, after a look that all is finite."""
        with self._finite():
            self._learner.guard.look()
        self._state.loss_sum = float(self._learner.loss_sum)
        self._reporter.note(self._state, self._feeder.waited)

    def _finish(self) -> State:
        self._note()
        self._learner.model.eval()
        self._reporter.finish(self._state)
        return self._state
