"""One experiment with one seed: data, stages, scores, report, all in one run folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nerbridge.assembly.bundle import load_bundle
from nerbridge.assembly.tagger import Tagger
from nerbridge.config.experiment import Experiment
from nerbridge.data.encoder_files import encoder_fingerprint, unverified_folders
from nerbridge.evaluation.files import write_text
from nerbridge.evaluation.run_folder import DATA, EXPERIMENT
from nerbridge.evaluation.run_report import write_run_report
from nerbridge.evaluation.stage_facts import stage_facts
from nerbridge.evaluation.summary import Summary
from nerbridge.pipeline.data import ExperimentData, load_data
from nerbridge.pipeline.description import describe_data, describe_plan
from nerbridge.pipeline.environment import describe_environment
from nerbridge.pipeline.files import read_json, write_json
from nerbridge.pipeline.folder import RECIPE, claim, named_as_there, refuse_foreign
from nerbridge.pipeline.foretelling import Foretelling
from nerbridge.pipeline.interruption import keeping_finished
from nerbridge.pipeline.keys import device_kind
from nerbridge.pipeline.pretrained.run import train_with_raw_text
from nerbridge.pipeline.pretrained.work import RawWork
from nerbridge.pipeline.processes import held_run, is_main, wait_for_all
from nerbridge.pipeline.recipe import write_recipe
from nerbridge.pipeline.same_data import ENCODER, RAW_TEXT, refuse_other_text
from nerbridge.pipeline.scoring import score_run
from nerbridge.pipeline.sequence import Trained, are_finished, run_stages, stage_keys
from nerbridge.pipeline.stage_training import JOURNAL
from nerbridge.pipeline.surroundings import Surroundings
from nerbridge.pipeline.unscored import LOOKED_AT, FoundEntities, find_entities
from nerbridge.training.evaluation import FitResult
from nerbridge.training.journal import read_journal, sound_lines
from nerbridge.transfer.plan import plan_stages
from nerbridge.transfer.stage import Plan, Stage

__all__ = ["RunResult", "Surroundings", "read_experiment", "run_experiment"]


@dataclass(frozen=True, repr=False)
class RunResult:
    """A finished run: its folder, the stages' results in order, and the scores by split.

    Shown, it is its folder, its seed and the F1 of each split, in percent.
    facts: what is known of each stage besides, such as numbers of parameters (`nerbridge.evaluation.stage_facts`).
    found: where nothing is scored, what the tagger finds in some of the target's raw text; None without such text.
    """

    folder: Path
    seed: int
    stages: Mapping[str, FitResult]
    summaries: Mapping[str, Summary]
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    found: FoundEntities | None = None

    def __repr__(self) -> str:
        scores = "".join(f", {split} F1 {100 * summary.f1:.2f}" for split, summary in self.summaries.items())
        return f"RunResult('{self.folder}', seed {self.seed}{scores})"


def run_experiment(experiment: Experiment, folder: Path, surroundings: Surroundings) -> RunResult:
    """Carry out `experiment` in `folder`; what is already there, or in the cache, is not done again.

    A second command in the same folder waits until the first has ended.
    Raises ConfigError when `folder` holds another experiment or was made from other data, BundleError when the files of
    the encoder are damaged, and whatever data and training raise.
    """
    if not is_main():
        surroundings = replace(surroundings, say=_silent)
    refuse_foreign(experiment, folder)
    experiment = named_as_there(experiment, folder)
    weights = encoder_fingerprint(experiment.encoder)
    data = load_data(experiment, surroundings.data_root)
    plan = plan_stages(experiment, data.sources, data.target, data.raw)
    record = {**data.record(), ENCODER: weights}
    with held_run(folder, surroundings.say):
        claim(experiment, folder, record)  # only now: a run that could not start leaves the folder to the next
        if is_main():
            _write_inputs(experiment, {**record, "plan": list(plan.notes)}, folder)
        return _carry_out(experiment, data, plan, folder, surroundings)


def _carry_out(
    experiment: Experiment, data: ExperimentData, plan: Plan, folder: Path, surroundings: Surroundings
) -> RunResult:
    """Train, score and report in a folder that is held."""
    for note in unverified_folders(experiment.encoder):
        surroundings.say(f"note     {note}")
    behind_raw_text = experiment.corpus is not None  # whose steps come first, and are said first
    for line in (*describe_data(data), *(() if behind_raw_text else describe_plan(plan))):
        surroundings.say(line)
    results = _train(experiment, data, plan, folder, surroundings)
    with keeping_finished(results):
        summaries, found = _score(data, plan, folder, results, surroundings)
    facts = stage_facts(read_journal(folder / JOURNAL)) if is_main() else {}
    stages = {name: one.result for name, one in results.items()}
    return RunResult(folder, experiment.seed, stages, summaries, facts, found)


def _score(
    data: ExperimentData, plan: Plan, folder: Path, results: Mapping[str, Trained], surroundings: Surroundings
) -> tuple[Mapping[str, Summary], FoundEntities | None]:
    """The scores by split with their report, or what is found in raw text where nothing can be scored."""
    wait_for_all()
    summaries: Mapping[str, Summary] = {}
    found = None
    if is_main():
        trained, domain = list(results.values())[-1], plan.stages[-1].domain

        def tagger() -> Tagger:
            return load_bundle(trained.model, device=device_kind()).model

        summaries = score_run(folder, trained.key, data.target, domain, tagger, surroundings.say)
        _gather_journal(folder, results)
        if summaries:
            write_run_report(folder)
        elif data.raw.target:
            found = find_entities(tagger(), data.raw.target, domain)
    wait_for_all()
    return summaries, found


def _silent(text: str) -> None:
    """The other processes of a run do not speak."""


def _write_inputs(experiment: Experiment, record: Mapping[str, Any], folder: Path) -> None:
    """record: what the run learns from: sentences, the files that its encoder starts from, and what the plan notes."""
    write_recipe(folder / RECIPE, experiment)
    write_json(folder / "environment.json", describe_environment())
    write_json(folder / DATA, record)


def _train(
    experiment: Experiment, data: ExperimentData, plan: Plan, folder: Path, surroundings: Surroundings
) -> dict[str, Trained]:
    """Every stage in order, behind the steps on raw text where there are some. Stages before the last live in the
    cache; the last one is the run's own."""
    last = (folder / "stage", folder / "model")
    if experiment.corpus is None:
        return run_stages(experiment, plan, _foretelling(experiment, data, plan, folder, surroundings), last=last)
    work = RawWork(experiment, data, plan, surroundings)
    if (folder / RAW_TEXT).exists():
        refuse_other_text(work.corpus_key, folder, work.lists_record)
    return train_with_raw_text(work, folder, last)


def _foretelling(
    experiment: Experiment, data: ExperimentData, plan: Plan, folder: Path, surroundings: Surroundings
) -> Surroundings:
    """The surroundings of stages that tell, once they learn, how long all should take."""

    def left() -> list[Stage]:
        finished = are_finished(stage_keys(experiment, plan), surroundings.cache, folder / "stage")
        return [stage for stage, done in zip(plan.stages, finished, strict=True) if not done]

    scored = (*data.target.dev, *data.target.test) or data.raw.target[:LOOKED_AT]
    return replace(surroundings, progress=Foretelling(surroundings.progress, left, scored, surroundings.say))


def _gather_journal(folder: Path, results: Mapping[str, Trained]) -> None:
    """The journals of all stages, in order, as the run's own; every line names its stage."""
    folders = [folder for one in results.values() for folder in (one.labels, one.folder) if folder is not None]
    lines = [line for part in folders for line in sound_lines(part / JOURNAL)]
    write_text(folder / JOURNAL, b"".join(lines).decode())


def read_experiment(folder: Path) -> dict[str, Any]:
    """The resolved settings of a run folder."""
    return read_json(folder / EXPERIMENT)
