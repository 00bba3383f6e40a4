"""The predictions of a run, or of several seeds, as far as the files of its folder agree on them."""

from pathlib import Path

from nerbridge.errors import BundleError, DataError
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import read_predictions
from nerbridge.evaluation.run_folder import DATA, OF_TRAINING, SCORES, predictions_path, run_folders
from nerbridge.evaluation.run_records import refuse_unfit, told_data, was_scored
from nerbridge.wording import counted


def read_runs(folder: Path, split: str) -> dict[str, list[Prediction]]:
    """The predictions of one split of every run inside `folder`, by run name ("seed-1", or "" for a single run).

    Raises what `fitting_predictions` raises.
    """
    return {name: fitting_predictions(run, split) for name, run in run_folders(folder).items()}


def fitting_predictions(run: Path, split: str) -> list[Prediction]:
    """The predictions of one split of one run, where they are those that the run's data and scores tell of.

    Raises BundleError when there are none, DataError when the file is damaged or does not fit (see `refuse_unfit`).
    """
    if not predictions_path(run, split).is_file():
        raise _no_predictions(run, split)
    predictions = run_predictions(run, split)
    refuse_unfit(run, split, predictions)
    return predictions


def run_predictions(run: Path, split: str) -> list[Prediction]:
    """The predictions of one split of one run, one for each sentence that the run was scored on.

    Raises DataError when the file is damaged, or holds more or fewer than data.json tells of.
    """
    path = predictions_path(run, split)
    predictions = read_predictions(path)
    told = told_data(run, split).get("sentences")
    if isinstance(told, int) and told != len(predictions):
        raise DataError(
            f"the file holds {counted(len(predictions), 'prediction')}, the run was scored on {told:,} sentences",
            where=str(path),
            expected=f"a prediction for each sentence that {run / DATA} tells of",
            hint="remove the file and run the training command again: it restores what is missing",
        )
    return predictions


def _is_unscored(run: Path) -> bool:
    """Has it ended without a labelled sentence to score?"""
    try:
        return (run / SCORES).read_text(encoding="utf-8").strip() == "{}" and not was_scored(run)
    except (OSError, UnicodeDecodeError):
        return False


def _no_predictions(run: Path, split: str) -> BundleError:
    path = predictions_path(run, split)
    present = sorted(file.stem for file in path.parent.glob("*.jsonl"))
    if not present and _is_unscored(run):
        return BundleError(
            f"run '{run}' has no scores: no dev or test sentence of its target is labelled",
            where=str(run / SCORES),
            expected="a run with labelled dev or test sentences",
            hint=f"nerbridge evaluate {run} LABELLED_FILE scores it on other sentences",
        )
    missing = "run the training command again: it restores what is missing"
    never = f"a run predicts dev and test alone; nerbridge evaluate {run} FILE scores it on other sentences"
    return BundleError(
        f"run '{run}' has no predictions of split '{split}'",
        where=str(path),
        expected=f"one of its splits: {', '.join(present)}" if present else "a finished run",
        hint=f"name another split with --split, or {missing}" if split in OF_TRAINING or not present else never,
    )
