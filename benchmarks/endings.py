"""How scripts end where something is wrong that their user can mend: with its text, not with a traceback."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from nerbridge.errors import NerbridgeError


@contextmanager
def faults_said() -> Iterator[None]:
    """Ends the program with one message where a fault of the user's, of a disk or of another program is raised."""
    try:
        yield
    except (NerbridgeError, OSError) as fault:
        sys.exit(f"error: {fault}")
    except subprocess.CalledProcessError as fault:
        command = shlex.join(map(str, fault.cmd))
        sys.exit(f"error: `{command}` ended with exit code {fault.returncode}; what it said stands above")
