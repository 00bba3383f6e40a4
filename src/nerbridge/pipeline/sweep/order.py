"""In which order cells are trained: a source stage that several share is begun once, while others do other work."""

import json
from collections.abc import Sequence
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar

from nerbridge.config.experiment import Experiment
from nerbridge.config.transfer import SequentialSettings


class Planned(Protocol):
    """What is to be trained."""

    @property
    def experiment(self) -> Experiment: ...


CellT = TypeVar("CellT", bound=Planned)


def shared_stages(experiment: Experiment) -> tuple[str, ...]:
    """A mark for each stage before the last; equal marks are most likely one and the same cached stage.

    Made of the settings alone, without a look at the data: where a mark is wrong, time is lost and nothing else.
    """
    dumped: dict[str, Any] = experiment.model_dump(mode="json")
    raw = _raw_steps(experiment, dumped)
    marks = [json.dumps(step, sort_keys=True) for step in raw]
    if not isinstance(experiment.transfer, SequentialSettings):
        return tuple(marks)
    before: list[Any] = [*raw[-1:], *(dumped[key] for key in ("encoder", "context", "tagger"))]
    before += [experiment.transfer.drop_leaks, experiment.transfer.carry_labels]
    for stage, content in zip(experiment.source, dumped["source"], strict=True):
        training = experiment.training.for_stage("source", stage.training).model_dump(mode="json")
        seed = experiment.seed if training["seed"] is None else training["seed"]
        others = [experiment.target.dataset] if any(name.endswith("/others") for name in stage.datasets) else []
        decisive = {**training, "checkpoint_seconds": None, "seed": seed}
        before = [*before, content["datasets"], content["files"], decisive, others]
        marks.append(json.dumps(before, sort_keys=True))
    return tuple(marks)


def _raw_steps(experiment: Experiment, dumped: dict[str, Any]) -> list[list[Any]]:
    """What decides each step on raw text: the corpus, its levels (all of one choice lie together), the encoder."""
    if experiment.corpus is None:
        return []
    choice = {key: value for key, value in dumped["selection"].items() if key != "level"}
    corpus = [dumped["corpus"], dumped["target"]]
    level = [*corpus, dumped["gazetteer"], choice]
    return [corpus, level, [*level, dumped["selection"], dumped["pretraining"], dumped["encoder"]]]


def in_order(cells: Sequence[CellT]) -> list[CellT]:
    """`cells` with those that begin a stage first, first stages before second ones; otherwise as they stand."""
    known: set[str] = set()
    ranked = []
    for cell in cells:
        marks = shared_stages(cell.experiment)
        begun = [depth for depth, mark in enumerate(marks) if mark not in known]
        known.update(marks)
        ranked.append((begun[0] if begun else len(marks), cell))
    return [cell for _, cell in sorted(ranked, key=lambda pair: pair[0])]


class Schedule(Generic[CellT]):
    """Hands out cells to workers, rather one that need not wait for a stage that another cell is training."""

    def __init__(self, cells: Sequence[CellT]) -> None:
        self._waiting = in_order(cells)
        self._marks = {id(cell): frozenset(shared_stages(cell.experiment)) for cell in cells}
        self._known: set[str] = set()
        self._beginning: dict[int, frozenset[str]] = {}
        self._lock = Lock()

    def take(self) -> CellT:
        """The next cell; there must be one."""
        with self._lock:
            busy = frozenset[str]().union(*self._beginning.values())
            cell = next((one for one in self._waiting if not self._marks[id(one)] & busy), self._waiting[0])
            self._waiting.remove(cell)
            self._beginning[id(cell)] = self._marks[id(cell)] - self._known
            self._known |= self._marks[id(cell)]
            return cell

    def finish(self, cell: CellT) -> None:
        """`cell` has ended, well or not."""
        with self._lock:
            del self._beginning[id(cell)]
