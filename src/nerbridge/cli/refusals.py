"""What only a command meets: a reader that went away, and names that no result can hold."""

from nerbridge.errors import ConfigError, NerbridgeError

BROKEN_PIPE = 141  # exit code: what a program that the signal SIGPIPE ended returns


def as_name_fault(error: UnicodeEncodeError) -> NerbridgeError:
    """A name of a file or folder whose bytes are not UTF-8, so that no result file can hold it."""
    start, end = max(error.start - 30, 0), error.end + 30
    return ConfigError(
        f"a name holds bytes that are not UTF-8: '{error.object[start:end]}'",
        where="the names of files and folders that the command was given",
        expected="names in UTF-8, which recipes and results can hold",
        hint="rename the file or folder; if it looks right in your terminal, run the command under LC_ALL=C.UTF-8",
    )
