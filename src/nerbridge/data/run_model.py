"""Whether the model in a run folder is the one that the run has trained: the two files that name its key agree."""

import json
from pathlib import Path
from typing import Any

from nerbridge.errors import BundleError

STAGE, MODEL = "stage/stage.json", "model/bundle.json"  # in a run folder
DIGITS = 8  # of a key


def refuse_other_model(run: Path) -> None:
    """Raises BundleError where `run` holds the whole model of another run; only keys are compared, no weights.

    A file that is not there, or cannot be read, tells nothing.
    """
    told, found = _record(run / STAGE).get("key"), _record(run / MODEL).get("details")
    if told and isinstance(found, dict) and found.get("key") != told:
        raise other_model(run / MODEL, found, key=str(told), told_in=run / STAGE)


def other_model(path: Path, details: dict[str, Any], *, key: str, told_in: Path) -> BundleError:
    """What is said of the model behind the bundle.json `path`, with these `details`, where that of `key` belongs."""
    found = f"key {str(details['key'])[:DIGITS]}" if "key" in details else "no key"
    return BundleError(
        f"'{path.parent}' is the model of another run ({found})",
        where=str(path),
        expected=f"the model that the run has trained, with the key {key[:DIGITS]} of {told_in}",
        hint=f"copy the run's own model back, or move '{path.parent}' away: the training command then trains it again",
    )


def _record(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
