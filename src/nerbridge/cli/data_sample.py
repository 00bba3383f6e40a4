"""`nerbridge data sample`: a few labelled sentences out of many."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nerbridge.cli.console import console
from nerbridge.cli.data_convert import SourceArgument
from nerbridge.cli.data_inputs import Reading, load_split
from nerbridge.cli.data_options import (
    EncodingOption,
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
from nerbridge.cli.options import DataRootOption, JsonOption, SeedOption
from nerbridge.errors import ConfigError
from nerbridge.wording import counted

if TYPE_CHECKING:
    from nerbridge.data.sentence import Sentence

OutputOption = Annotated[Path, typer.Option("--output", "-o", help="The file to write the sample to.")]
NumOption = Annotated[int | None, typer.Option("--num", min=1, help="Number of sentences.", show_default=False)]
PerLabelOption = Annotated[
    int | None, typer.Option("--per-label", min=1, help="Mentions of each label, at least.", show_default=False)
]


def command(
    source: SourceArgument,
    output: OutputOption,
    num: NumOption = None,
    per_label: PerLabelOption = None,
    seed: SeedOption = 1,
    split: SplitOption = "train",
    to_format: ToFormatOption = None,
    to_scheme: ToSchemeOption = SchemeName.BIO,
    to_separator: ToSeparatorOption = SeparatorName.TAB,
    format: FormatOption = None,
    scheme: SchemeOption = None,
    encoding: EncodingOption = "utf-8",
    read: ReadOption = None,
    data_root: DataRootOption = None,
    unverified: UnverifiedOption = False,
    json: JsonOption = False,
) -> None:
    """Draw a few-shot subset.

    --num sentences, or sentences until every label has --per-label mentions.

    Every label is kept where the number allows it; equal arguments draw equal sentences.
    """
    from nerbridge.data.registry.loading import reading_notes
    from nerbridge.data.schemes import Repair

    if (num is None) == (per_label is None):
        raise ConfigError(
            "say how much to draw in one way",
            where="the command line of `nerbridge data sample`",
            expected="either --num or --per-label",
            hint="--num 50, or --per-label 5",
        )
    reading = Reading(format, scheme, encoding, read or ())
    sentences, counts = load_split(source, split, data_root, reading, verify=not unverified)
    for note in reading_notes(source, counts, reading.options().get("repair", Repair.CONLLEVAL)):
        console.note(note)
    refuse_own_input(output, sentences)
    drawn = _draw(sentences, num, per_label, seed)
    merged = write_sentences(drawn, output, output_format(output, to_format), to_scheme, to_separator)
    if merged:
        joined = counted(merged, "entity")
        console.warning(f"{joined} merged with a neighbour of the same label: {to_scheme} cannot part them")
    _report(sentences, drawn, output, json=json)


def _draw(sentences: "Sequence[Sentence]", num: int | None, per_label: int | None, seed: int) -> "list[Sentence]":
    from nerbridge.data.sampling import sample_per_label, sample_sentences

    if num is not None:
        return sample_sentences(sentences, num, seed=seed)
    assert per_label is not None, "one of the two was given"
    return sample_per_label(sentences, per_label, seed=seed)


def _report(sentences: "Sequence[Sentence]", drawn: "Sequence[Sentence]", output: Path, *, json: bool) -> None:
    before, after = label_counts(sentences), label_counts(drawn)
    missing = [label for label in before if label not in after]
    if json:
        size = {"sentences": len(drawn), "words": sum(map(len, drawn))}
        console.json({"output": str(output), **size, "labels": after, "missing_labels": missing})
        return
    console.table(["label", "all", "drawn"], [[label, number, after.get(label, 0)] for label, number in before.items()])
    console.result(f"\n{output}: {len(drawn):,} of {counted(len(sentences), 'sentence')}")
    if missing:
        console.warning(f"{counted(len(missing), 'label')} not in the sample: {', '.join(missing)}")
