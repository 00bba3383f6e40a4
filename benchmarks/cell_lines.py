"""The lines that `crossner_bench.py` writes of its cells: which are sound, and which cell one is of."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from json_lines import read_lines

Key = tuple[str, str, int]  # row, domain, seed
SPLITS = ("dev", "test")


@dataclass(frozen=True)
class CellLines:
    """lines: those that are sound, in order. damaged: the number of others."""

    lines: list[tuple[Key, dict[str, Any]]]
    damaged: int

    @property
    def finished(self) -> dict[Key, dict[str, Any]]:
        """The last good line of every cell."""
        return {key: line for key, line in self.lines if "failed" not in line}


def read_cells(paths: Sequence[Path]) -> CellLines:
    """The lines of files of cells. Raises DataError where one cannot be read."""
    found = [line for path in paths for line in read_lines(path)]
    sound = [(key_of(line), line) for line in found if line is not None and is_sound(line)]
    return CellLines(sound, len(found) - len(sound))


def is_sound(line: dict[str, Any]) -> bool:
    """Does the line name a cell, a recipe and settings, and have scores that are numbers?"""
    try:
        key_of(line)
    except (KeyError, TypeError, ValueError):
        return False
    settings, scores = line.get("settings", []), [line[split] for split in SPLITS if split in line]
    said = isinstance(line.get("recipe", ""), str) and isinstance(settings, list)
    numbers = all(isinstance(one, dict) and isinstance(one.get("f1"), int | float) for one in scores)
    return said and numbers and all(isinstance(one, str) for one in settings)


def key_of(line: dict[str, Any]) -> Key:
    """Row, domain and seed of a line of cells.jsonl. Raises ValueError where they are no names of folders."""
    row, domain, seed = line["row"], line["domain"], int(line["seed"])
    if any(Path(name).is_absolute() or ".." in Path(name).parts for name in (row, domain)):
        raise ValueError(f"'{row}' and '{domain}' are no names of folders")
    return row, domain, seed
