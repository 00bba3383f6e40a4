"""Cells, workers, and nothing else: every cell is run once, whichever worker is free."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from queue import Queue

from nerbridge.pipeline.sweep.order import Schedule
from nerbridge.pipeline.sweep.plan import Cell
from nerbridge.pipeline.sweep.worker_process import Worker


def run_cells(cells: Sequence[Cell], workers: Sequence[Worker], ended: Callable[[Cell, str | None], None]) -> None:
    """Run all `cells`, as many at a time as there are workers, and tell `ended` of each: the cell and its error.

    However it ends, also by Ctrl-C, all workers are closed.
    """
    schedule = Schedule(cells)
    idle: Queue[Worker] = Queue()
    for worker in workers:
        idle.put(worker)

    def run_next() -> tuple[Cell, str | None]:
        worker, cell = idle.get(), schedule.take()
        try:
            return cell, worker.run(cell)
        finally:
            schedule.finish(cell)
            idle.put(worker)

    pool = ThreadPoolExecutor(len(workers))
    try:
        futures = [pool.submit(run_next) for _ in cells]
        for future in as_completed(futures):
            ended(*future.result())
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.close()
