"""Every exception that nerbridge raises for its users.

    NerbridgeError
    ├── ConfigError            a setting is unknown, contradictory or out of range
    ├── DataError              a file or its content cannot be used
    │   └── FileFaults         several faults of one or more files, collected
    ├── LabelError             a label or tag is not part of the label set
    ├── BundleError            a saved model or run folder is missing parts or damaged
    ├── TrainingError          training cannot go on (NaN, nothing to learn from)
    ├── DownloadError          a file could not be fetched or has another checksum
    └── MissingExtraError      an optional part of nerbridge is not installed

Each has four parts: what happened (with the value), where (file:line, word), what was expected, and a hint: an edit or
a command. `str(error)` shows all four. The command line prints them and exits with code 2; anything else is a bug.
"""

import errno
import os

NO_MEMORY = ("can't allocate memory", "not enough memory", "out of memory")  # what torch says on CPU and GPU
_FULL = (errno.ENOSPC, errno.EDQUOT)
_ROOM = "make room, or choose another place; then run the same command again: where it keeps finished steps, it goes on"
_DEVICE = "look after the disk or the network share: it could not be read or written; then run the same command again"
_PERMISSION = "choose a place that you may write to, or change its permissions"
_KIND = "a file stands where a folder is needed, or a folder where a file is: choose another name"
_HINTS = {
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EIO: _DEVICE,
    errno.EACCES: _PERMISSION,
    errno.EPERM: _PERMISSION,
    errno.EROFS: _PERMISSION,
    errno.ENOENT: "a part of this path is not there and cannot be made there: check it, or choose another place",
    errno.ENOTDIR: _KIND,
    errno.EISDIR: _KIND,
    errno.EEXIST: _KIND,
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "a link leads back to itself: name the file itself",
}


class NerbridgeError(Exception):
    """A fault that the user can mend: `what` happened, `where`, what was `expected`, and a `hint`."""

    def __init__(self, what: str, *, where: str = "", expected: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.expected = expected
        self.hint = hint

    def __str__(self) -> str:
        parts = [("where", self.where), ("expected", self.expected), ("hint", self.hint)]
        return "\n".join([self.what, *(f"  {name}: {text}" for name, text in parts if text)])


class ConfigError(NerbridgeError):
    """A setting is unknown, contradictory or out of range."""


class DataError(NerbridgeError):
    """A file or its content cannot be used."""


class CommonFault(DataError):
    """What many faults of a file have in common, said before them; it is not counted as one more."""


class FileFaults(DataError):
    """Several faults found while reading; `faults` holds all of them, the message shows the first few and the count."""

    def __init__(self, faults: list[DataError], *, shown: int = 5) -> None:
        assert faults, "an empty collection of faults is no fault"
        self.faults = faults
        first = faults[0]
        if len(faults) == 1:
            super().__init__(first.what, where=first.where, expected=first.expected, hint=first.hint)
            return
        lines = [f"{fault.what}\n    at {fault.where}" for fault in faults[:shown]]
        rest = len(faults) - len(lines)
        number = sum(not isinstance(fault, CommonFault) for fault in faults)
        more = [f"... and {rest} more"] if rest else []
        super().__init__(
            "\n  ".join([f"{number} faults", *lines, *more]),
            where=first.where,
            expected=first.expected,
            hint=first.hint,
        )


class LabelError(NerbridgeError):
    """A label or tag is not part of the label set."""


class BundleError(NerbridgeError):
    """A saved model or run folder is missing parts or damaged."""


class TrainingError(NerbridgeError):
    """Training cannot go on."""


class DownloadError(NerbridgeError):
    """A file could not be fetched, or what came has another checksum."""


class MissingExtraError(NerbridgeError):
    """An optional part of nerbridge is not installed."""

    def __init__(self, part: str, extra: str) -> None:
        super().__init__(
            f"{part} is not installed",
            where="the Python environment of nerbridge",
            expected=f"the optional part '{extra}' of nerbridge",
            hint=f"pip install 'nerbridge[{extra}]'",
        )


def memory_fault(error: MemoryError | RuntimeError) -> NerbridgeError | None:
    """More memory was asked for than the machine, or its GPU, gives; None when `error` says something else.

    torch has no exception of its own for the processor, and words that stay the same in all its releases.
    """
    said = str(error).rpartition("DefaultCPUAllocator: ")[2].partition("\n")[0]
    if not isinstance(error, MemoryError) and not any(sign in said for sign in NO_MEMORY):
        return None
    return NerbridgeError(
        f"there is not enough memory{': ' if said else ''}{said}",
        where="this process",
        expected="settings and files whose work fits into the memory of the machine",
        hint="lower the setting that asks for so much, give the machine more, or end what else runs on it",
    )


def system_fault(error: OSError) -> NerbridgeError:
    """What the machine refuses: a file, folder or stream. The last name it is about is the one that the user gave."""
    names = [os.fsdecode(name) for name in (error.filename2, error.filename) if isinstance(name, str | bytes)]
    what = "the disk is full" if error.errno in _FULL else "the system refused"
    return NerbridgeError(
        f"{what}: {error.strerror or error}",
        where=names[0] if names else "a file or stream of this command",
        expected="files and folders that can be read and written, and room on the disk",
        hint=_HINTS.get(error.errno or 0, "`nerbridge --verbose COMMAND ...` shows where in the program it happened"),
    )
