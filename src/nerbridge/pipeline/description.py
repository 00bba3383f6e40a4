"""What a run says before it starts: what was read, what will be done, and what is learnt from what."""

from collections.abc import Sequence

from nerbridge.data.labels import LabelSet
from nerbridge.pipeline.data import ExperimentData
from nerbridge.transfer.stage import DomainData, Plan, Stage

SHOWN_LABELS = 20


def describe_data(data: ExperimentData) -> list[str]:
    """One line per data set, one per note."""
    domains = {(domain.name, len(domain.train)): domain for domain in data.domains}.values()
    return [*(f"data     {_sizes(domain)}" for domain in domains), *(f"note     {note}" for note in data.notes)]


def describe_plan(plan: Plan) -> list[str]:
    """One line per stage in order, one per note."""
    stages = [f"plan     {number}. {_stage(stage)}" for number, stage in enumerate(plan.stages, start=1)]
    return [*stages, *(f"note     {note}" for note in plan.notes)]


def _sizes(data: DomainData) -> str:
    splits = [(len(data.train), "training"), (len(data.dev), "dev"), (len(data.test), "test")]
    sizes = ", ".join(f"{number:,} {split}" for number, split in splits if number)
    return f"{data.name}: {sizes} sentences; {describe_labels(data.labels)}"


def describe_labels(labels: LabelSet) -> str:
    """'2 labels: band, person'; the first twenty of many."""
    more = "" if len(labels) <= SHOWN_LABELS else ", ..."
    plural = "" if len(labels) == 1 else "s"
    return f"{len(labels)} label{plural}: {', '.join(labels.names[:SHOWN_LABELS])}{more}"


def _stage(stage: Stage) -> str:
    settings = stage.settings
    bounds: Sequence[str] = [f"{settings.epochs} epochs" if settings.epochs > 1 else "1 epoch"]
    if settings.max_steps is not None:
        bounds = [*bounds, f"{settings.max_steps:,} steps"]
    if settings.selection == "dev":
        length = f"at most {' or '.join(bounds)}, keeps the weights with the best dev F1"
    else:
        length = f"{' or '.join(bounds)}, keeps the last weights"
    return f"{stage.name}: {stage.domain}, {len(stage.train):,} sentences per epoch, {length}"
