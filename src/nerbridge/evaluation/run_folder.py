"""Where a run folder keeps what evaluation reads: predictions of one run, or of several seeds in seed-* folders."""

import contextlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

from nerbridge.errors import BundleError, DataError
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import read_predictions
from nerbridge.wording import counted

SWEEP = "sweep.json"  # in the folder of a sweep, whose runs lie one folder deeper
SCORES = "scores.json"  # of a finished run
DATA = "data.json"  # what it learnt from and was scored on, the target last
SHOWN = 8  # runs that a message lists
_SEED_FOLDER = re.compile(r"seed-(\d+)")
EXPERIMENT = "experiment.json"  # its settings
_OF_A_RUN = (EXPERIMENT, "predictions", "model", "bundle.json")  # one of these is in every run
OF_TRAINING = ("dev", "test")  # what a run predicts by itself; `nerbridge evaluate` adds others
_PREFERRED = ("test", "dev", "train")


def predictions_path(run: Path, split: str) -> Path:
    """The file of a split's predictions inside one run."""
    return run / "predictions" / f"{split}.jsonl"


def run_folders(folder: Path) -> dict[str, Path]:
    """The runs inside `folder` by name: its seed-* folders in the order of their numbers, else itself under "".

    Raises BundleError when `folder` is no folder, and when it is no run but holds some, as that of a sweep: it names
    them.
    """
    if not folder.is_dir():
        raise BundleError(
            f"there is no run folder '{folder}'",
            where=str(folder),
            expected="a folder that `nerbridge train` or `nerbridge adapt` wrote",
            hint="name the folder that the training run printed at its end",
        )
    seeds = seed_folders(folder)
    if seeds and not (folder / "predictions").is_dir():
        return seeds
    if not _is_run(folder) and (inside := runs_inside(folder)):
        raise _above_runs(folder, inside)
    return {"": folder}


def seed_folders(folder: Path) -> dict[str, Path]:
    """The seed-* folders inside `folder` by name, in the order of their numbers."""
    numbered = [(match, path) for path in folder.iterdir() if (match := _SEED_FOLDER.fullmatch(path.name))]
    return {path.name: path for match, path in sorted(numbered, key=lambda pair: int(pair[0][1])) if path.is_dir()}


def runs_inside(folder: Path, *, depth: int = 2) -> list[Path]:
    """The runs, and folders of several seeds, up to `depth` folders below `folder`, by name."""
    found: list[Path] = []
    with contextlib.suppress(PermissionError):  # what may not be looked into is nothing to name
        for child in sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")):
            with contextlib.suppress(PermissionError):
                if _is_run(child) or seed_folders(child):
                    found.append(child)
                elif depth > 1:
                    found += runs_inside(child, depth=depth - 1)
    return found


def _is_run(folder: Path) -> bool:
    return any((folder / name).exists() for name in _OF_A_RUN)


def _above_runs(folder: Path, inside: Sequence[Path]) -> BundleError:
    names = [f"'{path}'" for path in inside[:SHOWN]]
    more = [f"{len(inside) - SHOWN} more"] if len(inside) > SHOWN else []
    if (folder / SWEEP).is_file():
        return BundleError(
            f"'{folder}' is the folder of a sweep, no run",
            where=str(folder),
            expected=f"one of its settings: {', '.join([*names, *more])}",
            hint="name one of them; `nerbridge report` on the sweep's folder shows its table",
        )
    return BundleError(
        f"'{folder}' is no run folder, but lies above some",
        where=str(folder),
        expected=f"one of the runs inside: {', '.join([*names, *more])}",
        hint="name one of them; `nerbridge compare` takes two or more",
    )


def splits_of(folder: Path) -> list[str]:
    """The splits that the first run inside `folder` has predictions of: test, dev and train first, then by name."""
    first = next(iter(run_folders(folder).values()))
    found = sorted(path.stem for path in (first / "predictions").glob("*.jsonl"))
    return [*(split for split in _PREFERRED if split in found), *(split for split in found if split not in _PREFERRED)]


def read_runs(folder: Path, split: str) -> dict[str, list[Prediction]]:
    """The predictions of one split of every run inside `folder`, by run name ("seed-1", or "" for a single run).

    Raises BundleError when a run has no predictions of the split, DataError when a file is damaged.
    """
    runs: dict[str, list[Prediction]] = {}
    for name, run in run_folders(folder).items():
        path = predictions_path(run, split)
        if not path.is_file():
            raise _no_predictions(run, split)
        runs[name] = run_predictions(run, split)
    return runs


def run_predictions(run: Path, split: str) -> list[Prediction]:
    """The predictions of one split of one run, one for each sentence that the run was scored on.

    Raises DataError when the file is damaged, or holds more or fewer than data.json tells of.
    """
    path = predictions_path(run, split)
    predictions = read_predictions(path)
    told = _told_sentences(run, split)
    if told not in (None, len(predictions)):
        raise DataError(
            f"the file holds {counted(len(predictions), 'prediction')}, the run was scored on {told:,} sentences",
            where=str(path),
            expected=f"a prediction for each sentence that {run / DATA} tells of",
            hint="remove the file and run the training command again: it restores what is missing",
        )
    return predictions


def _told_sentences(run: Path, split: str) -> int | None:
    """How many sentences the target's dev or test set had; None where nothing says so."""
    try:
        target = json.loads((run / DATA).read_text(encoding="utf-8"))["domains"][-1]
        return int(target["splits"][split]["sentences"]) if split in OF_TRAINING else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def _is_unscored(run: Path) -> bool:
    """Has it ended without a labelled sentence to score?"""
    try:
        return (run / SCORES).read_text(encoding="utf-8").strip() == "{}"
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
