"""The folder that a pre-training makes: held by one run, begun, and published file by file when all is done."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from nerbridge.data.writing import naming_place
from nerbridge.evaluation.files import write_text
from nerbridge.pretraining.result import KEY, WORK, Result, write_provenance
from nerbridge.training.processes import Processes

Say = Callable[[str], None]


@contextmanager
def held(folder: Path, processes: Processes, say: Say) -> Iterator[None]:
    """Hold `folder` for this run alone: another run that needs the same waits, then finds it finished."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    whole = folder.absolute()  # '.' has no name of its own
    lock = FileLock(whole.with_name(f".{whole.name}.lock") if whole.name else whole / ".lock")
    if processes.is_main:
        try:
            lock.acquire(timeout=0.1)
        except Timeout:
            say(f"another run writes {folder}; waiting for it to finish")
            lock.acquire()
    processes.from_main(None)
    try:
        yield
    finally:
        lock.release()


def begin(output: Path, key: str, processes: Processes) -> None:
    """Make `output` this pre-training's, and remove what a damaged one left; checkpoints stay."""
    if processes.is_main:
        own = output / WORK / KEY
        if not own.is_file() or own.read_bytes() != key.encode():
            write_text(own, key)
        for aside in output.glob(".encoder-*"):
            shutil.rmtree(aside, ignore_errors=True)
    processes.from_main(None)


def publish(result: Result, about: dict[str, Any], save: Callable[[Path], None]) -> None:
    """The files that `save` writes first, each whole under its name, then the file that says so; checkpoints go."""
    output = result.folder
    aside = Path(tempfile.mkdtemp(prefix=".encoder-", dir=output))
    try:
        with naming_place(output):
            save(aside)
            names = _moved(aside, output)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    write_provenance(result, about, names)
    shutil.rmtree(output / WORK)


def _moved(aside: Path, output: Path) -> list[str]:
    """Names of the files of `aside`, each forced to disk and moved to `output`."""
    umask = os.umask(0)
    os.umask(umask)
    paths = sorted(aside.iterdir())
    for path in paths:
        with path.open("rb+") as stream:
            os.fsync(stream.fileno())
        path.chmod(0o666 & ~umask)  # safetensors lets only the owner read
        path.replace(output / path.name)
    return [path.name for path in paths]


def silent(text: str) -> None:
    """What all but the main process say."""
