"""`nerbridge train`: one recipe."""

from pathlib import Path
from typing import Annotated

import typer

from nerbridge.cli.options import DataRootOption, JsonOption
from nerbridge.cli.train_options import CacheOption, OutputOption, SeedsOption, SetOption


def command(
    recipe: Annotated[Path, typer.Argument(help="TOML file; see recipes/ and docs/recipes.md.")],
    overrides: SetOption = None,
    seeds: SeedsOption = None,
    output: OutputOption = None,
    data_root: DataRootOption = None,
    cache: CacheOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train and score what a recipe says.

    Writes a run folder: settings, data, journal, model, predictions, scores and report.

    Stopped or killed, the same command continues where it was. Finished source stages are taken from the cache.
    """
    from nerbridge.cli.running import make_surroundings, run_and_print
    from nerbridge.config.loading import load_experiment
    from nerbridge.pipeline.first_checks import check_places

    experiment = load_experiment(recipe, overrides or [])
    check_places(experiment, data_root)
    folder = output or Path("runs") / experiment.name
    run_and_print(experiment, make_surroundings(data_root, cache), folder=folder, seeds=seeds, as_json=as_json)
