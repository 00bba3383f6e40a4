"""Where a run folder keeps what evaluation reads: predictions of one run, or of several seeds in seed-* folders."""

import contextlib
import re
from collections.abc import Sequence
from pathlib import Path

from nerbridge.errors import BundleError

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
