"""Which tagger a run's files of predictions are of, and whether they are still what it said."""

from pathlib import Path

from nerbridge.data.fingerprint import file_sha256
from nerbridge.errors import BundleError
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.pipeline.files import read_json

SCORED = "scored.json"  # in the folder of the last stage: its key, and the files of predictions by split


def scored_path(run: Path) -> Path:
    """The file that says which tagger the predictions of a run are of."""
    return run / "stage" / SCORED


def answers_changed(run: Path) -> bool:
    """Are predictions of a run other than its tagger gave them? What an older version has left is not known."""
    record = scored_path(run)
    if not record.exists():
        return False
    try:
        sums = read_json(record)["sha256"]
        return any(file_sha256(predictions_path(run, split)) != known for split, known in sums.items())
    except (BundleError, OSError, KeyError, AttributeError):  # what cannot be told is made again
        return True
