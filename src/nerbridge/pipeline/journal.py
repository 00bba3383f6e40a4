"""The journals of a run's stages as one file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nerbridge.evaluation.files import write_text


def gather(path: Path, parts: Mapping[str, Path]) -> None:
    """Write the lines of all `parts` (stage name -> journal) to `path`, each with its stage's name."""
    lines = [json.dumps({"stage": stage, **entry}) for stage, part in parts.items() for entry in read_journal(part)]
    write_text(path, "".join(f"{line}\n" for line in lines))


def read_journal(path: Path) -> list[dict[str, Any]]:
    """The entries of a journal, none when there is no file."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
