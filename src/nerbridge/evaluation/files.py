"""Writing result files so that a killed process never leaves half of one."""

import os
import tempfile
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Replaces `path` by `text` (UTF-8) in one step; folders are made as needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        umask = os.umask(0)  # mkstemp makes files private; results get the permissions that open() would give
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
