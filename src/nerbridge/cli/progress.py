"""How training shows its progress: a bar on a terminal, plain lines elsewhere."""

from rich.console import Console as RichConsole
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

from nerbridge.cli.console import console
from nerbridge.training.evaluation import Evaluation
from nerbridge.training.progress import Moment, PlainProgress, Progress, clock_text


def make_progress() -> Progress:
    """A bar if somebody watches stderr, otherwise plain lines through logging."""
    return BarProgress() if console.is_terminal else PlainProgress()


class BarProgress:
    """One bar per stage with epoch, loss, dev F1 and time left. target: where it is drawn; default stderr."""

    def __init__(self, target: RichConsole | None = None) -> None:
        self._target = target or RichConsole(stderr=True)
        self._bar: Bar | None = None
        self._f1: float | None = None

    def start(self, stage: str) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[text]}"))
        self._bar = Bar(*columns, console=self._target)
        self._bar.add_task(stage or "training", total=1.0, text="")
        self._bar.start()

    def advance(self, moment: Moment) -> None:
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=moment.done, text=describe(moment, self._f1))

    def evaluated(self, moment: Moment, evaluation: Evaluation, *, improved: bool) -> None:  # noqa: ARG002
        self._f1 = evaluation.f1
        self.advance(moment)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
        self._bar, self._f1 = None, None


def describe(moment: Moment, f1: float | None) -> str:
    """'epoch 3.50  loss 0.1234  dev F1 61.20 (best 62.00)  at most 0:42 left'."""
    parts = [f"epoch {moment.epoch:.2f}", f"loss {moment.loss:.4f}"]
    if f1 is not None and moment.best_f1 is not None:
        best = f" (best {100 * moment.best_f1:.2f})" if moment.best_f1 else ""
        parts.append(f"dev F1 {100 * f1:.2f}{best}")
    if moment.seconds_left is not None:
        parts.append(f"at most {clock_text(moment.seconds_left)} left")
    return "  ".join(parts)
