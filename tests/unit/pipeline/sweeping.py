"""Sweeps of a tiny project, cells trained in this process, and cells that only look finished."""

from collections.abc import Callable, Mapping
from pathlib import Path

from nerbridge.data.sentence import Span
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import write_predictions
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.evaluation.summary import summarize, write_scores
from nerbridge.pipeline.files import write_json
from nerbridge.pipeline.sweep.plan import Cell, SweepPlan, plan_sweep
from nerbridge.pipeline.sweep.state import CELL
from nerbridge.pipeline.sweep.variations import parse_variations
from nerbridge.pipeline.sweep.worker import carry_out
from nerbridge.pipeline.sweep.worker_process import make_order

GOLD = (Span(0, 1, "person"),)
RECIPE = """name = "tiny"
[[source]]
datasets = ["conll2003"]
[target]
dataset = "crossner/ai"
[tagger]
kind = "linear"
[transfer]
kind = "sequential"
"""


def plan_in(folder: Path, *vary: str, seeds: tuple[int, ...] = (1, 2), text: str = RECIPE) -> SweepPlan:
    """The plan of a recipe that needs data which nobody reads."""
    recipe = folder / "recipe.toml"
    recipe.write_text(text, encoding="utf-8")
    return plan_sweep(recipe, parse_variations(vary), seeds=seeds, folder=folder / "out")


def fake(cell: Cell, *, num_train: int = 100, seconds: float = 2.0, **right: int) -> None:
    """Writes what a finished cell leaves behind. right: split -> how many of its ten sentences are answered right."""
    summaries = {}
    for split, number in right.items():
        predictions = [
            Prediction(("Ada",), GOLD, GOLD if position < number else (), origin=f"{split}.txt:{position}")
            for position in range(10)
        ]
        write_predictions(predictions_path(cell.folder, split), predictions)
        summaries[split] = summarize(predictions, rounds=10)
    write_scores(cell.folder / "scores.json", summaries)
    write_json(cell.folder / "data.json", {"domains": [{"splits": {"train": {"sentences": num_train}}}]})
    write_json(cell.folder / "experiment.json", cell.experiment.model_dump(mode="json"))
    write_json(cell.folder / CELL, {"wall_seconds": seconds, "stages": {"target": {"seconds": seconds}}})


class Here:
    """A worker in this process. failing: cell -> what goes wrong, if anything."""

    def __init__(self, cache: Path, failing: Callable[[Cell], str | None] = lambda cell: None) -> None:
        self.cells: list[str] = []
        self.is_closed = False
        self._cache, self._failing = cache, failing

    def run(self, cell: Cell) -> str | None:
        self.cells.append(str(cell))
        return self._failing(cell) or carry_out(dict(make_order(cell, None, self._cache)))

    def close(self) -> None:
        self.is_closed = True


class Faking:
    """A worker that only pretends. dev: cell name -> right answers."""

    def __init__(self, dev: Mapping[str, int] | None = None, *, interrupts_at: str = "") -> None:
        self.cells: list[str] = []
        self.is_closed = False
        self._dev, self._interrupts_at = dev or {}, interrupts_at

    def run(self, cell: Cell) -> str | None:
        self.cells.append(str(cell))
        if str(cell) == self._interrupts_at:
            raise KeyboardInterrupt
        fake(cell, dev=self._dev.get(cell.name, 5), test=5)
        return None

    def close(self) -> None:
        self.is_closed = True
