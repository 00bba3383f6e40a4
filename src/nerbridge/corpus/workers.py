"""Batches of items -> prepared batches, in order, by one process or several, with few of them in memory at a time."""

import multiprocessing
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from nerbridge.config.corpus import CorpusSettings
from nerbridge.corpus.overlap_guard import OverlapGuard
from nerbridge.corpus.pool_processes import begin_pool_process
from nerbridge.corpus.preparation import Item, PreparedBatch, Preparer
from nerbridge.errors import DataError

BATCH_CHARACTERS = 200_000  # of a batch: some 30,000 words, enough that sending it costs little
AHEAD = 2  # batches that wait for each process


def batches_of(items: Iterable[Item], characters: int) -> Iterator[list[Item]]:
    """`items` in lists of about so many characters; what is in a list depends on the items alone."""
    batch: list[Item] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.text) if not hasattr(item, "data") else len(item.data)
        if size >= characters:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def prepare_batches(
    batches: Iterable[list[Item]], settings: CorpusSettings, guard: OverlapGuard | None, *, jobs: int
) -> Generator[PreparedBatch, None, None]:
    """Every batch prepared, in the order of `batches`, whatever the number of processes (`jobs`).

    Raises DataError when a process dies, such as for want of memory.
    """
    if jobs == 1:
        yield from map(Preparer(settings, guard).prepare, batches)
        return
    context = multiprocessing.get_context("spawn")  # a fork would take over threads of other libraries
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=(settings, guard))
    try:
        yield from _in_order(pool, batches, jobs * AHEAD)
    except BrokenProcessPool as error:
        raise DataError(
            "a process that prepares text died",
            where=f"one of {jobs} processes",
            expected="processes that live until the work is done",
            hint="the machine may lack memory: use fewer with `--jobs`; the same command goes on",
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_order(pool: ProcessPoolExecutor, batches: Iterable[list[Item]], ahead: int) -> Iterator[PreparedBatch]:
    waiting: deque[Future[PreparedBatch]] = deque()
    for batch in batches:
        waiting.append(pool.submit(_prepare, batch))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


_preparer: Preparer | None = None  # of this process


def _start(settings: CorpusSettings, guard: OverlapGuard | None) -> None:
    global _preparer
    begin_pool_process()
    _preparer = Preparer(settings, guard)


def _prepare(batch: list[Item]) -> PreparedBatch:
    assert _preparer is not None, "a process starts with _start"
    return _preparer.prepare(batch)
