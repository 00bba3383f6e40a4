"""How scores went while a tagger trained, as its journal tells."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from nerbridge.config.experiment import recorded_experiment
from nerbridge.errors import BundleError
from nerbridge.evaluation.run_folder import EXPERIMENT
from nerbridge.pipeline.files import read_json
from nerbridge.pipeline.selecting import selecting_on_source, selecting_stage
from nerbridge.training.evaluation import MOST_COMMON_TAG
from nerbridge.training.journal import read_journal

NO_SCORES = ("step", "epoch", "loss", "seconds", "improved", "precision", "recall", MOST_COMMON_TAG)
PERPLEXITY = "perplexity"  # how the names of language models' numbers begin


@dataclass(frozen=True, slots=True)
class Mark:
    """What one evaluation says: name of the number, and its value (a score as a fraction, or a perplexity).

    total: steps of all stages until then; step: of its own stage.
    """

    stage: str
    step: int
    total: int
    name: str
    value: float


@dataclass(frozen=True)
class Curves:
    """The evaluations of one run. stages: total steps at which each begins, by its name. total: steps of them all."""

    marks: Sequence[Mark]
    stages: Mapping[str, int]
    total: int

    @property
    def names(self) -> list[str]:
        """The numbers that there are: main score first, perplexities last."""
        found = dict.fromkeys(mark.name for mark in self.marks)
        return sorted(found, key=lambda name: (name.startswith(PERPLEXITY), name != "f1"))


def read_curves(run: Path) -> Curves:
    """The curves of a run folder, of one that still trains those of its last stage.

    Raises BundleError where nothing was evaluated while it trained.
    """
    path = run / "journal.jsonl"
    curves = curves_of(read_journal(path if path.is_file() else run / "stage" / "journal.jsonl"))
    if not curves.marks and _keeps_last(run):
        raise BundleError(
            f"'{run}' has no curves: with selection = \"last\" it was not evaluated while it trained",
            where=str(run / EXPERIMENT),
            expected="a run that was evaluated on dev while it trained",
            hint="train another with --set training.selection=dev, or leave curves out: --what states",
        )
    if not curves.marks:
        raise BundleError(
            f"the journal of '{run}' has no evaluation",
            where=str(run / "journal.jsonl"),
            expected="a run that was evaluated on dev while it trained",
            hint="train with selection = 'dev', or leave curves out: --what states",
        )
    return curves


def _keeps_last(run: Path) -> bool:
    """Does no stage of a run folder choose its weights on dev? False where its settings cannot be read."""
    if not (run / EXPERIMENT).is_file():
        return False
    try:
        experiment = recorded_experiment(read_json(run / EXPERIMENT))
    except ValidationError:
        return False
    return selecting_stage(experiment) is None and selecting_on_source(experiment) is None


def curves_of(journal: Iterable[Mapping[str, Any]]) -> Curves:
    """The curves in the events of a journal; numbers that are no scores (losses, times) are left out."""
    marks: list[Mark] = []
    stages: dict[str, int] = {}
    before = last = 0
    for event in journal:
        stage = str(event.get("stage", ""))
        if stage not in stages:
            before += last
            stages[stage] = before
        last = int(event.get("step", 0))
        if event.get("event") == "evaluation":
            found = {name: value for name, value in event.items() if _is_score(name, value)}
            marks += [Mark(stage, last, before + last, name, float(value)) for name, value in found.items()]
    return Curves(marks, stages, before + last)


def _is_score(name: str, value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and name not in NO_SCORES
