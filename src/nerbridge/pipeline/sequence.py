"""The stages of a plan, one after the other: all but the last in the cache, where other runs find them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nerbridge.config.experiment import Experiment
from nerbridge.pipeline.interruption import keeping_finished
from nerbridge.pipeline.keys import describe_hardware, stage_key
from nerbridge.pipeline.own_labels import Teacher, own_sentences
from nerbridge.pipeline.stage_training import StageRun
from nerbridge.pipeline.stages import is_finished, repeat_stage, run_stage
from nerbridge.pipeline.surroundings import Surroundings
from nerbridge.training.evaluation import FitResult
from nerbridge.transfer.self_training import FIRST, with_own_labels
from nerbridge.transfer.stage import Plan, Stage


@dataclass(frozen=True)
class Trained:
    """A stage that has ended. folder: of its result and journal; model: its bundle; key: of all that it is made of.

    labels: the folder of the sentences that the tagger before has labelled for it, and of their counts.
    """

    folder: Path
    model: Path
    key: str
    result: FitResult
    labels: Path | None = None


def stage_keys(experiment: Experiment, plan: Plan) -> list[str]:
    """The key of every stage of `plan`, in order."""
    keys: list[str] = []
    for stage in plan.stages:
        parent = keys[-1] if keys else None
        seed = stage_seed(experiment, stage)
        keys.append(stage_key(stage, experiment, parent=parent, seed=seed, hardware=describe_hardware()))
    return keys


def stage_seed(experiment: Experiment, stage: Stage) -> int:
    """The seed of a stage: its own, or that of the experiment."""
    return experiment.seed if stage.settings.seed is None else stage.settings.seed


def stage_folder(cache: Path, key: str) -> Path:
    """Where a finished stage is kept."""
    return cache / "stages" / key[:32]


def are_finished(keys: Sequence[str], cache: Path, last: Path) -> list[bool]:
    """Which stages of these keys an earlier run has finished. last: the folder of the last one."""
    places = [*(stage_folder(cache, key) for key in keys[:-1]), last]
    return [is_finished(place, key) for place, key in zip(places, keys, strict=True)]


def run_stages(
    experiment: Experiment,
    plan: Plan,
    surroundings: Surroundings,
    *,
    last: tuple[Path, Path] | None = None,
    trained: Callable[[Stage, Trained], None] | None = None,
) -> dict[str, Trained]:
    """Train every stage that is not finished, in order.

    last: folders of the last stage and of its bundle; by default it is kept in the cache like the others. trained: is
    told of every stage that has ended. Raises TrainingError when training cannot go on.
    """
    results: dict[str, Trained] = {}
    before: tuple[str, Trained] | None = None
    ended = False  # has a round of self-training kept nothing? It, and those behind it, are round 0 then
    for stage, key in zip(plan.stages, stage_keys(experiment, plan), strict=True):
        cached = stage_folder(surroundings.cache, key)
        is_last = stage is plan.stages[-1]
        place, model = last if is_last and last is not None else (cached, cached / "model")
        seed, say, progress = stage_seed(experiment, stage), surroundings.say, surroundings.progress
        parent = None if before is None else before[1].model
        with keeping_finished(results):
            whole, labels = (None, None) if ended else _completed(stage, before, seed, surroundings)
            ended = whole is None
            run = StageRun(experiment, whole or stage, key, seed, place, model, parent, progress, say, plan.aliases)
            if whole is None:
                first = results[FIRST]
                result = repeat_stage(run, first.model, first.result, of=FIRST)
            else:
                result = run_stage(run)
            results[stage.name] = Trained(place, model, key, result, labels)
        if trained is not None:
            trained(stage, results[stage.name])
        before = stage.name, results[stage.name]
    assert results, "a plan has at least one stage"
    return results


def _completed(
    stage: Stage, before: tuple[str, Trained] | None, seed: int, surroundings: Surroundings
) -> tuple[Stage | None, Path | None]:
    """The stage with the sentences that the one before labels for it, and where these lie.

    As it is where it learns no such sentences; None where it should, but the one before is sure of none.
    """
    if stage.own_labels is None:
        return stage, None
    assert before is not None, "there is a tagger that labels"
    name, trained = before
    sentences, folder = own_sentences(stage, Teacher(trained.model, trained.key, name), seed, surroundings)
    return with_own_labels(stage, sentences) if sentences else None, folder
