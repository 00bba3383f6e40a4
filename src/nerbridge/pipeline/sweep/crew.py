"""The processes that train cells side by side: one worker per job, each with its device and its share of the cores."""

import os
from dataclasses import dataclass
from pathlib import Path

from nerbridge.errors import ConfigError
from nerbridge.pipeline.sweep.worker_process import Worker, WorkerProcess


@dataclass(frozen=True)
class Crew:
    """How cells are trained.

    jobs: cells at the same time. devices: numbers of the GPUs that the jobs take in turn; empty: what each job finds.
    """

    data_root: Path | None
    cache: Path
    jobs: int = 1
    devices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise ConfigError(
                f"{self.jobs} jobs train nothing",
                where="--jobs",
                expected="a whole number, at least 1",
                hint="--jobs 2 trains two cells at the same time",
            )
        if int(os.environ.get("WORLD_SIZE", "1")) > 1:
            raise ConfigError(
                "a sweep cannot be spread by `accelerate launch` or `torchrun`",
                where=f"WORLD_SIZE={os.environ['WORLD_SIZE']}",
                expected="one process, which starts one worker per job",
                hint="nerbridge sweep ... --jobs 4 --devices 0,1,2,3",
            )

    def hire(self, most: int) -> list[Worker]:
        """One worker per job, but no more than `most`, the cells to train; none starts before its first cell."""
        number = min(self.jobs, most)
        return [WorkerProcess(self.data_root, self.cache, self._environment(one)) for one in range(number)]

    def _environment(self, number: int) -> dict[str, str]:
        """What the process of worker `number` finds: the user's own variables win."""
        wanted = {"TOKENIZERS_PARALLELISM": "false"}
        if self.jobs > 1:
            wanted["OMP_NUM_THREADS"] = str(max(1, _num_cores() // self.jobs))
        device = {"CUDA_VISIBLE_DEVICES": self.devices[number % len(self.devices)]} if self.devices else {}
        return {**wanted, **os.environ, **device}


def parse_devices(text: str) -> tuple[str, ...]:
    """'0,1' -> ("0", "1"). Raises ConfigError."""
    devices = tuple(part.strip() for part in text.split(","))
    if not all(devices) or len(set(devices)) < len(devices):
        raise ConfigError(
            f"devices '{text}' cannot be read",
            where="--devices",
            expected="different numbers of GPUs separated by commas",
            hint="--devices 0,1",
        )
    return devices


def _num_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
