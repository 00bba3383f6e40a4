"""Door 2: the command line, one file per command. `main` is what the installed program `nerbridge` calls."""

import signal
import sys
from collections.abc import Sequence

__all__ = ["main"]

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of the command named by `arguments` (by default the program's own, which then ends).

    0: done; 1: a bug, its traceback is shown; 2: something that the user can mend, said in one message of four parts;
    130: interrupted; 141: the reader of the output, such as `head`, has seen enough.
    """
    is_program = arguments is None
    try:
        from nerbridge.cli.app import run

        code = run(arguments)
        if is_program and code == INTERRUPTED:
            _ignore_ctrl_c()
        return code
    except KeyboardInterrupt:  # while the program starts or ends; commands say more
        if is_program:
            _ignore_ctrl_c()
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def _ignore_ctrl_c() -> None:
    """Another Ctrl-C would only show a traceback of the interpreter, which shuts down."""
    while signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        except KeyboardInterrupt:  # it came just before
            continue
