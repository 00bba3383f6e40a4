"""An experiment's settings and data -> the stages that carry it out."""

from collections.abc import Sequence
from typing import assert_never

from nerbridge.config.experiment import Experiment
from nerbridge.config.transfer import (
    DirectSettings,
    JointSettings,
    MultiTaskSettings,
    SelfTrainingSettings,
    SequentialSettings,
)
from nerbridge.errors import TrainingError
from nerbridge.transfer.direct import direct
from nerbridge.transfer.joint import joint
from nerbridge.transfer.mixing import drop_leaks, unite
from nerbridge.transfer.multi_task import multi_task
from nerbridge.transfer.self_training import self_training
from nerbridge.transfer.sequential import sequential
from nerbridge.transfer.stage import DomainData, Plan, RawTexts


def plan_stages(
    experiment: Experiment,
    sources: Sequence[Sequence[DomainData]],
    target: DomainData,
    raw: RawTexts | None = None,
) -> Plan:
    """The stages of `experiment`; `sources` holds the data sets of each source stage in order, `raw` text
    without labels.

    Labels are spelled as the target spells them, else as the first source that has them; source sentences equal to a
    target dev or test sentence are left out. Raises TrainingError when a data set has nothing to learn from, and
    ConfigError for a label bridge to unknown labels.
    """
    learnt = [] if experiment.is_zero_shot else [target]
    _require_sentences([*(part for parts in sources for part in parts), *learnt])
    match experiment.transfer:
        case DirectSettings():
            return direct(experiment, target)
        case SequentialSettings() as strategy:
            united, notes = _unite_all(sources, target, leave_out=strategy.drop_leaks)
            plan = sequential(experiment, strategy, united, target)
        case JointSettings() as strategy:
            united, notes = _unite_all(sources, target, leave_out=strategy.drop_leaks)
            plan = joint(experiment, strategy, united, target)
        case MultiTaskSettings() as strategy:
            united, notes = _unite_all(sources, target, leave_out=strategy.drop_leaks)
            plan = multi_task(experiment, strategy, united, target, raw or RawTexts())
        case SelfTrainingSettings() as strategy:
            united, notes = _unite_all(sources, target, leave_out=strategy.drop_leaks)
            plan = self_training(experiment, strategy, united, target, raw or RawTexts())
        case _ as unreachable:
            assert_never(unreachable)
    aliases = {old: new for data in (*united, target) for old, new in data.aliases.items()}
    return Plan(plan.stages, (*notes, *plan.notes), aliases)


def _unite_all(
    sources: Sequence[Sequence[DomainData]], target: DomainData, *, leave_out: bool
) -> tuple[list[DomainData], list[str]]:
    """Each source stage as one domain without sentences that the target is selected or scored on, and the notes."""
    known, united, notes = target.labels, [], []
    for parts in sources:
        source, said = unite(parts, known)
        known = known.union(source.labels)
        notes += said
        if leave_out:
            left, said = drop_leaks(source, target)
            _require_rest(left, source, target)
            source, notes = left, notes + said
        united.append(source)
    return united, list(dict.fromkeys(notes))


def _require_rest(left: DomainData, source: DomainData, target: DomainData) -> None:
    if not left.train:
        raise TrainingError(
            f"every training sentence of {source.name} equals a dev or test sentence of {target.name}",
            where=source.name,
            expected="a source with sentences that the target is neither selected nor scored on",
            hint="give another source; with --set transfer.drop_leaks=false they are learnt, and the scores flatter",
        )


def _require_sentences(domains: Sequence[DomainData]) -> None:
    for data in domains:
        if not data.train:
            raise TrainingError(
                f"{data.name} has no training sentence",
                where=data.name,
                expected="at least one labelled sentence",
                hint="a test-only data set can be evaluated with `nerbridge evaluate`, not trained on",
            )
