"""What surrounds a run: where it finds data, where finished work is kept, and how it speaks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from nerbridge.pretraining.progress import PlainWatcher, Watcher
from nerbridge.training.progress import Progress


@dataclass(frozen=True)
class Surroundings:
    """Where a run finds data and keeps finished stages, and how it speaks (on the main process only).

    watcher: shows a pre-training.
    """

    data_root: Path | None
    cache: Path
    progress: Progress
    say: Callable[[str], None]
    watcher: Watcher = field(default_factory=PlainWatcher)
