"""`nerbridge sweep`: one recipe, some of its settings varied."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nerbridge.cli.console import console, visible
from nerbridge.cli.options import DataRootOption, JsonOption
from nerbridge.cli.program import command_line
from nerbridge.cli.train_options import CacheOption, SetOption, parse_seeds

if TYPE_CHECKING:
    from nerbridge.pipeline.sweep.outcome import SweepResult


def command(
    recipe: Annotated[Path, typer.Argument(help="TOML file; see recipes/ and docs/recipes.md.")],
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary", metavar="KEY=V,V,...", help="A setting and its values (repeatable).", show_default=False
        ),
    ] = None,
    seeds: Annotated[
        str | None,
        typer.Option("--seeds", metavar="N,N,...", help="Seeds of each setting.  [default: the recipe's]"),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Cells at the same time.  [default: one per device, or 1]")
    ] = None,
    devices: Annotated[
        str | None, typer.Option(metavar="N,N,...", help="GPUs that the jobs take in turn.", show_default=False)
    ] = None,
    metric: Annotated[Literal["dev", "test"], typer.Option(help="What settings are ranked by.")] = "dev",
    drop_models: Annotated[
        bool, typer.Option("--drop-models", help="Remove each finished cell's model; scores and predictions stay.")
    ] = False,
    overrides: SetOption = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder of the sweep.  [default: runs/NAME-by-KEYS]")
    ] = None,
    data_root: DataRootOption = None,
    cache: CacheOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train every combination of settings and seeds of a recipe.

    Writes a table and a picture that compare them.

    Stopped or killed, the same command continues. Cells share finished source stages. Values and seeds can be added
    later; what is finished is not trained again.
    """
    from nerbridge.cli.running import continuable
    from nerbridge.pipeline.places import default_cache
    from nerbridge.pipeline.sweep.crew import Crew, parse_devices
    from nerbridge.pipeline.sweep.plan import plan_sweep
    from nerbridge.pipeline.sweep.sweep import raise_failures, run_sweep
    from nerbridge.pipeline.sweep.variations import parse_variations

    chosen = parse_devices(devices) if devices is not None else ()
    crew = Crew(data_root, cache or default_cache(), jobs=max(len(chosen), 1) if jobs is None else jobs, devices=chosen)
    settings = overrides or []
    plan = plan_sweep(
        recipe,
        parse_variations(vary or [], settings),
        seeds=() if seeds is None else parse_seeds(seeds),
        overrides=settings,
        folder=output,
    )

    def say(text: str) -> None:
        console.note(visible(text))

    with continuable():
        result = run_sweep(plan, crew, say=say, metric=metric, drop_models=drop_models)
    _print(result, as_json=as_json)
    raise_failures(result)


def _print(result: "SweepResult", *, as_json: bool) -> None:
    """The tables to stdout, what to know and the way on to stderr."""
    from nerbridge.pipeline.sweep.results import TARGET
    from nerbridge.pipeline.sweep.tables import averages_table, settings_table

    folder, rows = result.plan.folder, result.rows
    if as_json:
        console.json(result.to_json())
    elif rows:
        console.table(*settings_table(result, mark="*"))
        header, lines = averages_table(result, mark="*")
        if lines:
            console.result("")
            console.table(header, lines)
    for note in result.notes:
        console.note(f"note     {visible(note)}")
    if rows:
        console.note(f"table    {folder / 'table.md'}")
        console.note(f"report   {folder / 'report.html'}")
        same = [row for row in rows if row.choices.get(TARGET) == rows[-1].choices.get(TARGET)]
        if len(same) > 1:  # runs on different targets have no sentence in common
            pair = (folder / same[0].name, folder / same[-1].name)
            console.note(f"compare  {command_line('compare', *pair)}")
