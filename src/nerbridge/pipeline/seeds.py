"""One experiment with several seeds, and what they say together."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerbridge.config.effects import refuse_equal_seeds
from nerbridge.config.experiment import Experiment
from nerbridge.evaluation.predictions import read_predictions
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.evaluation.run_report import write_run_report
from nerbridge.evaluation.seed_summary import summarize_seeds
from nerbridge.pipeline.files import write_json
from nerbridge.pipeline.folder import refuse_single_run
from nerbridge.pipeline.interruption import keeping_finished
from nerbridge.pipeline.processes import is_main
from nerbridge.pipeline.run import RunResult, Surroundings, run_experiment


@dataclass(frozen=True)
class SeedsResult:
    """The runs of all seeds, and per split mean, deviation and interval of their scores."""

    folder: Path
    runs: tuple[RunResult, ...]
    together: dict[str, dict[str, Any]]


def run_seeds(experiment: Experiment, seeds: Sequence[int], folder: Path, surroundings: Surroundings) -> SeedsResult:
    """Run `experiment` once per seed in `folder`/seed-N; write the aggregate scores and one report for all.

    Raises ConfigError when `folder` holds something else or the seeds make no difference, and whatever `run_experiment`
    raises.
    """
    refuse_equal_seeds(experiment, seeds)
    refuse_single_run(folder)
    runs: list[RunResult] = []
    for seed in seeds:
        if is_main():
            surroundings.say(f"seed {seed}")
        with keeping_finished([f"seed {run.seed}" for run in runs], f"seed {seed}"):
            one = experiment.model_copy(update={"seed": seed})
            runs.append(run_experiment(one, folder / f"seed-{seed}", surroundings))
    together = {split: _together(runs, split) for split in runs[0].summaries}
    if is_main():
        write_json(folder / "scores.json", together)
        if together:  # no labelled dev or test sentence: nothing to report
            write_run_report(folder)
    return SeedsResult(folder, tuple(runs), together)


def _together(runs: Sequence[RunResult], split: str) -> dict[str, Any]:
    predictions = {f"seed-{run.seed}": read_predictions(predictions_path(run.folder, split)) for run in runs}
    return summarize_seeds(predictions).to_json()
