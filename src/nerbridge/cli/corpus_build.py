"""`nerbridge corpus build`: files of raw text -> a folder of sentences."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nerbridge.cli.console import console
from nerbridge.cli.corpus_counts import ProgressLines, print_counts
from nerbridge.cli.options import DataRootOption, JsonOption
from nerbridge.cli.raw_options import FieldOption

if TYPE_CHECKING:
    from nerbridge.config.corpus import CorpusSettings


class TextFormatName(StrEnum):
    """The formats of raw text, for the command line; the same as nerbridge.config.corpus.TextFormat."""

    AUTO = "auto"
    TEXT = "text"
    JSONL = "jsonl"
    PARQUET = "parquet"
    MEDIAWIKI = "mediawiki"


class UnitName(StrEnum):
    """What a document of a text file is, for the command line; the same as RawTextSettings.unit."""

    LINE = "line"
    BLOCK = "block"
    FILE = "file"


PathsArgument = Annotated[
    list[str], typer.Argument(metavar="PATH", help="Files, folders, built corpora, or patterns such as 'text/*.gz'.")
]
OutputOption = Annotated[Path, typer.Option("--output", "-o", help="The folder to write.", show_default=False)]
FormatOption = Annotated[TextFormatName, typer.Option("--format", help="Format of the files; auto: by the suffix.")]
UnitOption = Annotated[
    UnitName,
    typer.Option("--unit", help="What is a document of plain text: a line, a block of wrapped lines, or the file."),
]
EncodingOption = Annotated[str, typer.Option("--encoding", help="Encoding of the files.")]
CategoryOption = Annotated[
    str | None,
    typer.Option("--category", help="Of MediaWiki dumps: only articles of this category.", show_default=False),
]
DepthOption = Annotated[int, typer.Option("--depth", min=0, help="Levels of sub-categories below --category.")]
LanguageOption = Annotated[
    str | None,
    typer.Option("--language", help="Leave out documents in other languages than en, ...", show_default=False),
]
GuardOption = Annotated[
    list[str] | None,
    typer.Option(
        "--guard",
        metavar="NAME|FILE",
        help="Leave out text that dev or test of this data set, or this labelled file, holds too; may be repeated.",
        show_default=False,
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Any other setting, such as filters.min_words=10 or filters.similarity=none; may be repeated.",
        show_default=False,
    ),
]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", min=1, help="Processes; by default one for each core.", show_default=False)
]


def command(
    paths: PathsArgument,
    output: OutputOption,
    format: FormatOption = TextFormatName.AUTO,
    unit: UnitOption = UnitName.LINE,
    field: FieldOption = "text",
    encoding: EncodingOption = "utf-8",
    category: CategoryOption = None,
    depth: DepthOption = 3,
    language: LanguageOption = None,
    guard: GuardOption = None,
    settings: SetOption = None,
    jobs: JobsOption = None,
    data_root: DataRootOption = None,
    json: JsonOption = False,
) -> None:
    """Make a corpus of raw text.

    It holds sentences of words, without what is damaged, foreign, repeated or held out.

    Reads plain text, JSON lines, Parquet and MediaWiki dumps, each also .gz, .bz2, .xz or .zst.

    The same command goes on after a kill, and does nothing where the corpus is there.
    """
    from nerbridge.corpus.building import build_corpus, undecoded
    from nerbridge.corpus.evaluation_sets import guard_of
    from nerbridge.corpus.inputs import check_paths

    text: dict[str, Any] = {"format": format.value, "unit": unit.value, "field": field}
    text |= {"encoding": encoding, "category": category, "category_depth": depth}
    chosen = _settings({"text": text, "filters": {"language": language}}, settings or [])
    if not guard:
        console.warning("no evaluation set is guarded: `--guard NAME` leaves out text that its dev and test sets hold")
    check_paths(paths)  # said before evaluation sets are read
    found = guard_of(guard or [], data_root, chosen.filters)
    progress = ProgressLines()
    try:
        corpus = build_corpus(paths, output, chosen, guard=found, jobs=jobs or _cores(), on_progress=progress.show)
    except KeyboardInterrupt:
        console.note("stopped; the same command goes on from the last closed file")
        raise typer.Exit(130) from None
    for fault in corpus.manifest["counts"]["faults"]:
        console.warning(fault)
    for line in undecoded(corpus.manifest["counts"], chosen.text.encoding):
        console.warning(line)
    if json:
        console.json({"folder": str(output), **corpus.manifest})
    else:
        print_counts(corpus)


def _settings(tables: dict[str, Any], overrides: list[str]) -> "CorpusSettings":
    """Raises ConfigError listing every wrong key at once."""
    from pydantic import ValidationError

    from nerbridge.config.corpus import CorpusSettings
    from nerbridge.config.faults import config_error
    from nerbridge.config.loading import apply_overrides

    tables = apply_overrides(tables, overrides)
    try:
        return CorpusSettings.model_validate(tables)
    except ValidationError as fault:
        where, hint = "the command line of `nerbridge corpus build`", "correct the option, or the key behind --set"
        page, options = "docs/corpus.md", {"filters.language": "--language"}
        raise config_error(fault, tables, where, hint, settings=CorpusSettings, page=page, options=options) from None


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
