"""The JSON files in which a run tells of itself, and what is said of a damaged one."""

import json
from pathlib import Path
from typing import Any

from nerbridge.errors import BundleError
from nerbridge.evaluation.run_folder import EXPERIMENT


def read_record(path: Path) -> dict[str, Any]:
    """The object in `path`, empty where there is no such file. Raises BundleError when it is damaged."""
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # no JSON, no UTF-8, or nested without end
        raise damaged(path, str(error)) from error
    if not isinstance(content, dict):
        raise damaged(path, "it holds no JSON object")
    return content


def damaged(path: Path, reason: str) -> BundleError:
    """What is said of a file that is not as the run wrote it."""
    restored = "run the training command again: it restores what is missing in its folder"
    lost = "nothing restores it: run the training command with another --output"
    return BundleError(
        f"'{path.name}' of the run is damaged: {reason}",
        where=str(path),
        expected="the file as the run wrote it",
        hint=lost if path.name == EXPERIMENT else restored,
    )
