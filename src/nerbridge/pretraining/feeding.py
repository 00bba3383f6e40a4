"""Batches made ahead of the steps that need them, and how long these had to wait."""

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")
AHEAD = 3  # batches that are made before they are asked for


class Feeder:
    """Makes things of items in another thread, in order. waited: seconds that the reader has been kept waiting."""

    def __init__(self) -> None:
        self.waited = 0.0

    def feed(self, items: Iterator[Item], make: Callable[[Item], Made]) -> Generator[Made]:
        """`make` of every item. What they raise is raised where the result would have come.

        Close it when no more is wanted.
        """
        pool = ThreadPoolExecutor(1, thread_name_prefix="pretraining-data")

        def produce() -> list[Made]:
            return [make(item) for item in islice(items, 1)]  # empty at the end

        waiting: deque[Future[list[Made]]] = deque()
        try:
            while True:
                while len(waiting) < AHEAD:
                    waiting.append(pool.submit(produce))
                started = time.perf_counter()
                made = waiting.popleft().result()
                self.waited += time.perf_counter() - started
                if not made:
                    return
                yield made[0]
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
