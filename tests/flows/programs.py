"""The installed program in a process of its own, and what its messages must look like."""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("nerbridge")
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
PARTS = ("where", "expected", "hint")


def installed(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs `nerbridge` with `arguments` in `folder`."""
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )


def forked(
    *arguments: str | Path, folder: Path, stdin: bytes | None = None, kill: tuple[str, int] | None = None
) -> subprocess.CompletedProcess[str]:
    """The same without the seconds of importing: a fork of a process that has imported everything and run nothing.

    kill: a moment of `killing.py` and its count.
    """
    with tempfile.TemporaryDirectory() as place:
        files = {name: Path(place) / name for name in ("out", "err", "stdin")}
        for path in files.values():
            path.write_bytes(b"")
        if stdin is not None:
            files["stdin"].write_bytes(stdin)
        words = list(map(str, arguments))
        request = {"arguments": words, "folder": str(folder), "kill": kill, **{n: str(p) for n, p in files.items()}}
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        return subprocess.CompletedProcess(words, code, *(files[n].read_text(encoding="utf-8") for n in ("out", "err")))


@cache
def _server() -> subprocess.Popen[str]:
    environment = {**ENVIRONMENT, "PROGRAM": str(PROGRAM)}
    command = [sys.executable, str(Path(__file__).with_name("forking.py"))]
    server = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(server.kill)
    return server


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
