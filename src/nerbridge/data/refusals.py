"""What the machine refuses (no room, no permission, a folder in the place of a file) in the four parts of any fault."""

import errno
import os

from nerbridge.errors import ConfigError, NerbridgeError

BROKEN_PIPE = 141  # exit code: what a program that the signal SIGPIPE ended returns

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


def as_fault(error: OSError) -> NerbridgeError:
    """The refusal of a file, folder or stream; the last name it is about is the one that the user gave."""
    names = [os.fsdecode(name) for name in (error.filename2, error.filename) if isinstance(name, str | bytes)]
    what = "the disk is full" if error.errno in _FULL else "the system refused"
    return NerbridgeError(
        f"{what}: {error.strerror or error}",
        where=names[0] if names else "a file or stream of this command",
        expected="files and folders that can be read and written, and room on the disk",
        hint=_HINTS.get(error.errno or 0, "`nerbridge --verbose COMMAND ...` shows where in the program it happened"),
    )


def as_name_fault(error: UnicodeEncodeError) -> NerbridgeError:
    """A name of a file or folder whose bytes are not UTF-8, so that no result file can hold it."""
    start, end = max(error.start - 30, 0), error.end + 30
    return ConfigError(
        f"a name holds bytes that are not UTF-8: '{error.object[start:end]}'",
        where="the names of files and folders that the command was given",
        expected="names in UTF-8, which recipes and results can hold",
        hint="rename the file or folder; if it looks right in your terminal, run the command under LC_ALL=C.UTF-8",
    )
