"""Scores of a finished model on labelled data."""

from dataclasses import dataclass
from pathlib import Path

from nerbridge.assembly.bundle import load_bundle
from nerbridge.data.labels import LabelSet, respell
from nerbridge.data.registry import DataSet, card_names, load_dataset, load_files
from nerbridge.data.sentence import Sentence
from nerbridge.errors import DataError
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import write_predictions
from nerbridge.evaluation.run_folder import predictions_path, run_folders
from nerbridge.evaluation.run_report import write_run_report
from nerbridge.evaluation.summary import Summary, summarize, write_scores
from nerbridge.pipeline.keys import device_kind
from nerbridge.pipeline.run import predict_gold
from nerbridge.transfer.mixing import rename_labels


@dataclass(frozen=True)
class EvaluationResult:
    """Predictions and scores of one model, and what the user must know about the labels."""

    name: str
    predictions: list[Prediction]
    summary: Summary
    notes: tuple[str, ...]


def evaluate_run(folder: Path, data: DataSet, split: str) -> list[EvaluationResult]:
    """Score every model in `folder` (a bundle, a run, or a run with seed-* folders) on a split of `data`.

    Labels are matched by name and by the alias table; labels that the model lacks count as missed and are named.
    Raises DataError when the split is absent, BundleError when a model is.
    """
    sentences = tuple(data.splits.get(split, ()))
    if not sentences:
        raise DataError(
            f"the data has no split '{split}'",
            where=data.name,
            expected=f"one of {', '.join(name for name, found in data.splits.items() if found)}",
            hint="choose another --split",
        )
    return [_evaluate(name, run, data, sentences) for name, run in model_folders(folder).items()]


def model_folders(folder: Path) -> dict[str, Path]:
    """The bundles of a bundle folder, a run folder, or a folder of several seeds, by run name."""
    if (folder / "bundle.json").exists():
        return {"": folder}
    return {name: run / "model" for name, run in run_folders(folder).items()}


def _evaluate(name: str, model_folder: Path, data: DataSet, sentences: tuple[Sentence, ...]) -> EvaluationResult:
    model = load_bundle(model_folder, device=device_kind()).model
    (domain,) = model.domains
    known = model.head(domain).vocabulary.labels
    renames = respell(LabelSet.of(data.labels.names), known)
    notes = [f"label '{old}' is read as '{new}'" for old, new in sorted(renames.items())]
    renamed = rename_labels(sentences, renames)
    unknown = sorted({span.label for s in renamed for span in s.spans if span.label not in known})
    if unknown:
        count = sum(span.label in unknown for s in renamed for span in s.spans)
        notes.append(f"the model does not know {', '.join(unknown)}: {count} gold entities can only be missed")
    predictions = predict_gold(model, renamed, domain)
    return EvaluationResult(name, predictions, summarize(predictions), tuple(notes))


def read_labelled(data: str, data_root: Path | None) -> DataSet:
    """A registered data set, or a labelled file as its split 'test'."""
    return load_dataset(data, data_root) if data in card_names() else load_files(test=data)


def write_evaluation(folder: Path, results: list[EvaluationResult], split: str) -> None:
    """Write predictions, scores and report, laid out as a run folder."""
    for result in results:
        run = folder / result.name
        write_predictions(predictions_path(run, split), result.predictions)
        write_scores(run / "scores.json", {split: result.summary})
    write_run_report(folder)
