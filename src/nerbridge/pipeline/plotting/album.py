"""The folder of pictures while it is filled: every picture in all forms, with the coordinates behind it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nerbridge.pipeline.plotting.records import write_records
from nerbridge.pipeline.plotting.request import PlotRequest, What

SHOWN = 8  # characters that a message names


@dataclass
class Drawn:
    """The files that were written, by picture, and how many points each run has in it."""

    files: dict[What, list[Path]] = field(default_factory=dict)
    points: dict[What, dict[str, int]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {
            what: {"files": [str(path) for path in files], "points": self.points[what]}
            for what, files in self.files.items()
        }


@dataclass
class Album:
    """say: is told what was left out, what the pictures lack and what was chosen."""

    folder: Path
    request: PlotRequest
    say: Callable[[str], None]
    drawn: Drawn = field(default_factory=Drawn)

    def add(
        self,
        what: What,
        draw: Callable[[Sequence[Path]], str],
        records: Sequence[Mapping[str, Any]],
        points: Mapping[str, int],
    ) -> None:
        """Write one picture and its records, and note both.

        draw: writes the files that it is given and returns the characters that the font lacks. points: number by run.
        """
        pictures = [self.folder / f"{what}.{form}" for form in self.request.formats]
        if missing := draw(pictures):
            self.say(_lacking(what, missing))
        path = self.folder / f"{what}.{self.request.coordinates}"
        write_records(path, records)
        self.drawn.files[what] = [*pictures, path]
        self.drawn.points[what] = dict(points)


def _lacking(what: What, missing: str) -> str:
    shown = ", ".join(missing[:SHOWN]) + (f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else "")
    return f"{what}: the font of the pictures lacks {shown}, with boxes in their place; svg files hold the text itself"
