"""Joint transfer: all sources and the target at once, one head over all labels."""

from collections.abc import Sequence

from nerbridge.config.experiment import Experiment
from nerbridge.config.transfer import JointSettings
from nerbridge.transfer.mixing import balance, unite
from nerbridge.transfer.stage import DomainData, Plan, Stage
from nerbridge.wording import counted


def joint(experiment: Experiment, strategy: JointSettings, sources: Sequence[DomainData], target: DomainData) -> Plan:
    """One stage over the label union, decoding restricted to the target's labels (CrossNER, table 2: 'Jointly Train').

    Target sentences are repeated so that both sides are seen about equally often, or as often as the recipe says.
    """
    union, notes = unite([target, *sources], target.labels)
    num_source = sum(len(source.train) for source in sources)
    factor = strategy.upsample or balance(num_source, len(target.train))
    source_train = union.train[len(target.train) :]
    notes.append(
        f"joint: each of {counted(len(target.train), 'target sentence')} is seen {counted(factor, 'time')} per epoch "
        f"beside {counted(num_source, 'source sentence')}"
    )
    stage = Stage(
        "joint",
        "joint",
        target.name,
        union.labels,
        (*source_train, *(target.train * factor)),
        target.dev,
        experiment.training.for_stage("joint"),
        target.labels,
    )
    return Plan((stage,), tuple(notes))
