"""How pre-training shows its progress: a bar on a terminal, plain lines elsewhere."""

from rich.console import Console as RichConsole
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

from nerbridge.cli.console import console
from nerbridge.pretraining.progress import Moment, PlainWatcher, Watcher, describe, describe_evaluation
from nerbridge.pretraining.state import Evaluation


def make_watcher() -> Watcher:
    """A bar if somebody watches stderr, otherwise plain lines through logging."""
    return BarWatcher() if console.is_terminal else PlainWatcher()


class BarWatcher:
    """One bar with loss, pieces per second and time left, and a line per evaluation. target: default stderr."""

    def __init__(self, target: RichConsole | None = None) -> None:
        self._target = target or RichConsole(stderr=True)
        self._bar: Bar | None = None

    def start(self, total: int) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[text]}"))
        self._bar = Bar(*columns, console=self._target)
        self._bar.add_task("pre-training", total=total, text="")
        self._bar.start()

    def advance(self, moment: Moment) -> None:
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=moment.step, text=describe(moment))

    def evaluated(self, evaluation: Evaluation) -> None:
        if self._bar is not None:
            self._bar.console.print(describe_evaluation(evaluation), highlight=False, markup=False)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
        self._bar = None
