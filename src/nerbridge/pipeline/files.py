"""JSON files of run and stage folders."""

import json
from pathlib import Path
from typing import Any

from nerbridge.errors import BundleError
from nerbridge.evaluation.files import write_text


def write_json(path: Path, value: Any) -> None:
    """Replace `path` by `value` as indented JSON, in one step."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def read_json(path: Path) -> dict[str, Any]:
    """The object in `path`. Raises BundleError when it is missing or damaged."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise _fault(path, f"'{path.name}' is missing", "the command that makes the run writes it") from None
    except (OSError, ValueError, RecursionError) as fault:
        raise _fault(path, f"'{path.name}' cannot be read: {fault}", "remove it and run its command again") from None
    if not isinstance(value, dict):
        raise _fault(path, f"'{path.name}' holds no JSON object", "remove it and run its command again")
    return value


def _fault(path: Path, what: str, hint: str) -> BundleError:
    return BundleError(what, where=str(path), expected="a folder that `nerbridge train` or `adapt` wrote", hint=hint)
