"""Ctrl-C, and what it leaves behind: said by whoever knows, from the stage that was training up to the command."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nerbridge.training.checkpoint import FILE
from nerbridge.training.tensor_file import DamagedFile, read_state


class Stopped(KeyboardInterrupt):
    """The user has stopped the command. kept: what is on disk and will not be done again, in words.

    anew: it is known that nothing was kept.
    """

    def __init__(self, *kept: str, anew: bool = False) -> None:
        super().__init__(*kept)
        self.kept, self.anew = kept, anew and not kept


@contextmanager
def keeping_checkpoint(name: str, workdir: Path) -> Iterator[None]:
    """Ctrl-C inside becomes `Stopped` with the last checkpoint of the stage `name`, which trains in `workdir`."""
    try:
        yield
    except KeyboardInterrupt:
        step = checkpoint_step(workdir)
        raise Stopped(*([] if step is None else [f"{name} (checkpoint of step {step})"]), anew=step is None) from None


@contextmanager
def keeping_finished(names: Iterable[str], current: str = "") -> Iterator[None]:
    """`Stopped` inside also tells of what had ended before: `names`. current: what the rest of it is a part of."""
    try:
        yield
    except KeyboardInterrupt as stop:
        inner = stop.kept if isinstance(stop, Stopped) else ()
        if inner and current:
            inner = (f"{current}: {', '.join(inner)}",)
        anew = isinstance(stop, Stopped) and stop.anew
        raise Stopped(*(f"{name} (finished)" for name in names), *inner, anew=anew) from None


def checkpoint_step(workdir: Path) -> int | None:
    """The step of the checkpoint in `workdir`; None where there is none that can be read."""
    path = workdir / FILE
    if not path.exists():
        return None
    try:
        return int(read_state(path)["state"]["step"])
    except (DamagedFile, LookupError, TypeError, ValueError):
        return None
