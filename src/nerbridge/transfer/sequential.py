"""Sequential transfer: each source stage in order, then the target."""

from collections.abc import Sequence

from nerbridge.config.experiment import Experiment
from nerbridge.config.transfer import SequentialSettings
from nerbridge.data.labels import LabelSet
from nerbridge.transfer.bridge import describe_bridge, label_bridge
from nerbridge.transfer.stage import DomainData, Plan, Stage, StageKind


def sequential(
    experiment: Experiment, strategy: SequentialSettings, sources: Sequence[DomainData], target: DomainData
) -> Plan:
    """Source stages, then the target (CrossNER, table 2: 'Pre-train then Fine-tune').

    The encoder goes from stage to stage; rows of labels that two neighbouring stages share are carried by name.
    """
    stages: list[Stage] = []
    notes: list[str] = []
    before: LabelSet | None = None
    for number, data in enumerate((*sources, target), start=1):
        is_target = number > len(sources)
        kind: StageKind = "target" if is_target else "source"
        name = "target" if is_target else f"source-{number}"
        asked = strategy.bridge if is_target else {}
        bridge = label_bridge(data.labels, before, asked, carry=strategy.carry_labels) if before else {}
        if before:
            notes.append(f"{name}: {describe_bridge(data.labels, bridge)}")
        own = {} if is_target else experiment.source[number - 1].training
        settings = experiment.training.for_stage(kind, own)
        stages.append(Stage(name, kind, data.name, data.labels, data.train, data.dev, settings, None, bridge))
        before = data.labels
    return Plan(tuple(stages), tuple(notes))
