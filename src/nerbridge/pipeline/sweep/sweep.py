"""A sweep from its plan to its tables: what is finished stays, the rest is trained, whatever ended is written down."""

import shutil
import time
from collections.abc import Callable, Sequence

from nerbridge.errors import MissingExtraError, TrainingError
from nerbridge.evaluation.files import write_text
from nerbridge.pipeline.files import write_json
from nerbridge.pipeline.interruption import Stopped
from nerbridge.pipeline.sweep.crew import Crew
from nerbridge.pipeline.sweep.outcome import Metric, SweepResult, gather
from nerbridge.pipeline.sweep.page import write_sweep_page
from nerbridge.pipeline.sweep.plan import Cell, SweepPlan
from nerbridge.pipeline.sweep.plot import draw_plot
from nerbridge.pipeline.sweep.readiness import check_data
from nerbridge.pipeline.sweep.running import run_cells
from nerbridge.pipeline.sweep.same_inputs import refuse_other_inputs
from nerbridge.pipeline.sweep.state import SWEEP, is_finished, read_scores, refuse_other_sweep
from nerbridge.pipeline.sweep.tables import averages_to_csv, percent, to_csv, to_markdown
from nerbridge.pipeline.sweep.worker_process import Worker
from nerbridge.training.progress import clock_text
from nerbridge.wording import counted

MODEL = "model"  # in a run folder: the finished tagger


def run_sweep(
    plan: SweepPlan,
    crew: Crew,
    *,
    say: Callable[[str], None],
    metric: Metric = "dev",
    drop_models: bool = False,
    workers: Sequence[Worker] | None = None,
) -> SweepResult:
    """Train all cells of `plan` that are not finished; write the tables and the picture, also when interrupted.

    metric: what settings are ranked by. drop_models: remove the model of each cell that ends well. workers: by default
    those that `crew` hires. A cell that fails does not stop the others; `SweepResult.failures` has it, and the next
    attempt tries it again.
    Raises ConfigError when the folder holds something else or finished cells of other data, and what reading the data
    raises.
    """
    refuse_other_sweep(plan)
    check_data(plan, crew.data_root)
    waiting = [cell for cell in plan.cells if not is_finished(cell)]
    refuse_other_inputs([cell for cell in plan.cells if cell not in waiting], crew.data_root)
    say(_describe(plan, len(waiting), crew.jobs))
    write_json(plan.folder / SWEEP, gather(plan, metric).to_json())
    reporter = _Reporter(len(plan.cells), len(waiting), say)

    def ended(cell: Cell, error: str | None) -> None:
        if drop_models and error is None:
            shutil.rmtree(cell.folder / MODEL, ignore_errors=True)
        reporter.ended(cell, error)

    try:
        if waiting:
            run_cells(waiting, crew.hire(len(waiting)) if workers is None else workers, ended)
    except KeyboardInterrupt:
        raise Stopped(*_kept(plan)) from None
    finally:
        result = gather(plan, metric, reporter.failures)
        write_result(result, say)
    return result


def _kept(plan: SweepPlan) -> list[str]:
    finished = sum(is_finished(cell) for cell in plan.cells)
    begun = sum(cell.folder.exists() and not is_finished(cell) for cell in plan.cells)
    parts = [f"{finished} of {counted(len(plan.cells), 'cell')} (finished)"]
    return [*parts, f"the checkpoints of {counted(begun, 'cell')} more"] if begun else parts


def write_result(result: SweepResult, say: Callable[[str], None]) -> None:
    """Writes sweep.json, and with at least one row report.html, table.md, table.csv, averages.csv and the picture."""
    folder = result.plan.folder
    write_json(folder / SWEEP, result.to_json())
    if not result.rows:
        return
    write_sweep_page(folder)
    write_text(folder / "table.md", to_markdown(result))
    write_text(folder / "table.csv", to_csv(result.rows, [one.key for one in result.plan.variations]))
    if result.averages:
        write_text(folder / "averages.csv", averages_to_csv(result.averages))
    else:  # an earlier attempt may have had all targets of fewer
        (folder / "averages.csv").unlink(missing_ok=True)
    try:
        draw_plot(result, folder)
    except MissingExtraError as fault:
        say(f"no picture is drawn: {fault.what}; {fault.hint}")


def raise_failures(result: SweepResult) -> None:
    """Raises TrainingError when cells have failed, with the first few of them."""
    if not result.failures:
        return
    lines = [f"{cell}: {_indented(error)}" for cell, error in result.failures[:3]]
    more = [f"... and {len(result.failures) - 3} more"] if len(result.failures) > 3 else []
    raise TrainingError(
        f"{len(result.failures)} of {counted(len(result.plan.cells), 'cell')} failed:\n    "
        + "\n    ".join([*lines, *more]),
        where=str(result.failures[0][0].log),
        expected="every cell to end with scores",
        hint="the same command tries them again; finished cells stay",
    )


def _indented(error: str) -> str:
    return error.replace("\n", "\n    ")


def _describe(plan: SweepPlan, num_waiting: int, jobs: int) -> str:
    keys = " x ".join(f"{len(one.texts)} {one.key}" for one in plan.variations)
    seeds = counted(len(plan.seeds), "seed")
    cells, done = counted(len(plan.cells), "cell"), len(plan.cells) - num_waiting
    at_once = f", {jobs} at a time" if jobs > 1 else ""
    return f"sweep    {cells} in {plan.folder}: {keys} x {seeds}; {done} finished already{at_once}"


class _Reporter:
    """One line per cell that ends, with the time that the rest will take."""

    def __init__(self, num_cells: int, num_waiting: int, say: Callable[[str], None]) -> None:
        self.failures: list[tuple[Cell, str]] = []
        self._num_cells, self._left, self._say = num_cells, num_waiting, say
        self._started, self._num_ended = time.monotonic(), 0

    def ended(self, cell: Cell, error: str | None) -> None:
        """`cell` has ended, well or not."""
        self._left -= 1
        self._num_ended += 1
        seconds = time.monotonic() - self._started
        left = f", about {clock_text(seconds / self._num_ended * self._left)} left" if self._left else ""
        place = f"[{self._num_cells - self._left}/{self._num_cells}]"
        if error is None:
            scores = ", ".join(f"{split} F1 {percent(one['f1'])}" for split, one in read_scores(cell).items())
            self._say(f"{place} {cell}: {scores}{left}")
        else:
            self.failures.append((cell, error))
            self._say(f"{place} {cell}: failed: {_indented(error.splitlines()[0])}{left}")
