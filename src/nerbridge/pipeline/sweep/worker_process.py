"""The other end of a worker: starts its process, hands it cells, and notices when it dies."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Protocol

from nerbridge.pipeline.sweep.plan import Cell

COMMAND = (sys.executable, "-P", "-m", "nerbridge.pipeline.sweep.worker")
LINES = 3  # of a dead worker's log that a message shows


class Worker(Protocol):
    """Trains one cell at a time."""

    def run(self, cell: Cell) -> str | None:
        """Train `cell`; what went wrong, or None."""

    def close(self) -> None:
        """Stop at once, whatever is being trained."""


def make_order(cell: Cell, data_root: Path | None, cache: Path) -> dict[str, object]:
    """What a worker is told about `cell`."""
    return {
        "experiment": cell.experiment.model_dump(mode="json"),
        "folder": str(cell.folder),
        "log": str(cell.log),
        "cache": str(cache),
        "data_root": None if data_root is None else str(data_root),
    }


class WorkerProcess:
    """A process of its own, in a session of its own: Ctrl-C reaches the sweep, and the sweep ends its workers."""

    def __init__(self, data_root: Path | None, cache: Path, environment: Mapping[str, str]) -> None:
        self._data_root, self._cache = data_root, cache
        self._environment = environment
        self._process: subprocess.Popen[str] | None = None
        self._closed = False
        self._lock = Lock()

    def run(self, cell: Cell) -> str | None:
        """Train `cell`; a process that dies is answered by its exit code and the end of its log."""
        process = self._start()
        if process is None:
            return "stopped"
        assert process.stdin is not None
        assert process.stdout is not None
        order = json.dumps(make_order(cell, self._data_root, self._cache))
        try:
            process.stdin.write(f"{order}\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except (BrokenPipeError, ValueError):  # it has died, or `close` was faster
            answer = ""
        if answer:
            error: str | None = json.loads(answer)["error"]
            return error
        self._process = None
        return _last_words(_end(process), cell.log)

    def close(self) -> None:
        """Kill the process; what it has written so far stays."""
        with self._lock:
            self._closed = True
            process = self._process
        if process is not None:
            process.kill()
            _end(process)

    def _start(self) -> "subprocess.Popen[str] | None":
        with self._lock:
            if self._closed:
                return None
            if self._process is None:
                self._process = subprocess.Popen(
                    COMMAND,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    encoding="utf-8",
                    env=dict(self._environment),
                    start_new_session=True,
                )
            return self._process


def _end(process: "subprocess.Popen[str]") -> int:
    """The exit code of a process that has died or been killed; its pipes are closed."""
    code = process.wait()
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        with contextlib.suppress(BrokenPipeError):  # an order that nobody took
            stream.close()
    return code


def _last_words(code: int, log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.is_file() else []
    said = [f"\n  {line}" for line in lines if line.strip()][-LINES:]
    how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    end = f"the end of its log:{''.join(said)}" if said else "its log is empty"
    return f"the process that trained it {how}; {end}"
