"""Ctrl-C again while the program ends, once it has said that it was interrupted."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nerbridge.cli import main

# A thread outlives `main`: the interpreter waits for it while it shuts down, and hears the second Ctrl-C there.
ENDING = """
import os, signal, sys, threading, time
import nerbridge.cli.app
from nerbridge.cli import main

def run(arguments):
    threading.Thread(target=again).start()
    {end}

def again():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.1)

nerbridge.cli.app.run = run
sys.exit(main())
"""


@pytest.mark.parametrize(("end", "said"), [("return 130", ""), ("raise KeyboardInterrupt", "interrupted\n")])
def test_a_second_ctrl_c_while_the_program_ends_says_nothing(tmp_path: Path, end: str, said: str) -> None:
    program = [sys.executable, "-c", ENDING.format(end=end)]
    ended = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", said)


def test_a_command_called_from_python_leaves_ctrl_c_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr("nerbridge.cli.app.run", lambda _: 130)
    assert main(["data", "list"]) == 130
    assert signal.getsignal(signal.SIGINT) is before
