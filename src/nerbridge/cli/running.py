"""Running an experiment from a command: one seed or several, then the scores."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from nerbridge.cli.console import console, visible
from nerbridge.cli.run_summary import print_run, print_seeds
from nerbridge.cli.train_options import parse_seeds

if TYPE_CHECKING:
    from nerbridge.config.experiment import Experiment
    from nerbridge.pipeline.run import Surroundings


def run_and_print(
    experiment: "Experiment", surroundings: "Surroundings", *, folder: Path, seeds: str | None, as_json: bool
) -> None:
    """Carry out `experiment` in `folder`, with each of `seeds` where given, and print what came out."""
    from nerbridge.pipeline.processes import is_main

    numbers = None if seeds is None else parse_seeds(seeds)
    if is_main():
        console.note(f"run      {folder}" + ("" if numbers else f", seed {experiment.seed}"))
    with continuable():
        if numbers is None:
            from nerbridge.pipeline.run import run_experiment

            result = run_experiment(experiment, folder, surroundings)
            if is_main():
                print_run(result, as_json=as_json)
        else:
            from nerbridge.pipeline.seeds import run_seeds

            together = run_seeds(experiment, numbers, folder, surroundings)
            if is_main():
                print_seeds(together, as_json=as_json)


@contextmanager
def continuable() -> Iterator[None]:
    """Ctrl-C inside says how to go on and what was kept, and ends the command with exit code 130."""
    from nerbridge.pipeline.interruption import Stopped

    try:
        yield
    except KeyboardInterrupt as stop:
        kept = stop.kept if isinstance(stop, Stopped) else ()
        console.once("stopped; the same command continues" + (f"; kept: {', '.join(kept)}" if kept else ""))
        raise typer.Exit(130) from None


def make_surroundings(data_root: Path | None, cache: Path | None) -> "Surroundings":
    """Where a run finds things and how it speaks: progress bars on a terminal, plain lines elsewhere."""
    from nerbridge.cli.progress import make_progress
    from nerbridge.pipeline.places import default_cache
    from nerbridge.pipeline.run import Surroundings

    return Surroundings(data_root, cache or default_cache(), make_progress(), lambda text: console.note(visible(text)))
