"""`nerbridge data overlap`: figure 1 of CrossNER for any data."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from nerbridge.cli.console import console
from nerbridge.cli.data_inputs import Reading, choose_inputs, load_inputs
from nerbridge.cli.data_options import EncodingOption, FormatOption, ReadOption
from nerbridge.cli.heat_map import check_picture, draw_heat_map
from nerbridge.cli.options import DataRootOption, JsonOption
from nerbridge.cli.raw_options import FieldOption
from nerbridge.cli.raw_texts import raw_texts
from nerbridge.errors import ConfigError
from nerbridge.wording import counted

DomainsArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NAME|FILE]...", help="Public data sets (all splits) or labelled files, one domain each."),
]
RawOption = Annotated[
    list[str] | None,
    typer.Option(
        "--raw",
        metavar="NAME=PATH",
        help="A domain of raw text: a corpus of `nerbridge corpus build` or `select`, or files of any "
        "kind that `corpus build` reads.",
    ),
]
SizeOption = Annotated[
    int, typer.Option("--size", min=1, help="How many of the most frequent words make a vocabulary.")
]
PlotOption = Annotated[
    Path | None, typer.Option("--plot", help="Write a heat map: .png, .pdf or .svg.", show_default=False)
]


def command(
    domains: DomainsArgument = None,
    raw: RawOption = None,
    size: SizeOption = 5000,
    plot: PlotOption = None,
    format: FormatOption = None,
    encoding: EncodingOption = "utf-8",
    read: ReadOption = None,
    field: FieldOption = "text",
    data_root: DataRootOption = None,
    json: JsonOption = False,
) -> None:
    """Compare the vocabularies of domains.

    How many of their most frequent words do they share?

    The vocabulary of a domain is its 5,000 (--size) most frequent words in lower case, without English stop words and
    without words that hold no letter. The overlap is the number of shared words, in percent of the smaller vocabulary.
    """
    from nerbridge.data.overlap import overlap_matrix, vocabulary

    if plot is not None:
        check_picture(plot)  # before the long work
    texts, where = raw_texts(raw or [], domains or []), field
    names = list(dict.fromkeys([*(domains or []), *texts]))
    if len(names) < 2:
        raise ConfigError(
            f"{counted(len(names), 'domain')} cannot be compared",
            where="the command line of `nerbridge data overlap`",
            expected="at least two data sets, files or --raw NAME=PATH",
            hint="nerbridge data overlap conll2003 crossner/ai --data-root FOLDER",
        )
    reading = Reading(format, None, encoding, read or ())
    vocabularies = {}
    for name in names:
        words = texts[name].words(encoding, where) if name in texts else _words(name, data_root, reading)
        vocabularies[name] = vocabulary(words, size=size)
    matrix = overlap_matrix(vocabularies)
    if plot is not None:
        draw_heat_map(names, matrix, plot, title="Vocabulary overlap between domains (%)")
        console.note(f"heat map: {plot}")
    if json:
        sizes = {name: len(found) for name, found in vocabularies.items()}
        rows = {name: dict(zip(names, row, strict=True)) for name, row in zip(names, matrix, strict=True)}
        console.json({"size": size, "vocabulary": sizes, "overlap_percent": rows})
        return
    console.table(["overlap, %", *names], [[name, *row] for name, row in zip(names, matrix, strict=True)])
    for name in names:
        if len(vocabularies[name]) < size:
            console.note(f"{name} has only {counted(len(vocabularies[name]), 'word')}, not {size:,}")


def _words(name: str, data_root: Path | None, reading: Reading) -> Iterator[str]:
    data = load_inputs(choose_inputs([name]), data_root, reading)
    return (word for sentences in data.splits.values() for sentence in sentences for word in sentence.words)
