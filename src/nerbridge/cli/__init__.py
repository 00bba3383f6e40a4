"""Door 2: the command line, one file per command. `main` is what the installed program `nerbridge` calls."""

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of the command named by `arguments` (by default the program's own).

    0: done; 1: a bug, its traceback is shown; 2: something that the user can mend, said in one message of four parts;
    130: interrupted; 141: the reader of the output, such as `head`, has seen enough.
    """
    try:
        from nerbridge.cli.app import run

        return run(arguments)
    except KeyboardInterrupt:  # while the program starts or ends; commands say more
        print("interrupted", file=sys.stderr)
        return 130
