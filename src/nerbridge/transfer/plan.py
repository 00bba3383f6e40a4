"""An experiment's settings and data -> the stages that carry it out."""

from collections.abc import Sequence
from typing import assert_never

from nerbridge.config.experiment import Experiment
from nerbridge.config.transfer import DirectSettings, JointSettings, SequentialSettings
from nerbridge.errors import TrainingError
from nerbridge.transfer.direct import direct
from nerbridge.transfer.joint import joint
from nerbridge.transfer.mixing import drop_leaks, unite
from nerbridge.transfer.sequential import sequential
from nerbridge.transfer.stage import DomainData, Plan


def plan_stages(experiment: Experiment, sources: Sequence[Sequence[DomainData]], target: DomainData) -> Plan:
    """The stages of `experiment`; `sources` holds the data sets of each source stage in order.

    Labels are spelled as the target spells them; source sentences equal to a target dev or test sentence are left out.
    Raises TrainingError when a stage has nothing to learn from.
    """
    united, notes = [], []
    for parts in sources:
        source, said = unite(parts, target.labels)
        notes += said
        if experiment.transfer.drop_leaks:
            source, said = drop_leaks(source, target)
            notes += said
        united.append(source)
    for data in (*united, target):
        if not data.train:
            raise TrainingError(
                f"{data.name} has no training sentence",
                where=data.name,
                expected="at least one labelled sentence",
                hint="a test-only data set can be evaluated with `nerbridge evaluate`, not trained on",
            )
    match experiment.transfer:
        case DirectSettings():
            plan = direct(experiment, target)
        case SequentialSettings():
            plan = sequential(experiment, experiment.transfer, united, target)
        case JointSettings():
            plan = joint(experiment, experiment.transfer, united, target)
        case _ as unreachable:
            assert_never(unreachable)
    return Plan(plan.stages, (*notes, *plan.notes))
