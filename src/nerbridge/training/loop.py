"""The loop: learn, evaluate now and then, keep what must not be lost, stop.

One loop for CPU and GPU, one process or several, interrupted or not. On a GPU nothing in a step waits for the device.
"""

import math
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.config.training import TrainingSettings
from nerbridge.training.checkpoint import CheckpointFolder, named_weights
from nerbridge.training.digest import stage_digest
from nerbridge.training.evaluation import Evaluate, Evaluation, FitResult
from nerbridge.training.guards import FiniteGuard, not_finite
from nerbridge.training.journal import Journal
from nerbridge.training.keeper import Keeper
from nerbridge.training.optimiser import build_optimizer, set_rates
from nerbridge.training.processes import Processes
from nerbridge.training.progress import Progress
from nerbridge.training.reporter import Reporter
from nerbridge.training.schedule import rate_factor
from nerbridge.training.seeding import seed_step
from nerbridge.training.state import State
from nerbridge.training.timetable import Timetable

SAVE_SHARE = 0.1  # of the time, at most, goes into checkpoints after better evaluations


class Loop:
    """One stage while it trains; the arguments are those of `fit`."""

    def __init__(
        self,
        model: Tagger,
        streams: Sequence[Stream],
        settings: TrainingSettings,
        *,
        seed: int,
        evaluate: Evaluate | None,
        workdir: Path,
        journal: Journal,
        progress: Progress,
    ) -> None:
        self._processes = Processes()
        self._device = self._processes.device
        self._model = model.to(self._device)
        self._streams, self._settings, self._seed, self._evaluator = streams, settings, seed, evaluate
        self._workdir = workdir
        self._parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
        self._optimizer = build_optimizer(model, settings)
        self._timetable = Timetable(streams, settings, seed)
        self._lengths = [[len(sentence) for sentence in stream.sentences] for stream in streams]
        weights = named_weights(model)
        self._guard = FiniteGuard(weights, self._device)
        digest = stage_digest(settings, seed, streams, weights)
        self._keeper = Keeper(model, self._optimizer, CheckpointFolder(workdir, digest))
        self._reporter = Reporter(journal, progress, speaks=self._processes.is_main)

    def run(self) -> FitResult:
        """Train to the end."""
        self._start()
        try:
            while (stopped := self._stopped()) is None:
                before = self._epochs_done()
                self._learn()
                improved = self._evaluate() if self._evaluation_is_due(before) else False
                self._look_after(improved)
            return self._finish(stopped)
        finally:
            self._reporter.close()

    def _start(self) -> None:
        state = self._keeper.resume(self._processes)
        self._state = state or State()
        self._guard.remember()
        self._loss = torch.tensor(self._state.loss_sum, device=self._device)  # sum since the last evaluation
        self._saved_at, self._save_seconds = time.monotonic(), 0.0
        self._model.train()
        self._reporter.start(self._state, self._done(), resumed=state is not None)

    def _learn(self) -> None:
        """One step: a mini-batch of every stream, losses weighted and added, one update."""
        state, settings = self._state, self._settings
        steps = self._timetable.steps(state.epoch)
        parts = steps[state.place]
        set_rates(self._optimizer, rate_factor(settings.schedule, self._done(0.5), warmup=settings.warmup))
        seed_step(self._seed, state.step, self._processes.index)
        self._optimizer.zero_grad(set_to_none=True)
        losses = [self._gradients(stream, part) for stream, part in zip(self._streams, parts, strict=True)]
        loss = self._processes.add_up(self._parameters, torch.stack(losses).sum())
        norm = nn.utils.clip_grad_norm_(self._parameters, settings.clip_norm or math.inf)
        self._guard.observe(state.step, loss, norm)
        if self._guard.due(state.step):
            self._check_finite()
        self._optimizer.step()
        self._loss += loss
        words = sum(lengths[i] for lengths, part in zip(self._lengths, parts, strict=True) for i in part)
        state.advance(len(steps), words)

    def _gradients(self, stream: Stream, indices: list[int]) -> Float[Tensor, ""]:
        """Add the gradients of one mini-batch; returns its weighted loss. One backward pass each keeps memory low."""
        batch = stream.batch(self._processes.share(indices)).to(self._device)
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._settings.precision == "bf16"):
            loss: Float[Tensor, ""] = self._model(batch)
        loss = loss.float() * (stream.weight * self._processes.weight(batch, len(indices)))
        if loss.requires_grad:
            torch.autograd.backward(loss)
        return loss.detach()

    def _check_finite(self) -> None:
        """Raises TrainingError if a loss or gradient was not finite; the model then holds its last good weights."""
        step = self._guard.first_bad_step()
        if step is None:
            self._guard.remember()
            return
        self._guard.restore()
        stopping = self._state.stopping
        path = self._keeper.rescue_best(self._workdir, stopping.best_step) if self._processes.is_main else None
        kept = "no evaluation came before, so there is no best model"
        if path is not None and stopping.best_f1 is not None:
            kept = f"the best weights (dev F1 {100 * stopping.best_f1:.2f}, step {stopping.best_step}) are in {path}"
        raise not_finite(step, sorted({group["lr"] for group in self._optimizer.param_groups}), kept)

    def _evaluation_is_due(self, before: float) -> bool:
        """Did the last step cross a multiple of `evaluate_every` epochs, or was it the last?"""
        if self._evaluator is None:
            return False
        every, tiny = self._settings.evaluate_every, 1e-9
        return (self._epochs_done() + tiny) // every > (before + tiny) // every or self._at_end() is not None

    def _evaluate(self) -> bool:
        """Evaluate on dev, take note; is it the best so far?"""
        self._check_finite()
        state = self._state
        with self._reporter.clock.pause():
            evaluation = self._processes.from_main(self._ask() if self._processes.is_main else None)
        assert evaluation is not None
        improved = state.stopping.observe(evaluation.f1, state.step)
        if improved and self._settings.selection == "dev":
            self._keeper.keep_best()
        state.f1, state.loss_sum = evaluation.f1, float(self._loss)
        self._reporter.evaluated(state, self._done(), self._epochs_done(), evaluation, improved=improved)
        self._loss.zero_()
        state.loss_sum, state.loss_steps = 0.0, 0
        return improved

    def _ask(self) -> Evaluation:
        assert self._evaluator is not None
        self._model.eval()
        with torch.no_grad():
            evaluation = self._evaluator(self._model)
        self._model.train()
        return evaluation

    def _look_after(self, improved: bool) -> None:
        """Report progress and write a checkpoint where it is time; the main process only."""
        if not self._processes.is_main:
            return
        if self._reporter.due():
            self._state.loss_sum = float(self._loss)
            self._reporter.advance(self._state, self._done(), self._epochs_done())
        waited = time.monotonic() - self._saved_at
        if waited < self._settings.checkpoint_seconds and not (improved and waited * SAVE_SHARE >= self._save_seconds):
            return
        self._check_finite()
        self._state.loss_sum = float(self._loss)
        started = time.monotonic()
        with self._reporter.clock.pause():
            self._reporter.clock.note(self._state)
            self._keeper.save(self._state)
        self._saved_at = time.monotonic()
        self._save_seconds = self._saved_at - started

    def _finish(self, stopped: str) -> FitResult:
        self._check_finite()
        state = self._state
        f1 = state.f1
        if self._settings.selection == "dev":
            self._keeper.select_best()
            f1 = state.stopping.best_f1
        self._processes.equalise(named_weights(self._model).values())
        self._model.eval()
        clock = self._reporter.clock
        result = FitResult(
            f1=f1,
            best_f1=state.stopping.best_f1,
            best_step=state.stopping.best_step,
            steps=state.step,
            epochs=self._epochs_done(),
            seconds=clock.seconds,
            words_per_second=state.words / max(clock.learning, 1e-9),
            stopped=stopped,
            warnings=tuple(state.warnings),
        )
        self._reporter.finish(result)
        return result

    def _stopped(self) -> str | None:
        """Why training is over; None while it is not."""
        if self._settings.selection == "dev" and self._state.stopping.exhausted(self._settings.patience):
            return "patience"
        return self._at_end()

    def _at_end(self) -> str | None:
        if self._settings.max_steps is not None and self._state.step >= self._settings.max_steps:
            return "steps"
        return "epochs" if self._state.epoch >= self._settings.epochs else None

    def _epochs_done(self) -> float:
        return self._timetable.epochs_done(self._state.epoch, self._state.place)

    def _done(self, ahead: float = 0.0) -> float:
        """Share (0 to 1) of the stage that is done `ahead` steps from now."""
        return self._timetable.done(self._state.epoch, self._state.place + ahead, self._state.step + ahead)
