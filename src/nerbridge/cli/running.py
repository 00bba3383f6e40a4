"""Running an experiment from a command: one seed or several, then the scores."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from nerbridge.cli.console import console, visible
from nerbridge.cli.run_summary import print_run, print_seeds
from nerbridge.cli.train_options import parse_seeds

if TYPE_CHECKING:
    from nerbridge.config.experiment import Experiment
    from nerbridge.pipeline.surroundings import Surroundings


def run_and_print(
    experiment: "Experiment",
    surroundings: "Surroundings",
    *,
    folder: Path,
    seeds: str | None,
    as_json: bool,
    ablate: bool = False,
) -> None:
    """Carry out `experiment` in `folder`, with each of `seeds` where given, and print what came out.

    ablate: then also without each of its parts; as JSON, only the comparisons are printed.
    """
    from nerbridge.pipeline.processes import is_main

    numbers = None if seeds is None else parse_seeds(seeds)
    if is_main():
        begun = f"run      {folder}" + ("" if numbers else f", seed {experiment.seed}")
        surroundings = replace(surroundings, say=_behind(begun, surroundings.say))
    if ablate:
        _announce(experiment)
    with continuable():
        _run(experiment, surroundings, folder, numbers, as_json=as_json, silent=ablate and as_json)
        if ablate:
            _ablate(experiment, surroundings, folder, numbers, as_json=as_json)


def _behind(line: str, say: Callable[[str], None]) -> Callable[[str], None]:
    """`say`, with `line` before what it says first: a command that is refused has begun no run."""
    waiting = [line]

    def speak(text: str) -> None:
        while waiting:
            say(waiting.pop())
        say(text)

    return speak


def _run(
    experiment: "Experiment",
    surroundings: "Surroundings",
    folder: Path,
    seeds: list[int] | None,
    *,
    as_json: bool,
    silent: bool,
) -> None:
    """One run, or one per seed; the scores are printed unless `silent`."""
    from nerbridge.pipeline.processes import is_main

    if seeds is None:
        from nerbridge.pipeline.run import run_experiment

        result = run_experiment(experiment, folder, surroundings)
        if is_main() and not silent:
            print_run(result, as_json=as_json)
    else:
        from nerbridge.pipeline.seeds import run_seeds

        together = run_seeds(experiment, seeds, folder, surroundings)
        if is_main() and not silent:
            print_seeds(together, as_json=as_json)


def _announce(experiment: "Experiment") -> None:
    """Raises ConfigError when there is nothing to leave out."""
    from nerbridge.pipeline.ablation import parts_of

    without = ", ".join(f"without {part.name}" for part in parts_of(experiment))
    console.once(f"ablation then {without}: each trained in turn and compared; times are said run by run")


def _ablate(
    experiment: "Experiment", surroundings: "Surroundings", folder: Path, seeds: list[int] | None, *, as_json: bool
) -> None:
    from nerbridge.cli.ablation_table import print_ablation
    from nerbridge.pipeline.ablation import run_ablation
    from nerbridge.pipeline.processes import is_main

    ablation = run_ablation(experiment, folder, surroundings, seeds)
    if not is_main():
        return
    if as_json:
        console.json({"folder": str(folder), "ablation": ablation.to_json()})
    else:
        print_ablation(ablation)


@contextmanager
def continuable() -> Iterator[None]:
    """Ctrl-C inside says how to go on and what was kept, and ends the command with exit code 130."""
    from nerbridge.pipeline.interruption import Stopped

    try:
        yield
    except KeyboardInterrupt as stop:
        kept, anew = (stop.kept, stop.anew) if isinstance(stop, Stopped) else ((), False)
        if anew:
            console.once("stopped; nothing was kept: the same command begins anew")
        else:
            console.once("stopped; the same command continues" + (f"; kept: {', '.join(kept)}" if kept else ""))
        raise typer.Exit(130) from None


def make_surroundings(data_root: Path | None, cache: Path | None) -> "Surroundings":
    """Where a run finds things and how it speaks: progress bars on a terminal, plain lines elsewhere."""
    from nerbridge.cli.pretraining_progress import make_watcher
    from nerbridge.cli.progress import make_progress
    from nerbridge.pipeline.places import default_cache
    from nerbridge.pipeline.surroundings import Surroundings

    def say(text: str) -> None:
        console.note(visible(text))

    return Surroundings(data_root, cache or default_cache(), make_progress(), say, make_watcher())
