"""Ctrl-C while something learns: the first one waits until the step is whole, so that it can be kept."""

import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

logger = logging.getLogger(__name__)

SAID_AFTER = 1.0  # seconds that the step still takes


class Interruption:
    """Holds Ctrl-C back where it would tear a step. whole: does all hang together, so that it may be written?

    With `alone` false, as in several processes that wait for each other, nothing is held back and nothing is whole.
    """

    def __init__(self, *, alone: bool) -> None:
        self.whole = self._alone = alone

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Inside, the first Ctrl-C waits for the end; a second one ends at once, and what is torn is not whole."""
        before = signal.getsignal(signal.SIGINT)
        if not (self._alone and callable(before) and threading.current_thread() is threading.main_thread()):
            self.whole = False  # for what goes wrong inside
            yield
            self.whole = self._alone
            return
        heard: list[threading.Timer] = []

        def hear(*_: object) -> None:
            signal.signal(signal.SIGINT, before)
            heard.append(threading.Timer(SAID_AFTER, _say))  # a handler must not write itself
            heard[0].start()

        signal.signal(signal.SIGINT, hear)
        self.whole = False
        try:
            yield
            self.whole = True
        finally:
            signal.signal(signal.SIGINT, before)
            for timer in heard:
                timer.cancel()
        if heard:
            signal.raise_signal(signal.SIGINT)


def _say() -> None:
    logger.info("stops when this step is done and kept; Ctrl-C again ends at once, without it")
