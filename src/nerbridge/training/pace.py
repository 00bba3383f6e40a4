"""When the next checkpoint is due: often enough to lose little, seldom enough to cost little."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

SAVE_SHARE = 0.1  # of the time, at most, goes into checkpoints after better evaluations


class Pace:
    """Knows when a checkpoint was last written and how long that took. seconds: between checkpoints; 0 = every step."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._saved_at, self._save_seconds = time.monotonic(), 0.0

    def due(self, *, better: bool) -> bool:
        """Is it time for one? better: better weights have just been kept, and would be lost with the process."""
        waited = time.monotonic() - self._saved_at
        return waited >= self._seconds or (better and waited * SAVE_SHARE >= self._save_seconds)

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Inside, a checkpoint is written."""
        started = time.monotonic()
        yield
        self._saved_at = time.monotonic()
        self._save_seconds = self._saved_at - started
