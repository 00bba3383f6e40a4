"""The loop: learn, evaluate now and then, keep what must not be lost, stop."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import torch

from nerbridge.assembly.parameters import parameter_counts
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.config.training import TrainingSettings
from nerbridge.training.checkpoint import CheckpointFolder, named_weights
from nerbridge.training.digest import stage_digest
from nerbridge.training.evaluation import Evaluate, Evaluation, FitResult
from nerbridge.training.guards import NotFinite, not_finite
from nerbridge.training.interruption import Interruption
from nerbridge.training.keeper import Keeper
from nerbridge.training.learner import Learner
from nerbridge.training.pace import Pace
from nerbridge.training.processes import Processes
from nerbridge.training.reporter import Reporter
from nerbridge.training.state import State
from nerbridge.training.timetable import Timetable


class Loop:
    """One stage while it trains."""

    def __init__(
        self,
        model: Tagger,
        streams: Sequence[Stream],
        settings: TrainingSettings,
        *,
        seed: int,
        workdir: Path,
        processes: Processes,
        reporter: Reporter,
    ) -> None:
        self._model = model.to(processes.device)
        self._settings = settings
        self._workdir = workdir
        self._processes = processes
        self._reporter = reporter
        self._learner = Learner(model, streams, settings, seed=seed, processes=processes)
        self._timetable = Timetable(streams, settings, seed)
        digest = stage_digest(settings, seed, streams, named_weights(model))
        self._keeper = Keeper(model, self._learner.optimizer, CheckpointFolder(workdir, digest))
        self._state = State()
        self._pace = Pace(settings.checkpoint_seconds)
        self._interruption = Interruption(alone=processes.count == 1)

    def run(self, evaluate: Evaluate | None) -> FitResult:
        """Train to the end, from the start or from a checkpoint. Ctrl-C waits for the end of a step and keeps it."""
        self._start()
        try:
            return self._finish(self._train(evaluate))
        finally:
            self._reporter.close()

    def _train(self, evaluate: Evaluate | None) -> str:
        """Step by step, until it is over; returns why."""
        try:
            if evaluate is not None and self._state.due:  # it was stopped behind the step
                self._evaluate(evaluate)
            while (stopped := self._stopped()) is None:
                with self._interruption.held_back():
                    self._learn()
                self._look_after(better=evaluate is not None and self._state.due and self._evaluate(evaluate))
            return stopped
        except KeyboardInterrupt:
            self._keep()
            raise

    def _start(self) -> None:
        state = self._keeper.resume(self._processes)
        self._state = state or State()
        self._saved_step = self._state.step
        self._learner.guard.remember()
        self._learner.loss_sum.fill_(self._state.loss_sum)
        self._model.train()
        counts = parameter_counts(self._model)
        self._reporter.start(self._state, self._timetable, counts, resumed=state is not None)

    def _learn(self) -> None:
        state, before = self._state, self._timetable.epochs_done(self._state)
        steps = self._timetable.steps(state.epoch)
        parts = steps[state.place]
        with self._finite():
            self._learner.learn(parts, step=state.step, done=self._timetable.done(state, 0.5))
        state.advance(len(steps), self._timetable.num_words(parts))
        state.due = self._timetable.evaluation_is_due(state, before)

    @contextmanager
    def _finite(self) -> Iterator[None]:
        """Turns NotFinite into a TrainingError that says where the best weights are."""
        try:
            yield
        except NotFinite as fault:
            stopping = self._state.stopping
            path = self._keeper.rescue_best(self._workdir, stopping.best_step) if self._processes.is_main else None
            raise not_finite(fault.step, self._learner.rates(), stopping.describe_best(path)) from None

    def _evaluate(self, evaluate: Evaluate) -> bool:
        """Evaluate on dev and take note; have better weights been kept?"""
        state = self._state
        self._note_loss()
        with self._reporter.clock.pause():
            evaluation = self._processes.from_main(self._ask(evaluate) if self._processes.is_main else None)
        assert evaluation is not None
        with self._interruption.held_back():
            improved = state.stopping.observe(evaluation.f1, state.step)
            kept = improved and self._settings.selection == "dev"
            if kept:
                self._keeper.keep_best()
            state.f1, state.due = evaluation.f1, False
            self._reporter.evaluated(state, self._timetable, evaluation, improved=improved)
            self._learner.loss_sum.zero_()
            state.loss_sum, state.loss_steps = 0.0, 0
        return kept

    def _ask(self, evaluate: Evaluate) -> Evaluation:
        self._model.eval()
        with torch.no_grad():
            evaluation = evaluate(self._model)
        self._model.train()
        return evaluation

    def _look_after(self, *, better: bool) -> None:
        """Report progress and write a checkpoint where it is time; the main process only."""
        if not self._processes.is_main:
            return
        if self._reporter.due():
            self._note_loss()
            self._reporter.advance(self._state, self._timetable)
        if self._pace.due(better=better):
            self._save()

    def _keep(self) -> None:
        """A checkpoint of the last step, behind a Ctrl-C that has left it whole."""
        if self._processes.is_main and self._interruption.whole and self._state.step > self._saved_step:
            self._save()

    def _save(self) -> None:
        self._note_loss()
        with self._pace.saving(), self._reporter.clock.pause():
            self._reporter.clock.note(self._state)
            self._keeper.save(self._state)
        self._saved_step = self._state.step

    def _note_loss(self) -> None:
        """Bring the loss from the device into the state, after a look that all is finite."""
        with self._finite():
            self._learner.guard.look()
        self._state.loss_sum = float(self._learner.loss_sum)

    def _finish(self, stopped: str) -> FitResult:
        self._note_loss()
        state, kept_step = self._state, self._state.step
        if self._settings.selection == "dev":
            self._keeper.select_best()
            state.f1, kept_step = state.stopping.best_f1, state.stopping.best_step or kept_step
        self._processes.equalise(named_weights(self._model).values())
        self._model.eval()
        return self._reporter.finish(state, self._timetable, stopped, kept_step=kept_step)

    def _stopped(self) -> str | None:
        """Why training is over; None while it is not."""
        if self._settings.selection == "dev" and self._state.stopping.exhausted(self._settings.patience):
            return "patience"
        return self._timetable.over(self._state)
