"""A process that trains one cell after the other: orders come in on stdin, answers go out on stdout.

`worker_process.py` starts it. An order and an answer are one line of JSON each. A fault that the user can mend is an
answer; anything else ends the process, with its traceback in the cell's log. When stdin ends, because the sweep was
stopped or killed, the process ends at once: whatever a run writes is written aside and renamed, so that the next
attempt goes on from there.
"""

import json
import logging
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

from nerbridge.config.experiment import Experiment
from nerbridge.errors import NerbridgeError, memory_fault, system_fault
from nerbridge.pipeline.files import write_json
from nerbridge.pipeline.run import Surroundings, run_experiment
from nerbridge.pipeline.sweep.state import CELL
from nerbridge.training.progress import PlainProgress

logger = logging.getLogger("nerbridge.pipeline.sweep.worker")  # as a program, its __name__ would be __main__


def main() -> None:
    """Answer orders until stdin ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints must not look like an answer
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr, force=True)
    logging.getLogger("nerbridge").setLevel(logging.INFO)
    orders: Queue[str] = Queue()
    Thread(target=_listen, args=(orders,), daemon=True).start()
    while True:
        order = json.loads(orders.get())
        _write_to(Path(order["log"]))
        answers.write(json.dumps({"error": carry_out(order)}) + "\n")
        answers.flush()


def carry_out(order: dict[str, Any]) -> str | None:
    """Train the cell of `order`; what went wrong, if it was something that the user can mend.

    order: experiment, folder, cache, data_root (or none).
    """
    folder = Path(order["folder"])
    data_root = None if order["data_root"] is None else Path(order["data_root"])
    surroundings = Surroundings(data_root, Path(order["cache"]), PlainProgress(), logger.info)
    started = time.monotonic()
    try:
        result = run_experiment(Experiment.model_validate(order["experiment"]), folder, surroundings)
    except (NerbridgeError, OSError) as error:  # a full disk is one of the latter; other cells may lie elsewhere
        fault = system_fault(error) if isinstance(error, OSError) else error
        logger.error("error: %s", fault)
        return str(fault)
    except (MemoryError, RuntimeError) as error:
        if (short := memory_fault(error)) is None:
            raise
        logger.error("error: %s", short)
        return str(short)
    stages = {name: asdict(stage) for name, stage in result.stages.items()}
    write_json(folder / CELL, {"wall_seconds": round(time.monotonic() - started, 1), "stages": stages})
    return None


def _listen(orders: "Queue[str]") -> None:
    for line in sys.stdin:
        orders.put(line)
    os._exit(0)


def _write_to(log: Path) -> None:
    """From now on stdout and stderr go on with this file; another sweep may be writing to it."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a", encoding="utf-8") as file:
        os.dup2(file.fileno(), sys.stdout.fileno())
        os.dup2(file.fileno(), sys.stderr.fileno())


if __name__ == "__main__":
    main()
