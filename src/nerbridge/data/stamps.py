"""Were files left alone while they were read? A checksum taken before would else be that of another content."""

from collections.abc import Iterable
from pathlib import Path

from nerbridge.errors import DataError


class Stamps:
    """Size and time of the last change of `paths`, as they are now."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._before = {path: _stamp(path) for path in paths}

    def check(self) -> None:
        """Raises DataError for the first file that was changed, replaced or removed since."""
        for path, before in self._before.items():
            if _stamp(path) != before:
                raise DataError(
                    f"'{path.name}' changed while it was read",
                    where=str(path),
                    expected="files that stay as they are until everything is read",
                    hint="run the same command again when nothing writes there any more, or on a copy",
                )


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
