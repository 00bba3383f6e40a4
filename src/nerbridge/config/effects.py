"""Settings that change nothing: of stages that do not run, of cells that are one, of a dictionary without lists."""

from collections.abc import Mapping, Sequence
from typing import Any

from nerbridge.config.base import Settings
from nerbridge.config.context import MultiCellSettings
from nerbridge.config.dictionary import DictionarySettings
from nerbridge.config.experiment import Experiment, SourceStageSettings
from nerbridge.config.training import STAGE_KINDS, StageKind
from nerbridge.config.transfer import StreamsSettings
from nerbridge.errors import ConfigError

# What each transfer trains, and how a message says it.
STAGES: Mapping[str, tuple[StageKind, ...]] = {
    "direct": ("target",),
    "sequential": ("source", "target"),
    "joint": ("joint",),
    "multi_task": ("joint",),
    "self_training": ("joint",),
}
REASONS: Mapping[str, str] = {
    "direct": "direct transfer trains on the target alone",
    "sequential": "sequential transfer trains source stages, then the target",
    "joint": "joint transfer trains on everything in one stage",
    "multi_task": "multi-task transfer trains on all streams in one stage",
    "self_training": "self-training learns all streams at once, in every round",
}
HELD_OUT = ("holdout", "holdout_seed")  # keys of a source
NOT_ON_SOURCE = "only zero-shot transfer chooses weights on its source"


def idle_tables(kind: str) -> tuple[str, ...]:
    """The tables of stages that transfer of this kind does not run, as the beginnings of keys: 'training.joint.'."""
    running = STAGES.get(kind, STAGE_KINDS)
    return tuple(f"training.{stage}." for stage in STAGE_KINDS if stage not in running)


def transfer_kind(tables: Mapping[str, Any]) -> str:
    """The kind of transfer that a recipe's tables ask for, right or wrong; sequential where they do not say."""
    transfer = tables.get("transfer")
    return str(transfer.get("kind", "sequential")) if isinstance(transfer, Mapping) else "sequential"


def idle_notes(experiment: Experiment) -> list[str]:
    """One note per table with settings that have no effect, naming its keys."""
    kind = experiment.transfer.kind
    notes = []
    for table in idle_tables(kind):
        given: Mapping[str, Any] = getattr(experiment.training, table.split(".")[1])
        if given:
            keys = ", ".join(f"{table}{key}" for key in given)
            notes.append(f"{keys}: no effect, because {REASONS[kind]} ({_running(kind)})")
    return [*notes, *_idle_holdout(experiment), *_idle_cells(experiment), *_idle_dictionary(experiment)]


def _idle_holdout(experiment: Experiment) -> list[str]:
    if experiment.is_zero_shot:
        return []
    found = [
        f"source.{place}.{key}"
        for place, stage in enumerate(experiment.source)
        for key in HELD_OUT
        if getattr(stage, key) != SourceStageSettings.model_fields[key].default
    ]
    return [f"{', '.join(found)}: no effect, because {NOT_ON_SOURCE}"] if found else []


def _idle_cells(experiment: Experiment) -> list[str]:
    context, kind = experiment.context, experiment.transfer.kind
    if not isinstance(context, MultiCellSettings):
        return []
    if context.attention_apart and not context.one_cell and _learns_one_domain(experiment):
        return [f"context.attention_apart: no effect, because {REASONS[kind]}: one domain has labels at a time"]
    if not context.one_cell:
        return []
    keys = _changed(context, ("entity_weight", "attention_weight", "attention_width", "attention_apart"), "context")
    reason = "one cell (context.one_cell) is merged with nothing and learns no label"
    return [f"{keys}: no effect, because {reason}"] if keys else []


def _learns_one_domain(experiment: Experiment) -> bool:
    """Has a single domain at a time sentences with labels?"""
    if experiment.transfer.kind == "multi_task":
        return experiment.is_zero_shot and sum(len(one.datasets) + len(one.files) for one in experiment.source) == 1
    return experiment.transfer.kind in ("direct", "sequential", "joint")


def _idle_dictionary(experiment: Experiment) -> list[str]:
    strategy = experiment.transfer
    if not isinstance(strategy, StreamsSettings) or strategy.dictionary.is_given:
        return []
    keys = _changed(strategy.dictionary, tuple(DictionarySettings.model_fields), "transfer.dictionary")
    return [f"{keys}: no effect, because the dictionary has neither files nor datasets"] if keys else []


def _changed(settings: Settings, keys: Sequence[str], table: str) -> str:
    """The keys whose values are not the usual ones, with their table."""
    usual = type(settings)()
    return ", ".join(f"{table}.{key}" for key in keys if getattr(settings, key) != getattr(usual, key))


def is_idle(key: str, experiment: Experiment) -> bool:
    """Is the dotted `key` a setting of a stage that the experiment does not run?"""
    return f"{key}.".startswith(idle_tables(experiment.transfer.kind))


def is_held_out(key: str) -> bool:
    """Is the dotted `key` how much of a source is held out for choosing weights?"""
    return key.startswith("source.") and key.rpartition(".")[2] in HELD_OUT


def refuse_idle(experiment: Experiment, overrides: Sequence[str]) -> None:
    """Raises ConfigError for an override of a stage that does not run: whoever writes one expects it to do something.

    A recipe may have such tables, since one recipe serves several kinds of transfer; `idle_notes` says so.
    """
    kind = experiment.transfer.kind
    for override in overrides:
        key = override.partition("=")[0].strip()
        if is_held_out(key) and not experiment.is_zero_shot:
            raise ConfigError(
                f"override '{override}' has no effect: {NOT_ON_SOURCE}",
                where="--set",
                expected="zero-shot transfer, or the share of the target that is held out",
                hint=f"--set target.{key.rpartition('.')[2]}=..., or leave it out",
            )
        if is_idle(key, experiment):
            name = key.split(".", 2)[2] if key.count(".") > 1 else "epochs"
            raise ConfigError(
                f"override '{override}' has no effect: {REASONS[kind]}",
                where="--set",
                expected=f"keys of stages that run: {_running(kind)}",
                hint=f"--set training.{STAGES[kind][-1]}.{name}=..., or another transfer.kind",
            )


def refuse_equal_seeds(experiment: Experiment, seeds: Sequence[int]) -> None:
    """Raises ConfigError for several seeds of which all would train the same, since every stage has one of its own."""
    kinds = STAGES[experiment.transfer.kind]
    own = [stage.training for stage in experiment.source] if "source" in kinds else []
    stages = [experiment.training.for_stage("source", one) for one in own]
    stages += [experiment.training.for_stage(kind) for kind in kinds if kind != "source"]
    if len(seeds) < 2 or any(stage.seed is None for stage in stages):
        return
    raise ConfigError(
        f"{len(seeds)} seeds would train the same {len(seeds)} times: every stage has a seed of its own",
        where="--seeds with training.seed",
        expected="at least one stage whose seed is that of the experiment",
        hint="drop training.seed, or --seeds",
    )


def _running(kind: str) -> str:
    return " and ".join(f"[training.{stage}]" for stage in STAGES[kind])
