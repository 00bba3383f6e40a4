"""Arguments and options that several data commands share: what is read, and how."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class FormatName(StrEnum):
    """The file formats, for the command line; the same as nerbridge.data.reading.FileFormat."""

    COLUMNS = "columns"
    JSONL = "jsonl"


class SchemeName(StrEnum):
    """The tag schemes, for the command line; the same as nerbridge.data.schemes.Scheme."""

    BIO = "BIO"
    IOB1 = "IOB1"
    BIOES = "BIOES"
    BMES = "BMES"
    BILOU = "BILOU"
    IO = "IO"
    BARE = "bare"


InputsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME|TRAIN DEV TEST",
        help="A public data set, or your own files in the order train, dev, test.",
        show_default=False,
    ),
]
TrainOption = Annotated[Path | None, typer.Option("--train", help="Your training file.", show_default=False)]
DevOption = Annotated[Path | None, typer.Option("--dev", help="Your development file.", show_default=False)]
TestOption = Annotated[Path | None, typer.Option("--test", help="Your test file.", show_default=False)]
SplitOption = Annotated[str, typer.Option("--split", help="Which split of a public data set.")]
FormatOption = Annotated[FormatName | None, typer.Option("--format", help="File format; detected.", show_default=False)]
SchemeOption = Annotated[
    SchemeName | None,
    typer.Option("--scheme", help="Tag scheme; detected.", case_sensitive=False, show_default=False),
]
EncodingOption = Annotated[str, typer.Option("--encoding", help="Encoding of your files.")]
ReadOption = Annotated[
    list[str] | None,
    typer.Option(
        "--read",
        metavar="OPTION=VALUE",
        help="How your files are read, such as tag_column=1, separator=comma, repair=strict, offsets=utf16, "
        "start_shift=-1; may be repeated.",
        show_default=False,
    ),
]
UnverifiedOption = Annotated[
    bool, typer.Option("--unverified", help="Go on with files of a public data set that are not the published ones.")
]
