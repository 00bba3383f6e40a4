"""`nerbridge plot`: pictures of what a tagger has learnt, and of its scores while it did."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import typer

from nerbridge.cli.console import console, visible
from nerbridge.cli.data_inputs import Reading
from nerbridge.cli.data_options import EncodingOption, FormatOption, ReadOption, SchemeOption
from nerbridge.cli.options import DataRootOption, JsonOption, SeedOption
from nerbridge.errors import ConfigError

Named = TypeVar("Named", bound=str)
FORMATS = ("png", "svg", "pdf")


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders or model folders: a panel each.")],
    what: Annotated[
        str | None,
        typer.Option(metavar="PICTURE,...", help="Of states, cells, curves.  [default: all that there is]"),
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(
            "--data",
            help="Registered data set or labelled file, one for each domain (repeatable).  [default: the run's own]",
            show_default=False,
        ),
    ] = None,
    split: Annotated[str, typer.Option(help="Split of the data; a file has only 'test'.")] = "test",
    by: Annotated[
        Literal["both", "label", "domain"], typer.Option(help="What colours and shapes tell apart.")
    ] = "both",
    sentences: Annotated[int, typer.Option(min=1, help="Sentences of each data set, at most.")] = 500,
    words: Annotated[int, typer.Option(min=1, help="Words of each data set, at most.")] = 1000,
    outside: Annotated[bool, typer.Option("--outside", help="Show words outside entities too.")] = False,
    perplexity: Annotated[
        float | None,
        typer.Option(min=1.0, help="Neighbours of a point, about, for t-SNE.  [default: 30, less for few points]"),
    ] = None,
    seed: SeedOption = 1,
    formats: Annotated[str, typer.Option("--formats", metavar="FORM,...", help="Of png, svg, pdf.")] = "png,svg",
    coordinates: Annotated[Literal["csv", "jsonl"], typer.Option(help="Form of the files of coordinates.")] = "csv",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder.  [default: RUN/plots of a single run, else plots]")
    ] = None,
    format: FormatOption = None,
    scheme: SchemeOption = None,
    encoding: EncodingOption = "utf-8",
    read: ReadOption = None,
    data_root: DataRootOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw what a tagger has learnt.

    states: the states of words in two dimensions (t-SNE), by label and domain. cells: the same of every cell of a
    multi-cell LSTM. curves: scores of all tasks while it trained.

    Writes pictures and the coordinates behind them; prints the paths.
    """
    from nerbridge.config.reading import ReadSettings
    from nerbridge.pipeline.plotting.output import check_output
    from nerbridge.pipeline.plotting.plot import draw_plots
    from nerbridge.pipeline.plotting.request import EVERYTHING, PlotRequest, labelled_data, plotted_runs
    from nerbridge.pipeline.plotting.words import Choice

    reading = ReadSettings(**Reading(format, scheme, encoding, read or ()).settings())
    found, notes = plotted_runs(runs)
    for note in notes:
        console.note(note)
    folder, pictures = output or _folder(runs), listed(formats, FORMATS, "--formats")
    wanted = [] if what is None else listed(what, EVERYTHING, "--what")
    check_output(folder, wanted, [*pictures, coordinates])
    request = PlotRequest(
        what=wanted,
        data=labelled_data(data or (), split, data_root, reading),
        split=split,
        choice=Choice(sentences, words, outside, seed),
        by=by,
        perplexity=perplexity,
        formats=pictures,
        coordinates=coordinates,
    )
    drawn = draw_plots(found, folder, request, console.note)
    if as_json:
        console.json(drawn.to_json())
        return
    for path in (path for files in drawn.files.values() for path in files):
        console.result(visible(str(path)))


def listed(text: str, allowed: Sequence[Named], option: str) -> list[Named]:
    """'png,svg' -> ['png', 'svg'], each once. Raises ConfigError for a name that is not allowed, and for none."""
    names = list(dict.fromkeys(filter(None, (name.strip() for name in text.split(",")))))
    if wrong := [name for name in names if name not in allowed]:
        raise ConfigError(
            f"'{wrong[0]}' is none of {', '.join(allowed)}",
            where=option,
            expected=f"some of {', '.join(allowed)}, separated by commas",
            hint=f"{option} {allowed[0]}",
        )
    if not names:
        raise ConfigError(
            f"{option} names nothing",
            where=option,
            expected=f"some of {', '.join(allowed)}, separated by commas",
            hint=f"{option} {allowed[0]}",
        )
    return [one for one in allowed if one in names]


def _folder(runs: Sequence[Path]) -> Path:
    """Inside a single run, else in the working folder: a model folder stays as it is."""
    alone = len(runs) == 1 and not (runs[0] / "bundle.json").exists()
    return runs[0] / "plots" if alone else Path("plots")
