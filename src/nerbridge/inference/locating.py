"""Which folder holds the model: a bundle, a run, or the best of a run's seeds."""

import contextlib
import json
import logging
import re
from collections.abc import Mapping
from pathlib import Path

from nerbridge.errors import BundleError

BUNDLE_FILE = "bundle.json"
ENCODER_FILE = "config.json"  # of transformers and language models
PLACES = (".", "model", "stage/model")  # of a bundle: the folder itself, or a run's
SHOWN = 8  # models that a message lists
SEED_FOLDER = re.compile(r"seed-(\d+)")
logger = logging.getLogger(__name__)


def find_bundle(folder: str | Path) -> Path:
    """The bundle folder meant by `folder`: itself, the one of a run, or the one of the seed whose dev F1 is highest.

    Which seed was taken is logged. Raises BundleError when there is no such bundle.
    """
    path = Path(folder)
    if not path.is_dir():
        raise BundleError(
            f"'{path}' is not a folder" if path.exists() else f"there is no model at '{path}'",
            where=str(path),
            expected="a run folder or a bundle folder",
            hint="`nerbridge train` and `nerbridge adapt` write one and say where",
        )
    if bundle := _bundle_in(path):
        return bundle
    seeds = _seed_folders(path)
    bundles = {seed: bundle for seed in seeds if (bundle := _bundle_in(seed))}
    if not bundles and (inside := _models_inside(path)):
        names = [f"'{one}'" for one in inside[:SHOWN]]
        more = [f"{len(inside) - SHOWN} more"] if len(inside) > SHOWN else []
        raise BundleError(
            f"'{path}' is no run folder, but lies above some",
            where=str(path),
            expected=f"one of the models inside: {', '.join([*names, *more])}",
            hint=f"name one of them, such as {names[0]}",
        )
    if not bundles and (path / ENCODER_FILE).is_file():
        raise BundleError(
            f"'{path}' is an encoder, not a tagger",
            where=str(path),
            expected="a run folder or a bundle folder",
            hint=f"train a tagger on it: nerbridge adapt --encoder {path} --target-train FILE --output RUN",
        )
    if not bundles:
        raise BundleError(
            f"there is no model in '{path}'",
            where=str(next((path / place for place in PLACES[1:] if (path / place).is_dir()), path)),
            expected=f"the file {BUNDLE_FILE} in the folder itself, or in model/ or stage/model/ of it or of its seeds",
            hint="a run that was interrupted goes on when the command that began it is given again",
        )
    if missing := [seed.name for seed in seeds if seed not in bundles]:
        logger.warning("not considered, because they hold no model: %s", ", ".join(missing))
    return _best(bundles)


def _bundle_in(folder: Path) -> Path | None:
    return next((folder / place for place in PLACES if (folder / place / BUNDLE_FILE).is_file()), None)


def _models_inside(folder: Path, depth: int = 2) -> list[Path]:
    """The runs, and folders of several seeds, up to `depth` folders below `folder` that hold a model, by name."""
    found: list[Path] = []
    with contextlib.suppress(PermissionError):  # what may not be looked into is nothing to name
        for child in sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")):
            if _bundle_in(child) or any(_bundle_in(seed) for seed in _seed_folders(child)):
                found.append(child)
            elif depth > 1:
                found += _models_inside(child, depth - 1)
    return found


def _seed_folders(run: Path) -> list[Path]:
    numbered = [(int(match[1]), child) for child in run.iterdir() if (match := SEED_FOLDER.fullmatch(child.name))]
    return [child for _, child in sorted(numbered)]


def _best(bundles: Mapping[Path, Path]) -> Path:
    """The bundle whose run has the highest dev F1, the first of equals."""
    if len(bundles) == 1:
        return next(iter(bundles.values()))
    scores = {run: _dev_f1(run / "scores.json") for run in bundles}
    known = {run: f1 for run, f1 in scores.items() if f1 is not None}
    if not known:
        first = next(iter(bundles))
        raise BundleError(
            f"'{first.parent}' has models of {len(bundles)} seeds, but no dev score to choose by",
            where=str(first / "scores.json"),
            expected='a number at "dev", "f1"',
            hint=f"name one of the seeds: {first}",
        )
    best = max(known, key=known.__getitem__)
    logger.info("%s is taken: of %d seeds it has the best dev F1, %.4f", best.name, len(bundles), known[best])
    if unknown := [run.name for run in bundles if run not in known]:
        logger.warning("not considered, because their scores.json has no dev F1: %s", ", ".join(unknown))
    return bundles[best]


def _dev_f1(path: Path) -> float | None:
    """The dev F1 in `path`, or None when the file is missing, damaged or of another shape."""
    try:
        f1 = json.loads(path.read_text(encoding="utf-8"))["dev"]["f1"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return f1 if isinstance(f1, int | float) and 0 <= f1 <= 1 else None
