"""Running an experiment from a command: one seed or several, then the scores."""

from pathlib import Path
from typing import TYPE_CHECKING

from nerbridge.cli.console import console
from nerbridge.cli.run_summary import print_run, print_seeds
from nerbridge.cli.train_options import parse_seeds

if TYPE_CHECKING:
    from nerbridge.config.experiment import Experiment
    from nerbridge.pipeline.run import Surroundings


def run_and_print(
    experiment: "Experiment", surroundings: "Surroundings", *, folder: Path, seeds: str | None, as_json: bool
) -> None:
    """Carry out `experiment` in `folder`, with each of `seeds` where given, and print what came out."""
    if seeds is None:
        from nerbridge.pipeline.run import run_experiment

        print_run(run_experiment(experiment, folder, surroundings), as_json=as_json)
    else:
        from nerbridge.pipeline.seeds import run_seeds

        print_seeds(run_seeds(experiment, parse_seeds(seeds), folder, surroundings), as_json=as_json)


def make_surroundings(data_root: Path | None, cache: Path | None) -> "Surroundings":
    """Where a run finds things and how it speaks: progress bars on a terminal, plain lines elsewhere."""
    from nerbridge.cli.progress import make_progress
    from nerbridge.pipeline.places import default_cache
    from nerbridge.pipeline.run import Surroundings

    return Surroundings(data_root, cache or default_cache(), make_progress(), console.note)
