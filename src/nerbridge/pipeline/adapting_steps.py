"""How long contexts that --context chooses are learnt: small files are read more often, so that steps are enough."""

import math
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from nerbridge.config.experiment import Experiment, SourceStageSettings, TargetSettings
from nerbridge.config.files import FilesSettings
from nerbridge.config.transfer import StreamsSettings
from nerbridge.data.registry import load_files
from nerbridge.data.registry.card import find_card
from nerbridge.pipeline.data import expand_name
from nerbridge.pipeline.data_checks import clean_domain
from nerbridge.pipeline.selecting import selecting_on_source, selecting_stage

EPOCHS = 20  # where files are large enough; dev is then asked behind each
LEAST_STEPS = 1_000  # below, such a tagger finds next to nothing
MOST_TURNS = 10  # times EPOCHS; files of less than a hundred sentences stay below LEAST_STEPS
OWN = ("epochs", "max_steps", "evaluate_every")  # keys of a stage's length that a user chooses


def lengthened_stage(experiment: Experiment, overrides: Sequence[str]) -> dict[str, Any]:
    """Keys of [training.joint] that give a stage its length: small files are read more often, until the steps are
    enough, and steps that end before the usual epochs do have their share of evaluations.

    What `overrides` say of it stays; where they say how long it is, the other bound makes way.
    Dev is asked as often as otherwise, and has as much patience, but at other intervals. What is no file, such as a
    shell's pipe, can be read once only and is not counted. Raises what reading the files raises.
    """
    keys = [override.partition("=")[0].strip() for override in overrides]
    chosen = {key.rpartition(".")[2] for key in keys if key.startswith("training.")} & set(OWN)
    return {key: value for key, value in _length(experiment, chosen).items() if key not in chosen}


def _length(experiment: Experiment, chosen: Collection[str]) -> dict[str, Any]:
    """The keys, where those that are `chosen` are as they should be."""
    stage = experiment.training.for_stage("joint")
    if "epochs" in chosen:
        return {"max_steps": None} if stage.max_steps is not None else {}
    strategy = experiment.transfer
    if not isinstance(strategy, StreamsSettings) or strategy.pace == "longest":  # other streams set the pace
        return {}
    sentences = _longest(experiment, strategy.streams)
    if not sentences:
        return {}
    steps = math.ceil(sentences / stage.batch_sentences)  # of an epoch
    if "max_steps" in chosen and stage.max_steps is not None:
        epochs = math.ceil(stage.max_steps / steps)
        return {"epochs": epochs, "evaluate_every": epochs / EPOCHS} if epochs > EPOCHS else {}
    turns = min(MOST_TURNS, math.ceil(LEAST_STEPS / (steps * EPOCHS)))
    if turns > 1:
        return {"epochs": EPOCHS * turns, "evaluate_every": turns}
    if stage.max_steps is not None and stage.max_steps < steps * EPOCHS:
        return {"evaluate_every": max(0.01, round(stage.max_steps / steps / EPOCHS, 2))}
    return {}


def _longest(experiment: Experiment, streams: Sequence[str]) -> int | None:
    """Training sentences of the longest stream of tags, which sets the pace; None where they cannot be counted."""
    sizes = []
    if "source/tags" in streams:
        selecting = selecting_on_source(experiment) is not None
        sizes += [_of_source(stage, experiment.target, selecting=selecting) for stage in experiment.source]
    if "target/tags" in streams:
        sizes.append(_of_target(experiment.target, selecting=selecting_stage(experiment) is not None))
    counted = [size for size in sizes if size is not None]
    return max(counted) if len(counted) == len(sizes) else None


def _of_source(stage: SourceStageSettings, target: TargetSettings, *, selecting: bool) -> int | None:
    names = [name for listed in stage.datasets for name in expand_name(listed, target)]
    share = stage.holdout if selecting else 0.0
    sizes = [_of_card(name, share) for name in names] + [_of_file(files, share) for files in stage.files]
    counted = [size for size in sizes if size is not None]
    return sum(counted) if len(counted) == len(sizes) else None


def _of_target(target: TargetSettings, *, selecting: bool) -> int | None:
    share = target.holdout if selecting else 0.0
    if target.dataset is not None:
        size = _of_card(target.dataset, share)
    else:
        size = None if target.files is None else _of_file(target.files, share)
    return size if size is None or target.num_train is None else min(size, target.num_train)


def _of_card(name: str, share: float) -> int | None:
    files = find_card(name).files
    number = files["train"].counts.get("sentences") if "train" in files else None
    return None if number is None else _kept(number, 0.0 if "dev" in files else share)


def _of_file(files: FilesSettings, share: float) -> int | None:
    if files.train is None or not Path(files.train).is_file():
        return None
    data, _ = clean_domain(load_files(train=files.train, domain=files.name, **files.read.options()))
    return _kept(len(data.train), 0.0 if files.dev else share)


def _kept(number: int, share: float) -> int:
    """What is left of `number` sentences when `share` of them is held out."""
    return number - round(share * number)
