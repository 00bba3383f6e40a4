"""What a run ran on: versions, device, source revision."""

import platform
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

import nerbridge

PACKAGES = ("torch", "transformers", "tokenizers", "accelerate", "safetensors", "numpy")


def describe_environment() -> dict[str, Any]:
    """Versions of nerbridge, Python and the libraries that decide results, the device, threads, and git revision."""
    cuda = torch.cuda.is_available()
    return {
        "nerbridge": nerbridge.__version__,
        "revision": _revision(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        **{name: version(name) for name in PACKAGES},
        "device": torch.cuda.get_device_name() if cuda else "cpu",
        **({"num_devices": torch.cuda.device_count()} if cuda else {}),
        "threads": torch.get_num_threads(),
    }


def _revision() -> str | None:
    """The commit of the checkout that nerbridge is imported from; none for an installed package."""
    root = Path(nerbridge.__file__).parents[2]
    if not (root / ".git").exists():
        return None
    try:
        found = subprocess.run(
            ["git", "-C", str(root), "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return None
    return found.stdout.strip() or None
