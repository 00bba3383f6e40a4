"""What a run says before it starts: what was read, what will be done, and what is learnt from what."""

import math

from nerbridge.data.labels import LabelSet
from nerbridge.pipeline.data import ExperimentData
from nerbridge.transfer.stage import DomainData, Mixture, Plan, Stage
from nerbridge.wording import counted

SHOWN_LABELS = 6  # of a source; those of the target are all shown


def describe_data(data: ExperimentData) -> list[str]:
    """One line per data set, one per note."""
    sources = [_sizes(part, SHOWN_LABELS) for stage in data.sources for part in stage]
    target = _sizes(data.target, len(data.target.labels))
    return [*(f"data     {line}" for line in [*sources, target]), *(f"note     {note}" for note in data.notes)]


def describe_plan(plan: Plan) -> list[str]:
    """One line per stage in order, one per note."""
    stages = [f"plan     {number}. {_stage(stage)}" for number, stage in enumerate(plan.stages, start=1)]
    return [*stages, *(f"note     {note}" for note in plan.notes)]


def _sizes(data: DomainData, shown: int) -> str:
    splits = [(len(data.train), "training"), (len(data.dev), "dev"), (len(data.test), "test")]
    there = [(number, split) for number, split in splits if number]
    if not there:
        return f"{data.name}: no labelled sentence"
    *others, (number, split) = there
    sizes = ", ".join([*(f"{number:,} {split}" for number, split in others), counted(number, f"{split} sentence")])
    labels = describe_labels(data.labels, shown) if len(data.labels) else "no label set of its own"
    return f"{data.name}: {sizes}; {labels}"


def describe_labels(labels: LabelSet, shown: int) -> str:
    """'2 labels: band, person'; the first `shown` of many."""
    more = "" if len(labels) <= shown else ", ..."
    return f"{counted(len(labels), 'label')}: {', '.join(labels.names[:shown])}{more}"


def _stage(stage: Stage) -> str:
    settings = stage.settings
    length = counted(settings.epochs, "epoch")
    if settings.max_steps is not None:
        length += f" or {counted(settings.max_steps, 'step')}"
    elif stage.mixture is not None and stage.own_labels is None:
        length += f" (about {counted(settings.epochs * _steps(stage.mixture, settings.batch_sentences), 'step')})"
    if settings.selection == "dev":
        length = f"at most {length}, keeps the weights with the best dev F1"
    else:
        length = f"{length}, keeps the last weights"
    if stage.mixture is not None:
        streams = [f"{stream.name} ({counted(len(stream.sentences), 'sentence')})" for stream in stage.mixture.streams]
        if stage.own_labels is not None:
            streams.append(f"what is sure of {counted(len(stage.own_labels.raw), 'sentence')} of raw text")
        return f"{stage.name}: {', '.join(streams)}, {length}"
    return f"{stage.name}: {stage.domain}, {counted(len(stage.train), 'sentence')} per epoch, {length}"


def _steps(mixture: Mixture, batch_sentences: int) -> int:
    """Steps of one epoch; a few more where long sentences make small batches."""
    return max(
        math.ceil(len(stream.sentences) / max(1, round(batch_sentences * stream.batch_scale)))
        for stream in mixture.streams
        if stream.sets_pace
    )
