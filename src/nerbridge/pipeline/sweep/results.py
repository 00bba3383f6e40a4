"""Finished cells -> one row per setting, and averages over target domains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from nerbridge.errors import BundleError
from nerbridge.evaluation.run_predictions import run_predictions
from nerbridge.evaluation.uncertainty import Interval, Spread, bootstrap_mean_f1, count_sentences, spread
from nerbridge.pipeline.files import read_json
from nerbridge.pipeline.sweep.best import best_of_each
from nerbridge.pipeline.sweep.plan import Cell, SweepPlan
from nerbridge.pipeline.sweep.state import CELL, is_finished, read_scores

TARGET, NUM_TRAIN = "target.dataset", "target.num_train"
SPLITS = ("dev", "test")


@dataclass(frozen=True)
class Row:
    """One setting. f1: by split, over seeds; intervals: by split, of the mean F1, over sentences.

    seconds: of training all stages, mean over seeds; a stage from the cache counts as long as it took to train.
    num_train: target sentences that were trained on. All scores are fractions.
    """

    name: str
    choices: Mapping[str, str]
    seeds: tuple[int, ...]
    f1: Mapping[str, Spread]
    intervals: Mapping[str, Interval]
    seconds: float
    num_train: int

    def to_json(self) -> dict[str, Any]:
        """Everything, ready for `json.dumps`."""
        scores = {
            split: {"f1": one.to_json(), "interval": self.intervals[split].to_json()} for split, one in self.f1.items()
        }
        return {
            "name": self.name,
            "choices": dict(self.choices),
            "seeds": list(self.seeds),
            **scores,
            "seconds": round(self.seconds, 1),
            "num_train": self.num_train,
        }


@dataclass(frozen=True)
class Average:
    """One setting of everything but the target. by_target: split -> target -> mean F1; f1: split -> over seeds."""

    choices: Mapping[str, str]
    seeds: tuple[int, ...]
    by_target: Mapping[str, Mapping[str, float]]
    f1: Mapping[str, Spread]

    def to_json(self) -> dict[str, Any]:
        """Everything, ready for `json.dumps`."""
        scores = {
            split: {"f1": one.to_json(), "targets": dict(self.by_target[split])} for split, one in self.f1.items()
        }
        return {"choices": dict(self.choices), "seeds": list(self.seeds), **scores}


def collect_rows(plan: SweepPlan) -> tuple[Row, ...]:
    """A row for each setting of which at least one seed is finished, in the order of the plan."""
    finished = [tuple(cell for cell in cells if is_finished(cell)) for cells in plan.settings]
    return tuple(_row(cells) for cells in finished if cells)


def _row(cells: Sequence[Cell]) -> Row:
    facts = [_facts(cell) for cell in cells]
    splits = [split for split in SPLITS if all(split in one.f1 for one in facts)]
    return Row(
        cells[0].name,
        cells[0].choices,
        tuple(cell.seed for cell in cells),
        {split: spread([one.f1[split] for one in facts]) for split in splits},
        {split: _interval(cells, split) for split in splits},
        fmean(one.seconds for one in facts),
        facts[0].num_train,
    )


NOTHING = {"sentences": 0}  # of a split that is not there: zero-shot has no labelled sentence of the target


@dataclass(frozen=True)
class _Facts:
    """What the files of one finished cell say."""

    f1: Mapping[str, float]
    seconds: float
    num_train: int


def _facts(cell: Cell) -> _Facts:
    scores, stages = read_scores(cell), read_json(cell.folder / CELL)
    data = read_json(cell.folder / "data.json")
    try:
        return _Facts(
            {split: float(scores[split]["f1"]) for split in SPLITS if split in scores},
            float(sum(stage["seconds"] for stage in stages["stages"].values())),
            int(data["domains"][-1]["splits"].get("train", NOTHING)["sentences"]),
        )
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as fault:
        raise BundleError(
            f"a file of the cell '{cell}' is of another form ({type(fault).__name__}: {fault})",
            where=str(cell.folder),
            expected=f"{CELL}, scores.json and data.json as the sweep wrote them",
            hint="remove that folder: the same command trains the cell again",
        ) from fault


def _interval(cells: Sequence[Cell], split: str) -> Interval:
    return bootstrap_mean_f1([count_sentences(run_predictions(cell.folder, split)) for cell in cells])


def average_targets(plan: SweepPlan, rows: Sequence[Row]) -> tuple[Average, ...]:
    """The mean over all targets of the sweep, where the target is varied; only for settings that have them all."""
    targets = next((variation.texts for variation in plan.variations if variation.key == TARGET), ())
    if len(targets) < 2:
        return ()
    groups: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in rows:
        others = tuple(text for key, text in row.choices.items() if key != TARGET)
        groups.setdefault(others, {})[row.choices[TARGET]] = row
    return tuple(_average(list(group.values())) for group in groups.values() if _complete(group, len(targets)))


def _complete(group: Mapping[str, Row], number: int) -> bool:
    return len(group) == number and len({row.seeds for row in group.values()}) == 1


def _average(rows: Sequence[Row]) -> Average:
    splits = [split for split in SPLITS if all(split in row.f1 for row in rows)]
    return Average(
        {key: text for key, text in rows[0].choices.items() if key != TARGET},
        rows[0].seeds,
        {split: {row.choices[TARGET]: row.f1[split].mean for row in rows} for split in splits},
        {split: spread([fmean(seed) for seed in _by_seed(rows, split)]) for split in splits},
    )


def _by_seed(rows: Sequence[Row], split: str) -> list[tuple[float, ...]]:
    """Per seed the F1 of all targets."""
    return list(zip(*(row.f1[split].values for row in rows), strict=True))


def best_rows(rows: Sequence[Row], metric: str, num_seeds: int) -> list[Row]:
    """The row with the highest mean of `metric` for each target, among those that have all seeds.

    A target whose rows share the highest mean, or found nothing, has none.
    """
    scored: dict[str | None, list[tuple[Row, float]]] = {}
    for row in rows:
        if metric in row.f1 and len(row.seeds) == num_seeds:
            scored.setdefault(row.choices.get(TARGET), []).append((row, row.f1[metric].mean))
    return best_of_each(scored)
