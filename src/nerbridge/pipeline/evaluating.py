"""Scores of a finished model on labelled data."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerbridge.assembly.bundle import load_bundle
from nerbridge.assembly.gold_spans import type_accuracy
from nerbridge.assembly.long_sentences import LengthWarning
from nerbridge.config.reading import ReadSettings
from nerbridge.data.labels import LabelSet, respell
from nerbridge.data.registry import DataSet, card_names, load_dataset, load_files
from nerbridge.data.run_model import refuse_other_model
from nerbridge.data.sentence import Sentence, labels_of
from nerbridge.encoders.base import Encoder
from nerbridge.encoders.report import VectorizerReport, reported
from nerbridge.errors import ConfigError, DataError
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import write_predictions
from nerbridge.evaluation.run_folder import EXPERIMENT, SWEEP, predictions_path, run_folders, splits_of
from nerbridge.evaluation.run_report import report_path, write_run_report
from nerbridge.evaluation.seed_summary import SeedSummary, summarize_seeds
from nerbridge.evaluation.summary import Summary, summarize
from nerbridge.pipeline.data_checks import labelled, note_without_entities
from nerbridge.pipeline.files import read_json, write_json
from nerbridge.pipeline.keys import device_kind
from nerbridge.pipeline.scoring import predict_gold
from nerbridge.transfer.mixing import rename_labels
from nerbridge.wording import counted


@dataclass(frozen=True)
class EvaluationResult:
    """Predictions and scores of one model, and what the user must know about the labels."""

    name: str
    predictions: list[Prediction]
    summary: Summary
    notes: tuple[str, ...]


def evaluate_run(folder: Path, data: DataSet, split: str) -> list[EvaluationResult]:
    """Score every model in `folder` (a bundle, a run, or a run with seed-* folders) on a split of `data`.

    Labels are matched by name and by the alias table; labels that only one side has are named and counted. Sentences so
    long that a label-aware tagger takes minutes are logged beforehand.
    Raises DataError when the split is absent or not annotated, BundleError when a model is missing or damaged.
    """
    sentences, notes = labelled_split(data, split)
    notes += note_without_entities(data.name, {split: sentences})
    lengths = LengthWarning()
    return [_evaluate(name, run, sentences, notes, lengths) for name, run in model_folders(folder).items()]


def labelled_split(data: DataSet, split: str) -> tuple[tuple[Sentence, ...], list[str]]:
    """The annotated sentences of a split, and what is to be said of the data.

    Raises DataError when the split is absent or not annotated.
    """
    if not data.splits.get(split):
        raise DataError(
            f"the data has no split '{split}'",
            where=data.name,
            expected=f"one of {', '.join(name for name, found in data.splits.items() if found)}",
            hint="choose another --split",
        )
    notes = list(data.notes)
    sentences = labelled(data.splits[split], f"{data.name} {split}", notes)
    if not sentences:
        raise DataError(
            f"no sentence of the split '{split}' is annotated",
            where=str(data.splits[split][0].origin or data.name),
            expected="a tag beside every word, or spans beside every text",
            hint=data.unread_hint(split, "`nerbridge predict` tags raw text"),
        )
    return sentences, notes


def model_folders(folder: Path) -> dict[str, Path]:
    """The bundles of a bundle folder, a run folder, or a folder of several seeds, by run name.

    Raises BundleError where a run holds another run's model.
    """
    if (folder / "bundle.json").exists():
        return {"": folder}
    runs = run_folders(folder)
    for run in runs.values():
        refuse_other_model(run)
    return {name: run / "model" for name, run in runs.items()}


def _evaluate(
    name: str, folder: Path, sentences: Sequence[Sentence], notes: Sequence[str], lengths: LengthWarning
) -> EvaluationResult:
    bundle = load_bundle(folder, device=device_kind())
    model = bundle.model
    before = reported(model.encoder.vectorizer)
    (domain,) = model.domains
    known = model.head(domain).vocabulary.labels
    labels, aliases = LabelSet.of(labels_of(sentences)), bundle.metadata.aliases
    renames = respell(labels, known, aliases=aliases, sentences=sentences)
    renamed = rename_labels(sentences, renames)
    lengths.look(model.head(domain), renamed)
    predictions = predict_gold(model, renamed, domain)
    said = [f"label '{old}' is read as '{new}'" for old, new in sorted(renames.items())]
    unknown = _without_vector(model.encoder, before)
    summary = summarize(predictions, type_accuracy=type_accuracy(model, renamed, domain))
    return EvaluationResult(name, predictions, summary, (*notes, *said, *unknown, *_one_sided(summary, known)))


def _without_vector(encoder: Encoder, before: VectorizerReport | None) -> list[str]:
    """The share of words outside the vocabulary of an encoder with word vectors; nothing for others.

    before: what it had read when it was loaded.
    """
    report = reported(encoder.vectorizer)
    if report is None or before is None:
        return []
    report = report.since(before)
    if report.words_without_vector is None or not report.words:
        return []
    share = 100 * report.words_without_vector / report.words
    return [f"{share:.1f} % of {counted(report.words, 'word')} have no vector of their own"]


def _one_sided(summary: Summary, known: LabelSet) -> list[str]:
    """What labels cost that only the data or only the model has."""
    tallies = summary.conlleval.per_label
    unknown = [label for label, tally in tallies.items() if tally.gold and label not in known]
    foreign = [label for label, tally in tallies.items() if not tally.gold and tally.predicted]
    notes = []
    if unknown:
        count = sum(tallies[label].gold for label in unknown)
        notes.append(
            f"the model does not know {', '.join(unknown)}: {counted(count, 'gold entity')} can only be missed"
        )
    if foreign:
        count = sum(tallies[label].predicted for label in foreign)
        notes.append(f"no gold entity is {', '.join(foreign)}: {counted(count, 'predicted entity')} can only be wrong")
    return notes


def read_labelled(data: str, data_root: Path | None, reading: ReadSettings | None = None) -> DataSet:
    """A registered data set, or a labelled file as its split 'test'.

    reading: how the file is to be read. Raises ConfigError when it is set for a registered data set, which has its own.
    """
    options = reading.options() if reading is not None else {}
    if data not in card_names():
        return load_files(test=data, domain=Path(data).name, **options)
    if options:
        raise ConfigError(
            f"{', '.join(options)} set for the registered data set '{data}'",
            where="--format, --scheme, --encoding, --read",
            expected="options of reading for files of your own; a registered data set knows how it is read",
            hint="leave the options out, or name the file itself",
        )
    return load_dataset(data, data_root)


def refuse_output(output: Path, run: Path) -> None:
    """Raises ConfigError when `output` is the folder of a run or sweep, or holds an evaluation of other runs."""
    if (output / EXPERIMENT).exists() or any(output.glob(f"seed-*/{EXPERIMENT}")) or (output / SWEEP).exists():
        raise ConfigError(
            f"'{output}' is the folder of a run or sweep, whose own scores would be replaced",
            where="--output",
            expected="a folder for this evaluation",
            hint="choose another --output",
        )
    there = {path.parents[1].name for path in output.glob("seed-*/predictions/*.jsonl")}
    there |= {""} if any(output.glob("predictions/*.jsonl")) else set()
    if there and there != set(model_folders(run)):
        names = ", ".join(sorted(there)) or "a single run"
        raise ConfigError(
            f"'{output}' holds an evaluation of {names}, not of the runs in '{run}'",
            where="--output",
            expected="a new folder, or one of an earlier evaluation of the same runs",
            hint="choose another --output",
        )


def summarize_all(results: Sequence[EvaluationResult]) -> SeedSummary | None:
    """Mean, deviation over seeds and interval; None for a single run."""
    if len(results) < 2:
        return None
    return summarize_seeds({result.name: result.predictions for result in results})


def write_evaluation(folder: Path, results: Sequence[EvaluationResult], split: str) -> Path:
    """Write predictions, scores and report, laid out as a run folder; returns the report of `split`.

    What an earlier evaluation wrote of other splits stays.
    """
    for result in results:
        run = folder / result.name
        write_predictions(predictions_path(run, split), result.predictions)
        _add_scores(run, split, result.summary.to_json())
    if together := summarize_all(results):
        _add_scores(folder, split, together.to_json())
    for other in splits_of(folder):  # which of them is report.html may have changed
        write_run_report(folder, split=other)
    return report_path(folder, split)


def holds_split(folder: Path, split: str) -> bool:
    """Has an evaluation of `split` been written to `folder`?"""
    return predictions_path(folder, split).exists() or any(folder.glob(f"seed-*/predictions/{split}.jsonl"))


def _add_scores(folder: Path, split: str, scores: dict[str, Any]) -> None:
    path = folder / "scores.json"
    write_json(path, {**(read_json(path) if path.is_file() else {}), split: scores})
