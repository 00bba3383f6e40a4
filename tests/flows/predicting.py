"""Calling `nerbridge predict` in this process and as the installed program, and reading what it wrote."""

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from programs import forked

from nerbridge.cli import main

Outcome = tuple[int, str, str]  # exit code, stdout, stderr
Predict = Callable[..., Outcome]
PROGRAM = Path(sys.executable).with_name("nerbridge")
SETTINGS = ("--device", "cpu", "--threads", "1")


def in_process(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: object, stdin: bytes
) -> Outcome:
    """What the command does in this process."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))  # type: ignore[arg-type]
    code = main(["predict", str(run), *map(str, arguments), *SETTINGS])
    return code, *capsys.readouterr()


def installed(run: Path, *arguments: object, stdin: bytes = b"") -> Outcome:
    """What the installed program does."""
    command = [str(PROGRAM), "predict", str(run), *map(str, arguments), *SETTINGS]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def in_its_own_process(run: Path, *arguments: object, stdin: bytes = b"") -> Outcome:
    """What the program does in a process of its own, without the seconds of importing."""
    done = forked("predict", run, *map(str, arguments), *SETTINGS, folder=Path.cwd(), stdin=stdin)
    return done.returncode, done.stdout, done.stderr


def without_speed(text: str) -> str:
    """`text` with every measured speed replaced."""
    return re.sub(r"[\d,]+ words per second", "N words per second", text)


def records(out: str) -> list[dict[str, Any]]:
    """The objects of JSON lines."""
    return [json.loads(line) for line in out.splitlines()]


def found(out: str) -> list[list[str]]:
    """Per record the texts of its entities; offsets are checked on the way."""
    for record in records(out):
        for entity in record["entities"]:
            if "text" in record:
                assert record["text"][entity["start"] : entity["end"]] == entity["text"]
    return [[entity["text"] for entity in record["entities"]] for record in records(out)]
