"""Runs the program in a process of its own, as often as it is asked to, without importing everything anew each time.

    python forking.py

reads a request a line from stdin, as JSON: {"arguments": [...], "folder": ..., "out": FILE, "err": FILE, "stdin": FILE
or null, "kill": [MOMENT, COUNT] or null}. Each is carried out by a fork of this process, in which nothing has run
before; its exit code, negative for a signal, is the answer on stdout. "kill" is that of killing.py.
"""

import importlib
import json
import os
import sys
from typing import Any

from killing import MOMENTS, arm

HEAVY = (
    "transformers",
    "nerbridge.encoders.transformer.loading",
    "nerbridge.pipeline.adaptation",
    "nerbridge.pipeline.evaluating",
    "nerbridge.pipeline.pretrained.run",
    "nerbridge.pretraining.run",
)


def serve() -> None:
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            os._exit(_carry_out(json.loads(line)))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


def _carry_out(request: dict[str, Any]) -> int:
    from nerbridge.cli import main

    os.chdir(request["folder"])
    for stream, name, flags in ((0, "stdin", os.O_RDONLY), (1, "out", os.O_WRONLY), (2, "err", os.O_WRONLY)):
        handle = os.open(request[name] or os.devnull, flags)
        os.dup2(handle, stream)
        os.close(handle)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (what the parent has read ahead is not ours)
    sys.argv = [os.environ["PROGRAM"], *request["arguments"]]
    if request["kill"] is not None:
        moment, count = request["kill"]
        arm(MOMENTS[moment], count)
    code = main(request["arguments"])
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    for heavy in HEAVY:
        importlib.import_module(heavy)
    serve()
