"""A clock that tells learning from everything else."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from nerbridge.training.state import State


class Clock:
    """Seconds since it was made, plus those of earlier attempts (`before`, `learning_before`)."""

    def __init__(self, before: float = 0.0, learning_before: float = 0.0) -> None:
        self._start = time.perf_counter()
        self._before = before
        self._learning_before = learning_before
        self._paused = 0.0

    @property
    def seconds(self) -> float:
        """All seconds."""
        return self._before + time.perf_counter() - self._start

    @property
    def learning(self) -> float:
        """Seconds outside `pause`."""
        return self._learning_before + time.perf_counter() - self._start - self._paused

    def note(self, state: State) -> None:
        """Write the seconds into `state`, for a later attempt."""
        state.seconds, state.learning_seconds = self.seconds, self.learning

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Inside, nothing is learnt."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self._paused += time.perf_counter() - start
