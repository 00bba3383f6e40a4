"""Several processes of one run (`accelerate launch`): which one writes, and where all wait for each other."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from accelerate import PartialState
from filelock import FileLock, Timeout


def is_main() -> bool:
    """Does this process write files and speak?"""
    return bool(PartialState(cpu=not torch.accelerator.is_available()).is_main_process)


def wait_for_all() -> None:
    """Return when every process of the run is here."""
    PartialState(cpu=not torch.accelerator.is_available()).wait_for_everyone()


@contextmanager
def held(folder: Path, say: Callable[[str], None], *, work: str = "training this stage") -> Iterator[None]:
    """Hold the stage in `folder` for this run alone: another run that needs it waits, then finds it finished.

    work: what the other run is at, for the message.
    """
    waiting = f"another run is {work}; waiting for it to finish ({folder})"
    with _locked(folder.with_name(f".{folder.name}.lock"), lambda: say(waiting)):
        yield


@contextmanager
def held_run(folder: Path, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the run folder `folder` for this command alone: a second one waits, then sees what the first has made."""
    waiting = f"another command is at work in '{folder}'; waiting for it to finish"
    with _locked(folder / ".run.lock", lambda: say(waiting)):
        yield


@contextmanager
def _locked(path: Path, waits: Callable[[], None]) -> Iterator[None]:
    """Hold the lock `path`; `waits` is called when another process has it.

    The system drops the hold of a process that dies, however it dies.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    if is_main():
        try:
            lock.acquire(timeout=0.1)
        except Timeout:
            waits()
            lock.acquire()
    wait_for_all()
    try:
        yield
    finally:
        lock.release()
