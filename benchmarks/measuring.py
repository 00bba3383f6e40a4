"""What every measurement here shares: contestants that take turns, medians, and what the machine was."""

import gc
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
PACKAGES = ("nerbridge", "torch", "transformers", "tokenizers", "accelerate", "numpy")


@dataclass(frozen=True)
class Lap:
    """Seconds of one repetition: on the wall, and of this process's cores (waiting for other programs not counted)."""

    wall: float
    cores: float


def lap(work: Callable[[], object], device: torch.device) -> Lap:
    """How long `work` takes, until the device has finished."""
    wall, cores = time.perf_counter(), time.process_time()
    work()
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return Lap(time.perf_counter() - wall, time.process_time() - cores)


def take_turns(
    prepare: Mapping[str, Callable[[], Callable[[], object]]],
    repetitions: int,
    device: torch.device,
    *,
    warm: bool = False,
) -> dict[str, list[Lap]]:
    """`repetitions` laps of every contestant, one after the other, the first to go changing each time.

    prepare: contestant -> what makes its work ready, outside the measured time. warm: all
    have worked before; otherwise an unmeasured round comes first.
    """
    names = list(prepare)
    laps: dict[str, list[Lap]] = {name: [] for name in names}
    for repetition in range(0 if warm else -1, repetitions):
        turn = max(repetition, 0) % len(names)
        for name in (*names[turn:], *names[:turn]):
            work = prepare[name]()
            gc.collect()  # models of earlier laps do not crowd this one
            measured = lap(work, device)
            del work
            if repetition >= 0:
                laps[name].append(measured)
    return laps


def compare(laps: Mapping[str, Sequence[Lap]], words: int, ours: str, theirs: str) -> dict[str, Any]:
    """Words per second of two contestants (medians), and how many times as fast the first is."""
    rows: dict[str, Any] = {"words": words, "repetitions": len(laps[ours])}
    for name in (ours, theirs):
        rates = [words / one.wall for one in laps[name]]
        rows[name] = {
            "words_per_second": round(statistics.median(rates), 1),
            "slowest": round(min(rates), 1),
            "fastest": round(max(rates), 1),
            "words_per_core_second": round(statistics.median(words / one.cores for one in laps[name]), 1),
        }
    for unit in ("wall", "cores"):
        pairs = zip(laps[ours], laps[theirs], strict=True)
        ratios = [getattr(their, unit) / getattr(our, unit) for our, their in pairs]
        rows[f"times_{unit}"] = round(statistics.median(ratios), 2)
        rows[f"times_{unit}_range"] = [round(min(ratios), 2), round(max(ratios), 2)]
    return rows


def machine(device: torch.device) -> dict[str, Any]:
    """Processor, cores, threads, load, device, versions and revision."""
    name = [line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    revision = subprocess.run(
        ["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return {
        "processor": name[0] if name else platform.processor(),
        "cores": len(os.sched_getaffinity(0)),
        "threads": torch.get_num_threads(),
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu",
        "load_average": [round(value, 2) for value in os.getloadavg()],
        "python": platform.python_version(),
        "revision": revision.stdout.strip() or None,
        **{package: _version(package) for package in PACKAGES},
    }


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines() if Path(path).exists() else []


def _version(package: str) -> str | None:
    try:
        return version(package)
    except ModuleNotFoundError:  # imported from a checkout without installation
        return None
