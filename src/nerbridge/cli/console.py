"""The one object through which commands speak: results to stdout, everything else to stderr."""

import json
import logging
import os
import sys
import time
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nerbridge.errors import NerbridgeError

PATIENCE = 10.0  # seconds that a failed process gives the first one to fail the same way


class Console:
    """Prints results, notes, warnings and errors; never two of them on the same stream by accident."""

    def result(self, text: str) -> None:
        """Print a result to stdout."""
        print(text)

    def json(self, value: Any) -> None:
        """Print a result to stdout as JSON, keys in the order given; letters that stdout cannot take are escaped."""
        text = json.dumps(value, ensure_ascii=False, indent=2)
        print(text if _fits_stdout(text) else json.dumps(value, indent=2))

    def table(self, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Print a result to stdout as aligned columns."""
        print(format_table(header, rows))

    def note(self, text: str) -> None:
        """Say on stderr what is going on."""
        _tell(visible(text))

    def once(self, text: str) -> None:
        """Say on stderr what is true of all processes that run the command; the first of them does."""
        if speaks():
            self.note(text)

    def warning(self, text: str) -> None:
        """Say on stderr what is probably not what the user wants."""
        _tell(f"warning: {visible(text)}")

    def error(self, error: NerbridgeError) -> None:
        """Say on stderr what stopped the command, in the error's four parts.

        Where several processes run it, the first speaks, and the others wait: a launcher ends them as soon as that one
        has failed too. Whoever is still there then is the only one that failed, and says so.
        """
        if not speaks():
            time.sleep(PATIENCE)
        _tell(f"error: {visible(str(error))}")

    @property
    def is_terminal(self) -> bool:
        """Is somebody watching stderr? Progress bars go to a terminal only, plain lines elsewhere."""
        return sys.stderr.isatty()

    def give_up_results(self) -> None:
        """Let go of what stdout cannot take any more, or the interpreter complains as it ends."""
        try:
            sys.stdout.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def prepare_streams(self) -> None:
        """Let no character of a data file or a path stop the printing, whatever the locale.

        Streams that were closed before the start (`>&-`) lead nowhere, or the next open file would take their numbers.
        """
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:
                setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 (it stays open)
        for stream in (sys.stdout, sys.stderr):
            reconfigure = getattr(stream, "reconfigure", None)  # a stream put in its place by a test may lack it
            if reconfigure is not None:
                reconfigure(errors="backslashreplace")


console = Console()


def speaks() -> bool:
    """Does this process speak for all that run the same command (`accelerate launch`, `torchrun`)?

    The first one on each machine does: what one machine lacks, another may have.
    """
    return os.environ.get("LOCAL_RANK", "0") == "0"


class LogHandler(logging.Handler):
    """Writes log records to whatever stderr is when they come, which may have been replaced since the start."""

    def emit(self, record: logging.LogRecord) -> None:
        if speaks():
            _tell(visible(self.format(record)))


def _tell(text: str) -> None:
    """Print `text` to stderr; where that cannot be, as on a full disk, the work goes on unsaid.

    Raises BrokenPipeError: a reader that has left wants no more.
    """
    try:
        print(text, file=sys.stderr)
    except BrokenPipeError:
        raise
    except OSError:
        return


def _fits_stdout(text: str) -> bool:
    """Can stdout take `text` as it is? What stands in for other letters there is no JSON."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def visible(text: str) -> str:
    """`text` with control and format characters escaped, so that data cannot steer the terminal; line ends stay."""
    return "".join(_escape(c) if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c != "\n" else c for c in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def format_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns two spaces apart; a column of numbers only is aligned right, its thousands are separated by commas."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(text) for text in column) for column in zip(header, *cells, strict=True)]
    right = [
        bool(rows) and all(isinstance(row[i], int | float) or row[i] is None for row in rows)
        for i in range(len(header))
    ]
    lines = []
    for row in [list(header), *cells]:
        padded = [t.rjust(w) if r else t.ljust(w) for t, w, r in zip(row, widths, right, strict=True)]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _cell(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,.2f}"
        case _:
            return visible(str(value))
