"""Which sentences an experiment chooses weights on, and the part of train that stands in where there are none."""

from dataclasses import replace

from nerbridge.config.experiment import Experiment, SourceStageSettings, TargetSettings
from nerbridge.config.training import StageKind
from nerbridge.config.transfer import JointSettings, StreamsSettings
from nerbridge.data.holdout import holdout
from nerbridge.transfer.stage import DomainData
from nerbridge.wording import counted


def selecting_stage(experiment: Experiment) -> StageKind | None:
    """The kind of stage that chooses weights on dev sentences of the target; None where none does."""
    strategy = experiment.transfer
    at_once = isinstance(strategy, JointSettings | StreamsSettings)
    kind: StageKind = "joint" if at_once else "target"
    selects = experiment.training.for_stage(kind).selection == "dev" and not experiment.is_zero_shot
    return kind if selects else None


def selecting_on_source(experiment: Experiment) -> StageKind | None:
    """The kind of stage that chooses weights on dev sentences of its source, as zero-shot does; None where none."""
    selects = experiment.training.for_stage("joint").selection == "dev" and experiment.is_zero_shot
    return "joint" if selects else None


def with_dev(data: DomainData, settings: TargetSettings | SourceStageSettings, notes: list[str]) -> DomainData:
    """`data` with a seeded part of train as dev, which `notes` get told."""
    train, dev = holdout(data.train, fraction=settings.holdout, seed=settings.holdout_seed)
    notes.append(
        f"{data.name}: no dev split; {len(dev)} of {counted(len(data.train), 'training sentence')} held out for it "
        f"(seed {settings.holdout_seed})"
    )
    return replace(data, train=tuple(train), dev=tuple(dev))
