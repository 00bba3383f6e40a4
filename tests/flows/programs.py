"""The installed program in a process of its own, and what its messages must look like."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("nerbridge")
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
PARTS = ("where", "expected", "hint")


def installed(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs `nerbridge` with `arguments` in `folder`."""
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )


def python(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the Python interpreter with `arguments` in `folder`."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)


def message_parts(stderr: str) -> dict[str, str]:
    """The four parts of the one error message in `stderr`: what, where, expected, hint."""
    assert "Traceback" not in stderr, stderr
    assert stderr.count("error: ") == 1, stderr
    lines = stderr.split("error: ")[1].rstrip("\n").split("\n")
    parts = {"what": lines[0]}
    for line in lines[1:]:
        name, colon, text = line.strip().partition(": ")
        if line.startswith("  ") and not line.startswith("    ") and colon and name in PARTS:
            parts[name] = text
    return parts
