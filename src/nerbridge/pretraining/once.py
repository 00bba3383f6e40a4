"""A pre-training that is done once: found where it is finished, else attempted and published."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from nerbridge.pretraining.output import Say, begin, held, publish
from nerbridge.pretraining.progress import PlainWatcher, Watcher
from nerbridge.pretraining.result import WORK, Result, ResultT, finished
from nerbridge.training.processes import Processes

MadeT = TypeVar("MadeT", bound=Result, covariant=True)


class Trial(Protocol[MadeT]):
    """An attempt at a pre-training of any kind."""

    def run(self, watcher: Watcher) -> MadeT:
        """Go on from the last checkpoint, to the end."""

    def about(self) -> dict[str, Any]:
        """What pretraining.json tells beside the result, JSON values."""

    def save(self, folder: Path) -> None:
        """Write what was learnt."""


def once(
    output: Path,
    key: str,
    *,
    read: Callable[[dict[str, Any], Path], ResultT],
    attempt: Callable[[], Trial[ResultT]],
    processes: Processes,
    watcher: Watcher | None,
    say: Say,
) -> ResultT:
    """The finished pre-training of this key in `output`, from earlier or made now.

    read: makes the result of what its `to_json` wrote. attempt: asked for once `output` is begun, and only where
    something is left to do.
    """
    with held(output, processes, say):
        done = finished(output, key, say, read)
        processes.from_main(None)
        if done is not None:
            say(f"already pre-trained: {output}")
            if processes.is_main:
                shutil.rmtree(output / WORK, ignore_errors=True)
            return done
        begin(output, key, processes)
        trial = attempt()
        result = trial.run(watcher or PlainWatcher())
        if processes.is_main:
            publish(result, trial.about(), trial.save)
        processes.from_main(None)
        return result
