"""Where a run folder keeps what evaluation reads: predictions of one run, or of several seeds in seed-* folders."""

import re
from pathlib import Path

from nerbridge.errors import BundleError
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import read_predictions

_SEED_FOLDER = re.compile(r"seed-(\d+)")


def predictions_path(run: Path, split: str) -> Path:
    """The file of a split's predictions inside one run."""
    return run / "predictions" / f"{split}.jsonl"


def run_folders(folder: Path) -> dict[str, Path]:
    """The runs inside `folder` by name: its seed-* folders in the order of their numbers, else itself under "".

    Raises BundleError when `folder` is no folder.
    """
    if not folder.is_dir():
        raise BundleError(
            f"there is no run folder '{folder}'",
            where=str(folder),
            expected="a folder that `nerbridge train` or `nerbridge adapt` wrote",
            hint="name the folder that the training run printed at its end",
        )
    numbered = [(match, path) for path in folder.iterdir() if (match := _SEED_FOLDER.fullmatch(path.name))]
    seeds = {path.name: path for match, path in sorted(numbered, key=lambda pair: int(pair[0][1]))}
    return seeds if seeds and not (folder / "predictions").is_dir() else {"": folder}


def read_runs(folder: Path, split: str) -> dict[str, list[Prediction]]:
    """The predictions of one split of every run inside `folder`, by run name ("seed-1", or "" for a single run).

    Raises BundleError when a run has no predictions of the split, DataError when a file is damaged.
    """
    runs: dict[str, list[Prediction]] = {}
    for name, run in run_folders(folder).items():
        path = predictions_path(run, split)
        if not path.is_file():
            present = sorted(file.stem for file in path.parent.glob("*.jsonl"))
            raise BundleError(
                f"run '{run}' has no predictions of split '{split}'",
                where=str(path),
                expected=f"one of its splits: {', '.join(present)}" if present else "a finished run",
                hint="name another split with --split, or run the training command again: it restores what is missing",
            )
        runs[name] = read_predictions(path)
    return runs
