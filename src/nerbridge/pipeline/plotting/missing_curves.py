"""Why a run has no curves: what its journal holds instead of evaluations."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nerbridge.errors import BundleError
from nerbridge.evaluation.run_folder import EXPERIMENT
from nerbridge.pipeline.plotting.dev_domains import experiment_of
from nerbridge.pipeline.selecting import selecting_on_source, selecting_stage
from nerbridge.wording import counted

ENDED = ("finished", "repeated")  # the last event of a stage
ON_DEV = "train with selection = 'dev'"
NAME_RUN = "name a run folder, which holds a journal"
GATHERED = "run the training command again: it gathers the journal anew from those of its stages"
GOES_ON = "give the training command again: it goes on"


def no_curves(run: Path, journal: Path, events: Sequence[Mapping[str, Any]]) -> BundleError:
    """What is said of a run folder, or model, whose `journal` has no evaluation among its whole lines, `events`."""
    lines = journal.read_bytes().splitlines() if journal.is_file() else []
    where, hint = journal, ON_DEV
    if not journal.is_file():
        what, hint = f"'{run}' has no journal", GOES_ON if (run / EXPERIMENT).is_file() else NAME_RUN
    elif not lines:
        what, hint = f"the journal of '{run}' is empty", GATHERED
    elif not events:
        what, hint = f"no line of the journal of '{run}' is whole", GATHERED
    elif damaged := len(lines) - len(events):
        torn = counted(damaged, "line of it is", "lines of it are")
        what, hint = f"the journal of '{run}' has no evaluation that can be read: {torn} damaged", GATHERED
    elif events[-1].get("event") not in ENDED:
        what, hint = f"'{run}' has stopped, or still trains, before its first evaluation", GOES_ON
    elif _keeps_last(run):
        what, where = f"with selection = \"last\" '{run}' was not evaluated while it trained", run / EXPERIMENT
        hint = "train another with --set training.selection=dev"
    else:
        what = f"the journal of '{run}' has no evaluation"
    return BundleError(
        what,
        where=str(where),
        expected="a run that was evaluated on dev while it trained",
        hint=f"{hint}, or leave curves out: --what states",
    )


def _keeps_last(run: Path) -> bool:
    """Does no stage of a run folder choose its weights on dev? False where its settings cannot be read."""
    experiment = experiment_of(run)
    if experiment is None:
        return False
    return selecting_stage(experiment) is None and selecting_on_source(experiment) is None
