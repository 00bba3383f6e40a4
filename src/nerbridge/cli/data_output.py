"""How the data commands write sentences, and what they say about it."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nerbridge.cli.console import console
from nerbridge.cli.data_options import FormatName, SchemeName
from nerbridge.errors import ConfigError, DataError

if TYPE_CHECKING:
    from nerbridge.data.sentence import Sentence


class SeparatorName(StrEnum):
    """What can be written between columns; members of nerbridge.data.separators.Separator."""

    TAB = "tab"
    SPACE = "space"


ToFormatOption = Annotated[
    FormatName | None,
    typer.Option("--to-format", help="Format to write; by default by the suffix of the output.", show_default=False),
]
ToSchemeOption = Annotated[
    SchemeName, typer.Option("--to-scheme", help="Tag scheme to write in column files.", case_sensitive=False)
]
ToSeparatorOption = Annotated[SeparatorName, typer.Option("--to-separator", help="What to write between columns.")]


def output_format(output: Path, wanted: FormatName | None) -> FormatName:
    """The format to write: as wanted, else JSONL for .jsonl, .ndjson or .json, else columns; of .csv it warns."""
    if wanted is not None:
        return wanted
    if output.suffix.lower() == ".csv":
        console.warning(f"'{output}' is written with a TAB or a space between its columns, not with commas")
    return FormatName.JSONL if output.suffix in {".jsonl", ".ndjson", ".json"} else FormatName.COLUMNS


def write_sentences(
    sentences: "Sequence[Sentence]", output: Path, format: FormatName, scheme: SchemeName, separator: SeparatorName
) -> int:
    """Write the file and return how many spans merged with a neighbour because the scheme cannot part them.

    A file that is replaced is said.

    Raises DataError when a sentence cannot be written so, or the disk refuses.
    """
    from nerbridge.data.schemes import Scheme
    from nerbridge.data.separators import Separator
    from nerbridge.data.writing import write_columns, write_jsonl

    replaces, merged = output.is_file(), 0
    try:
        if format is FormatName.JSONL:
            write_jsonl(sentences, output)
        else:
            merged = write_columns(sentences, output, scheme=Scheme(scheme.value), separator=Separator(separator.value))
    except OSError as error:
        raise DataError(
            f"'{output}' cannot be written: {error.strerror}",
            where=str(output),
            expected="a path in a folder that can be written to",
            hint="choose another output, or make room on the disk",
        ) from error
    if replaces:
        console.note(f"{output}: an earlier file was replaced")
    return merged


def refuse_own_input(output: Path, sentences: "Sequence[Sentence]") -> None:
    """Raises ConfigError when `output` is a file that the sentences were read from."""
    paths = {sentence.origin.path for sentence in sentences if sentence.origin}
    if output.exists() and any(Path(path).exists() and output.samefile(path) for path in paths):
        raise ConfigError(
            f"'{output}' is the file that is read",
            where="the output",
            expected="another path",
            hint="write to a new file, then move it",
        )


def label_counts(sentences: "Sequence[Sentence]") -> dict[str, int]:
    """Mentions per label, most frequent first."""
    counts = Counter(span.label for sentence in sentences for span in sentence.spans)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
