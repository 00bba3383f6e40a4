"""The journal of a run: JSON lines, appended as things happen, readable after a kill."""

import json
import logging
from pathlib import Path
from typing import Any

from nerbridge.evaluation.journal_lines import read_line, whole_lines

logger = logging.getLogger(__name__)


class Journal:
    """Appends one JSON object per event to `path`, each with `stage`, `event` and `step`.

    Several stages share one file. A process killed while writing leaves at most one torn last line, which the next
    `cut` removes.
    """

    def __init__(self, path: Path, stage: str = "") -> None:
        self.path = path
        self.stage = stage

    def write(self, event: str, *, step: int, **values: Any) -> None:
        """Append one line. Numbers that JSON lacks (NaN, infinity) are written as null."""
        record = {"stage": self.stage, "event": event, "step": step, **values}
        line = json.dumps({key: _plain(value) for key, value in record.items()}, ensure_ascii=False)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as refusal:  # a full disk names no file
            refusal.filename = refusal.filename or str(self.path)
            raise

    def cut(self, step: int) -> None:
        """Drop torn lines, and what this stage will write again: all after `step` (-1: everything), and its end."""
        if not self.path.exists():
            return
        lines = self.path.read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if line.endswith(b"\n") and self._stays(line, step)]
        if len(kept) == len(lines):
            return
        partial = self.path.with_name(self.path.name + ".partial")
        partial.write_bytes(b"".join(kept))
        partial.replace(self.path)

    def _stays(self, line: bytes, step: int) -> bool:
        record = read_line(line)
        if record is None:
            return False
        ahead = record.get("step", 0) > step or record.get("event") == "finished"
        return bool(record.get("stage") != self.stage or not ahead)


def read_journal(path: Path) -> list[dict[str, Any]]:
    """The events of a journal in order; torn and damaged lines are left out."""
    return [event for line in sound_lines(path) if (event := read_line(line)) is not None]


def sound_lines(path: Path) -> list[bytes]:
    """The lines that hold what a run can have written; the others, as a kill or an editor leaves them, are said."""
    sound, damage = whole_lines(path)
    if damage:
        logger.warning("%s: %s", path, damage)
    return sound


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    return value
