"""Files of kept cells that are made when they are asked for: a page reads few of them.

Whoever reads predictions or scores of a run asks `is_there` first, which makes a file that waits. How many spans a file
of predictions has and gets right may be known without it.
"""

from collections.abc import Callable
from pathlib import Path

from nerbridge.evaluation.uncertainty import Counts

Make = Callable[[], None]
Count = Callable[[], Counts]
_waiting: dict[Path, Make] = {}
_countable: dict[Path, Count] = {}


def at_once(_path: Path, make: Make, _count: Count | None = None) -> None:
    """Makes the file now."""
    make()


def wait(path: Path, make: Make, count: Count | None = None) -> None:
    """`make` is called when the file is asked for. count: gold, predicted and correct of every sentence in it."""
    _waiting[path] = make
    if count is not None:
        _countable[path] = count


def is_there(path: Path) -> bool:
    """Is it a file? One that waits is made."""
    if make := _waiting.pop(path, None):
        make()
    return path.is_file()


def counts_of(path: Path) -> Counts | None:
    """What is known of a file of predictions that was to wait."""
    count = _countable.get(path)
    return None if count is None else count()


def forget(folder: Path) -> None:
    """Nothing below `folder` waits any more."""
    for known in (_waiting, _countable):
        for path in [path for path in known if path.is_relative_to(folder)]:
            del known[path]
