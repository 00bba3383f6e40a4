"""`nerbridge data convert`: any format and scheme to any other, lossless or said."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nerbridge.cli.console import console, visible
from nerbridge.cli.data_inputs import Reading, load_split
from nerbridge.cli.data_options import (
    EncodingOption,
    FormatName,
    FormatOption,
    ReadOption,
    SchemeName,
    SchemeOption,
    SplitOption,
    UnverifiedOption,
)
from nerbridge.cli.data_output import (
    SeparatorName,
    ToFormatOption,
    ToSchemeOption,
    ToSeparatorOption,
    label_counts,
    output_format,
    refuse_own_input,
    write_sentences,
)
from nerbridge.cli.options import DataRootOption, JsonOption
from nerbridge.wording import counted

if TYPE_CHECKING:
    from nerbridge.data.counts import ReadCounts
    from nerbridge.data.sentence import Sentence

SourceArgument = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A labelled file, or a public data set.")]
OutputArgument = Annotated[Path, typer.Argument(help="The file to write.")]
RenameOption = Annotated[
    list[str] | None, typer.Option("--rename", metavar="OLD=NEW", help="New name of a label; may be repeated.")
]


def command(
    source: SourceArgument,
    output: OutputArgument,
    split: SplitOption = "train",
    to_format: ToFormatOption = None,
    to_scheme: ToSchemeOption = SchemeName.BIO,
    to_separator: ToSeparatorOption = SeparatorName.TAB,
    rename: RenameOption = None,
    format: FormatOption = None,
    scheme: SchemeOption = None,
    encoding: EncodingOption = "utf-8",
    read: ReadOption = None,
    data_root: DataRootOption = None,
    unverified: UnverifiedOption = False,
    json: JsonOption = False,
) -> None:
    """Write labelled data in another format.

    Column files and JSONL, every tag scheme, new label names.

    The new file is read back and compared; whatever the new format cannot hold is counted and said.
    """
    from nerbridge.data.renaming import parse_renames, rename_labels

    renames = parse_renames(rename or [])
    reading = Reading(format, scheme, encoding, read or ())
    sentences, counts = load_split(source, split, data_root, reading, verify=not unverified)
    for remark in counts.remarks():
        console.warning(f"{source}: {remark}")
    refuse_own_input(output, sentences)
    written = rename_labels(sentences, renames)
    target = output_format(output, to_format)
    merged = write_sentences(written, output, target, to_scheme, to_separator)
    repair = str(reading.options().get("repair", "conlleval"))
    lost = _lost(sentences, counts, renames, target, merged=merged, repair=repair)
    is_file = output.is_file()  # a pipe or a device gives nothing back, and takes nothing but the sentences
    if not merged and is_file:
        _read_back(written, output, target, to_scheme)
    labels = label_counts(written)
    if json:
        sizes = {"sentences": counts.sentences, "words": counts.words, "entities": counts.spans - merged}
        console.json({"output": str(output), "format": target.value, **sizes, "labels": labels, "lost": lost})
        return
    say = console.result if is_file else console.note
    numbers = {
        "sentence": counts.sentences,
        "word": counts.words,
        "entity": counts.spans - merged,
        "label": len(labels),
    }
    say(f"{output}: {', '.join(counted(number, noun) for noun, number in numbers.items())}")
    say(visible("\n".join([f"lost: {each}" for each in lost] or ["nothing was lost"])))


def _lost(
    sentences: "Sequence[Sentence]",
    counts: "ReadCounts",
    renames: Mapping[str, str],
    target: FormatName,
    *,
    merged: int,
    repair: str,
) -> list[str]:
    """What the new file does not say any more, one line each."""
    from nerbridge.data.renaming import count_joined

    columns = target is FormatName.COLUMNS
    with_text = sum(sentence.text is not None for sentence in sentences) if columns else 0
    numbers = [
        (merged, "border", "between entities of the same label that touch, which the scheme cannot part"),
        (with_text, "original text", "with offsets"),
        (counts.marker_lines, "marker line", ""),
        (counts.comment_lines, "comment line", ""),
        (counts.header_lines, "line", "that names the columns"),
        (counts.repaired, "malformed tag place", f"as it was, read by the policy '{repair}'"),
        (counts.snapped, "span", "as it was, widened to word borders"),
        (counts.dropped, "overlapping span", ""),
    ]
    joined = [f"the difference between labels: {each}" for each in count_joined(sentences, renames)]
    place = "besides" if "sentences by column" in counts.format else "between"
    further = [f"the columns {place} word and tag ({counts.format})"] if _has_more_columns(counts.format) else []
    said = [f"{counted(number, noun)} {what}".rstrip() for number, noun, what in numbers if number]
    unread = [f"the key '{key}' of {counted(number, 'record')}" for key, number in counts.unread.items()]
    return [*said, *further, *joined, *unread]


def _has_more_columns(format_found: str) -> bool:
    number = format_found.split(" ", 1)[0]
    return "columns" in format_found and number.isdigit() and int(number) > 2


def _read_back(written: "Sequence[Sentence]", output: Path, target: FormatName, scheme: SchemeName) -> None:
    """Proof that nothing else was lost; a difference is a bug of ours."""
    from nerbridge.data.fingerprint import fingerprint
    from nerbridge.data.reading import read_sentences

    options = Reading(target, scheme if target is FormatName.COLUMNS else None)
    found = read_sentences(output, options.file_format(), **options.options())
    assert fingerprint(found.sentences) == fingerprint(written), f"{output} reads differently from what was written"
