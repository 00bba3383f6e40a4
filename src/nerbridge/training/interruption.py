"""Ctrl-C while something learns: the first one waits until the step is whole, so that it can be kept."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


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
        heard = False

        def hear(*_: object) -> None:
            nonlocal heard
            heard = True
            signal.signal(signal.SIGINT, before)

        signal.signal(signal.SIGINT, hear)
        self.whole = False
        try:
            yield
            self.whole = True
        finally:
            signal.signal(signal.SIGINT, before)
        if heard:
            signal.raise_signal(signal.SIGINT)
