"""The first moment of every process of a pool: what it leaves to the process that began it, and when it ends."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading


def begin_pool_process() -> None:
    """Ctrl-C is for the process that began this one, and this one ends with it, even where it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "only processes of a pool are started so"
    multiprocessing.connection.wait([parent.sentinel])
    os._exit(1)
