"""The next commands as the user can type them: with the name under which this very program was called."""

import os
import shlex
import shutil
import sys
from pathlib import Path

NAME = "nerbridge"


def command_line(*words: object) -> str:
    """'nerbridge predict runs/chess -', each word quoted where a shell needs it.

    The program is called by its name where the shell finds it, else as it was called now: '.venv/bin/nerbridge', or
    'python -m nerbridge'.
    """
    return " ".join([program(), *(shlex.quote(str(word)) for word in words)])


def program() -> str:
    """How the user can call nerbridge from the current folder."""
    called = Path(sys.argv[0])
    if called.parts[-2:] == (NAME, "__main__.py"):
        return f"{_spoken(sys.executable, 'python', 'python3')} -m {NAME}"
    return _spoken(sys.argv[0], NAME) if called.stem == NAME else NAME  # others import it


def _spoken(called: str, *names: str) -> str:
    """The first of `names` that leads to the program that was called; else its path, as it was called."""
    for name in names:
        found = shutil.which(name)
        # not `samefile`: the interpreters of all virtual environments may be links to one and the same file
        if found is not None and os.path.abspath(found) == os.path.abspath(called):  # noqa: PTH100
            return name
    return shlex.quote(called)
