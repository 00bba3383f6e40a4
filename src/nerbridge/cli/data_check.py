"""`nerbridge data check`: what may be wrong with labelled data, found before hours of training are spent on it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nerbridge.cli.console import console
from nerbridge.cli.data_inputs import Inputs, Reading, choose_inputs
from nerbridge.cli.data_options import (
    DevOption,
    EncodingOption,
    FormatOption,
    InputsArgument,
    ReadOption,
    SchemeOption,
    TestOption,
    TrainOption,
    UnverifiedOption,
)
from nerbridge.cli.options import DataRootOption, JsonOption
from nerbridge.errors import CommonFault, DataError, FileFaults, MissingExtraError
from nerbridge.wording import counted

if TYPE_CHECKING:
    from nerbridge.data.checks import Finding, Splits, Survey

EncoderOption = Annotated[
    str | None,
    typer.Option("--encoder", help="Whose tokenizer is asked: minilm, a folder, or none.", show_default="minilm"),
]
LongestOption = Annotated[int, typer.Option("--longest", min=1, help="Sentences of more words are reported.")]
RareOption = Annotated[int, typer.Option("--rare", min=0, help="Labels with fewer mentions in train are reported.")]
ShowOption = Annotated[int, typer.Option("--show", min=0, help="Findings to print of each kind; 0 prints all.")]
StrictOption = Annotated[bool, typer.Option("--strict", help="Exit with code 2 when anything was found.")]


def command(
    inputs: InputsArgument = None,
    train: TrainOption = None,
    dev: DevOption = None,
    test: TestOption = None,
    data_root: DataRootOption = None,
    encoder: EncoderOption = None,
    longest: LongestOption = 128,
    rare: RareOption = 10,
    show: ShowOption = 5,
    strict: StrictOption = False,
    unverified: UnverifiedOption = False,
    format: FormatOption = None,
    scheme: SchemeOption = None,
    encoding: EncodingOption = "utf-8",
    read: ReadOption = None,
    json: JsonOption = False,
) -> None:
    """Find faults in labelled data.

    Tags, labels, duplicates, words that encoders cannot see, long sentences.

    Every finding comes with file:line. The exit code is 2 when lines cannot be read or no sentence of a file has
    labels, because training would refuse the file too, and 0 otherwise; with --strict it is 2 when anything was found.
    """
    from nerbridge.cli.data_check_report import print_json, print_text

    chosen = choose_inputs(inputs, train=train, dev=dev, test=test)
    surveys = _survey(chosen, data_root, Reading(format, scheme, encoding, read or ()), verify=not unverified)
    names = {split: split if json else chosen.shown(split) for split in surveys}
    splits = {names[split]: survey.sentences for split, survey in surveys.items()}
    findings = [finding for survey in surveys.values() for finding in survey.findings]
    findings += _find(splits, rare, longest, encoder, train=names.get("train", "train"))
    if json:
        print_json(chosen.name, surveys, findings)
    else:
        print_text(chosen.name, surveys, findings, show, names=names)
    unlabelled = _warn_of_unlabelled(surveys)
    faults = [fault for survey in surveys.values() for fault in survey.faults]
    if faults:
        raise _listed(faults)
    if unlabelled or (strict and findings):
        raise typer.Exit(2)


def _warn_of_unlabelled(surveys: "dict[str, Survey]") -> bool:
    """What was read as words alone is seldom meant so, and goes by in a long list of findings. Is there such a file?"""
    from nerbridge.data.sentence import Annotation

    found = False
    for survey in surveys.values():
        if survey.sentences and all(one.annotation is Annotation.NONE for one in survey.sentences):
            console.warning(f"no sentence of {survey.path} has labels: it can neither be learnt from nor scored")
            found = True
    return found


def _listed(faults: list[DataError]) -> DataError:
    """One error for faults that were printed among the findings: how many they are, and what mends the first."""
    if len(faults) == 1:
        return FileFaults(faults)
    number = counted(sum(not isinstance(fault, CommonFault) for fault in faults), "fault")
    first = faults[0]
    return DataError(
        f"{number} that stop training, listed above", where=first.where, expected=first.expected, hint=first.hint
    )


def _survey(inputs: Inputs, data_root: Path | None, reading: Reading, *, verify: bool) -> "dict[str, Survey]":
    from dataclasses import asdict

    from nerbridge.data.checks import survey_file
    from nerbridge.data.reading import FileFormat
    from nerbridge.data.registry.loading import check_files, existing_root

    card = inputs.card
    if card is None:
        return {
            split: survey_file(path, reading.file_format(), reading.options()) for split, path in inputs.paths.items()
        }
    root = existing_root(data_root, card.name)
    for note in check_files(card, root, verify=verify):
        console.warning(note)
    assert card.format is not None, "only cards of sentences are chosen"
    options = asdict(card.format.column_format(card.domain))
    return {split: survey_file(root / file.path, FileFormat.COLUMNS, options) for split, file in card.files.items()}


def _find(splits: "Splits", rare: int, longest: int, encoder: str | None, *, train: str) -> "list[Finding]":
    from nerbridge.data import checks

    return [
        *checks.find_label_faults(splits, rare=rare, train=train),
        *checks.find_duplicates(splits),
        *checks.find_word_faults(splits),
        *_ask_encoder(splits, encoder),
        *checks.find_long_sentences(splits, longest=longest),
    ]


def _ask_encoder(splits: "Splits", encoder: str | None) -> "list[Finding]":
    """What the encoder cannot see; without --encoder, a packaged encoder that is not installed is only said."""
    from nerbridge.data.checks import find_encoder_faults
    from nerbridge.data.encoder_words import EncoderWords

    if encoder == "none":
        return []
    try:
        asked = EncoderWords(encoder or "minilm")
    except MissingExtraError as error:
        if encoder is not None:
            raise
        console.note(f"words were not checked against an encoder: {error.what} ({error.hint})")
        return []
    return list(find_encoder_faults(splits, asked))
