"""How scores went while a tagger trained, as its journal tells."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerbridge.pipeline.plotting.dev_domains import DevDomains, dev_domains
from nerbridge.pipeline.plotting.missing_curves import no_curves
from nerbridge.training.evaluation import MOST_COMMON_TAG
from nerbridge.training.journal import read_journal

NO_SCORES = ("step", "epoch", "loss", "seconds", "improved", "precision", "recall", MOST_COMMON_TAG)
SELECTING = "f1"  # the score that weights are chosen by
OF_DEV = (
    SELECTING,
    "boundary_f1",
    "type_accuracy_on_gold_spans",
    "entity_f1",
    "attention_f1",
)  # of the stage's own dev
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
        """The numbers that there are: F1 first, the target's before others', perplexities last."""
        found = dict.fromkeys(mark.name for mark in self.marks)
        return sorted(found, key=_rank)


def read_curves(run: Path) -> Curves:
    """The curves of a run folder, of one that still trains those of its last stage.

    Raises BundleError where nothing was evaluated while it trained.
    """
    path, still_training = run / "journal.jsonl", run / "stage" / "journal.jsonl"
    path = still_training if still_training.is_file() and not path.is_file() else path
    events = read_journal(path)
    curves = curves_of(events, dev_domains(run))
    if not curves.marks:
        raise no_curves(run, path, events)
    return curves


def curves_of(journal: Iterable[Mapping[str, Any]], domains: DevDomains | None = None) -> Curves:
    """The curves in the events of a journal; numbers that are no scores (losses, times) are left out.

    domains: whose dev sentences the stages were scored on; names of scores on a source's say which, as 'f1 news'.
    """
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
            whose = domains.foreign(stage) if domains else ""
            marks += [Mark(stage, last, before + last, _named(name, whose), float(v)) for name, v in found.items()]
    return Curves(marks, stages, before + last)


def _is_score(name: str, value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and name not in NO_SCORES


def _rank(name: str) -> tuple[bool, bool, bool]:
    kind = name.partition(" ")[0]
    return kind == PERPLEXITY, kind != SELECTING, name != SELECTING


def _named(name: str, whose: str) -> str:
    """The name of a number; of a score on the dev sentences of another domain with that domain, as 'f1 news'."""
    return f"{name} {whose}" if whose and name in OF_DEV else name
