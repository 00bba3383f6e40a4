"""`nerbridge data stats`: table 1 of CrossNER for any data."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nerbridge.cli.console import console
from nerbridge.cli.data_inputs import Inputs, Reading, choose_inputs, load_inputs
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

if TYPE_CHECKING:
    from nerbridge.data.registry import DataSet

Record = dict[str, Any]


def command(
    inputs: InputsArgument = None,
    train: TrainOption = None,
    dev: DevOption = None,
    test: TestOption = None,
    data_root: DataRootOption = None,
    unverified: UnverifiedOption = False,
    format: FormatOption = None,
    scheme: SchemeOption = None,
    encoding: EncodingOption = "utf-8",
    read: ReadOption = None,
    json: JsonOption = False,
) -> None:
    """Count sentences, words, entities and labels.

    A table per split; several public data sets make one table.

    Entities are counted as conlleval reads them; where tags are malformed, the strict count is given too.
    """
    from nerbridge.data.registry import card_names

    known = card_names()
    if inputs and all(name in known for name in inputs):
        chosen = [choose_inputs([name]) for name in dict.fromkeys(inputs)]
    else:
        chosen = [choose_inputs(inputs, train=train, dev=dev, test=test)]
    reading = Reading(format, scheme, encoding, read or ())
    records = [_record(each, data_root, reading, verify=not unverified) for each in chosen]
    if json:
        console.json(records)
        return
    for each, record in zip(chosen, records, strict=True):
        record["splits"] = {each.shown(split): stats for split, stats in record["splits"].items()}
    named = any(each.card for each in chosen)  # files of one's own stand in the command
    _print_sizes(records, named=named)
    for record in records:
        _print_labels(record, title=record["name"] if named else "label")


def _record(inputs: Inputs, data_root: Path | None, reading: Reading, *, verify: bool) -> Record:
    data = load_inputs(inputs, data_root, reading, verify=verify)
    for note in data.notes:
        console.note(note)
    strict = _strict_entities(inputs, data, data_root, reading)
    return {
        "name": data.name,
        "domain": data.domain,
        "labels": list(data.labels.names),
        "splits": {split: _split_record(data, split, strict.get(split)) for split in data.splits},
    }


def _strict_entities(inputs: Inputs, data: "DataSet", data_root: Path | None, reading: Reading) -> dict[str, int]:
    """Entities per split in the strict reading; nothing is read again where no tag is malformed."""
    from nerbridge.data.schemes import Repair

    if not any(counts.repaired for counts in data.counts.values()):
        return {}
    again = load_inputs(inputs, data_root, reading, verify=False, repair=Repair.STRICT)
    return {split: sum(len(sentence.spans) for sentence in sentences) for split, sentences in again.splits.items()}


def _split_record(data: "DataSet", split: str, strict: int | None) -> Record:
    from nerbridge.data.stats import count

    sentences, counts = data.splits[split], data.counts[split]
    stats = asdict(count(sentences))
    return {
        "path": sentences[0].origin.path if sentences[0].origin else "",
        "format": counts.format,
        "lines": counts.lines,
        "blank_lines": counts.blank_lines,
        **stats,
        "entities_strict": stats["entities"] if strict is None else strict,
        "malformed_tags": counts.repaired,
    }


def _print_sizes(records: Sequence[Record], *, named: bool) -> None:
    """A row per split. named: behind the name of its data set."""
    columns = ["sentences", "words", "entities", "entities_strict", "with_entity", "longest", "distinct_words"]
    rows = [
        [*([record["name"]] if named else []), split, len(stats["labels"]), *(stats[column] for column in columns)]
        for record in records
        for split, stats in record["splits"].items()
    ]
    header = [
        *(["data set"] if named else []),
        "split",
        "labels",
        "sentences",
        "words",
        "entities",
        "strict",
        "with entity",
        "longest",
    ]
    console.table([*header, "distinct words"], rows)


def _print_labels(record: Record, *, title: str) -> None:
    splits = record["splits"]
    rows = [[label, *(stats["labels"].get(label, 0) for stats in splits.values())] for label in record["labels"]]
    console.result("")
    console.table([title, *splits], rows)
