"""Ways to kill a training process from outside: at a random time, or as soon as its files show where it is.

The watched process is the installed program as it is. Its files are looked at every half millisecond, and what it left
behind is looked at after the kill: only a kill whose traces show the moment counts for it.
"""

import random
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

GLANCE = 0.0005  # seconds between two looks


@dataclass(frozen=True)
class Place:
    """Where one run keeps its files: the run folder and the cache of its source stages."""

    run: Path
    cache: Path

    def partial_checkpoint(self) -> bool:
        """Is a checkpoint being written?"""
        folders = [*self.cache.glob("stages/*/work"), self.run / "stage" / "work"]
        return any(any(folder.glob("*.partial")) for folder in folders)

    def partial_bundle(self) -> bool:
        """Is a model being saved?"""
        return any(self.cache.glob("stages/*/.model-*")) or any(self.run.glob(".model-*"))

    def in_a_source_stage(self) -> bool:
        """Does a source stage train that has written a checkpoint?"""
        begun = list(self.cache.glob("stages/*/*/checkpoint.safetensors"))
        return any(not (path.parents[1] / "stage.json").exists() for path in begun)

    def in_the_target_stage(self) -> bool:
        """Has the last stage written a checkpoint, and no result?"""
        work = self.run / "stage" / "work"
        return (work / "checkpoint.safetensors").exists() and not (self.run / "stage" / "stage.json").exists()

    def sources_are_done(self) -> bool:
        """Are both source stages finished?"""
        return self.num_finished() == 2

    def num_finished(self) -> int:
        """Finished source stages."""
        return len(list(self.cache.glob("stages/*/stage.json")))


@dataclass(frozen=True)
class Kill:
    """What was meant and what happened. hit: the process was killed, and where the traces it left say."""

    moment: str
    how: str
    seconds: float
    hit: bool


def at_random(command: list[str], folder: Path, latest: float, chance: random.Random) -> Kill:
    """Kill after a time drawn between 0 and `latest` seconds."""
    delay = chance.uniform(0, latest)
    return _watch("a random time", "random", command, folder, lambda seconds: seconds >= delay)


def in_a_stage(command: list[str], folder: Path, place: Place, stage: str, chance: random.Random) -> Kill:
    """Kill inside the 'source' or the 'target' stage, up to 0.3 s after its checkpoint was first seen."""
    there = place.in_a_source_stage if stage == "source" else place.in_the_target_stage
    delay, seen = chance.uniform(0, 0.3), [float("inf")]

    def due(seconds: float) -> bool:
        if there():
            seen[0] = min(seen[0], seconds)
        return seconds - seen[0] >= delay

    kill = _watch(f"{stage} stage", "files watched", command, folder, due)
    return Kill(kill.moment, kill.how, kill.seconds, kill.hit and there())


def in_checkpoint(command: list[str], folder: Path, place: Place, after: float) -> Kill:
    """Kill while a checkpoint is half written, not before `after` seconds."""
    kill = _watch(
        "checkpoint writing", "files watched", command, folder, lambda s: s >= after and place.partial_checkpoint()
    )
    return Kill(kill.moment, kill.how, kill.seconds, kill.hit and place.partial_checkpoint())


def in_bundle(command: list[str], folder: Path, place: Place) -> Kill:
    """Kill while a finished model is half saved."""
    kill = _watch("bundle saving", "files watched", command, folder, lambda _: place.partial_bundle())
    return Kill(kill.moment, kill.how, kill.seconds, kill.hit and place.partial_bundle())


def between_stages(command: list[str], folder: Path, place: Place) -> Kill:
    """Kill as soon as one more source stage has its result."""
    before = place.num_finished()
    kill = _watch("between stages", "files watched", command, folder, lambda _: place.num_finished() > before)
    return Kill(kill.moment, kill.how, kill.seconds, kill.hit and place.num_finished() > before)


def exactly(command: list[str], folder: Path, moment: str) -> Kill:
    """Run a command that kills itself at `moment`; see tests/flows/killing.py."""
    return _watch(moment, "kills itself", command, folder, lambda _: False)


def _watch(moment: str, how: str, command: list[str], folder: Path, due: Callable[[float], bool]) -> Kill:
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        if due(time.monotonic() - start):
            process.kill()
            break
        time.sleep(GLANCE)
    process.wait()
    return Kill(moment, how, round(time.monotonic() - start, 2), process.returncode == -signal.SIGKILL)
