"""Tensors and JSON values as one file that is whole or not there.

A file is written under a temporary name, forced to disk and renamed, so the previous one survives until the new one is
complete. A checksum says whether it is what was written. Nothing is ever unpickled.
"""

import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import safetensors
import torch
from safetensors.torch import save_file
from torch import Tensor

PARTIAL = ".partial"  # ends the name of a file that is being written
_BYTE = torch.uint8
_META = "nerbridge"  # the key of the JSON text in a file's metadata


class DamagedFile(Exception):
    """A file is not what was written: truncated, altered or of another kind."""


def write_tensors(path: Path, tensors: Mapping[str, Tensor], state: dict[str, Any]) -> None:
    """Write a file atomically: afterwards `path` holds all of it, or what it held before."""
    partial = path.with_name(path.name + PARTIAL)
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    text = json.dumps({**state, "checksum": _checksum(plain)})
    save_file(plain, partial, metadata={_META: text})
    with partial.open("rb+") as file:
        os.fsync(file.fileno())
    partial.replace(path)
    _sync_folder(path.parent)


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors (on the CPU) and the JSON values of a file. Raises DamagedFile unless they are what was written."""
    state = read_state(path)
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (it is no mapping)
    except (safetensors.SafetensorError, OSError) as fault:
        raise DamagedFile(f"{path} is damaged ({fault})") from fault
    if _checksum(tensors) != state.get("checksum"):
        raise DamagedFile(f"{path} is damaged (its checksum does not match)")
    return tensors, state


def read_state(path: Path) -> dict[str, Any]:
    """The JSON values of a file, its tensors unread. Raises DamagedFile when there are none."""
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
        state: dict[str, Any] = json.loads(metadata[_META])
    except (safetensors.SafetensorError, OSError, KeyError, json.JSONDecodeError) as fault:
        raise DamagedFile(f"{path} is damaged ({fault})") from fault
    return state


def _checksum(tensors: Mapping[str, Tensor]) -> int:
    total = 0
    for name in sorted(tensors):
        total = zlib.crc32(name.encode(), total)
        total = zlib.crc32(tensors[name].reshape(-1).view(dtype=_BYTE).numpy().data, total)
    return total


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
