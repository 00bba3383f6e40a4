"""Which tagger a run's files of predictions are of, and whether they are still what it said."""

import json
from collections.abc import Mapping
from pathlib import Path

from nerbridge.data.fingerprint import file_sha256
from nerbridge.evaluation.run_folder import predictions_path

SCORED = "scored.json"  # in the folder of the last stage: its key, and the files of predictions by split


def scored_path(run: Path) -> Path:
    """The file that says which tagger the predictions of a run are of."""
    return run / "stage" / SCORED


def answers_changed(run: Path) -> bool:
    """Are predictions of a run other than its tagger gave them? What an older version has left is not known."""
    if not scored_path(run).exists():
        return False
    sums = _sums(run)
    return sums is None or any(_changed(run, split, known) for split, known in sums.items())


def split_changed(run: Path, split: str) -> bool:
    """Are the predictions of one split other than the tagger gave them? Where that cannot be told they are not."""
    known = (_sums(run) or {}).get(split)
    return known is not None and _changed(run, split, known)


def _sums(run: Path) -> Mapping[str, object] | None:
    """The checksums of predictions by split; None where nothing tells them."""
    try:
        sums = json.loads(scored_path(run).read_text(encoding="utf-8"))["sha256"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return sums if isinstance(sums, dict) else None


def _changed(run: Path, split: str, known: object) -> bool:
    try:
        return file_sha256(predictions_path(run, split)) != known
    except OSError:  # what cannot be told is made again
        return True
