"""The file that keeps finished cells of `crossner_bench.py`: gzip of JSON lines, the same bytes for the same cells.

    {"kept": "cells", "schema": 1}                    first
    {"shared": ID, "kind": "gold", "value": {...}}    what several cells have: gold spans, settings, data
    {"encoder": {...}}                                a line of `dapt_bench.py`, from RUNS/encoders.jsonl
    {"cell": {...}, "run": {...}}                     a line of cells.jsonl, and its run (`kept_runs.py`): null where
                                                      the run folder was not there

An ID is made of the content, so that equal gold is one line.
"""

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cell_lines import Key, key_of

from nerbridge.errors import DataError

SCHEMA = 1
ENDING = ".jsonl.gz"
HINT = "take the file from the repository again, or make it anew: `keep_cells.py pack RUNS --output FILE`"


@dataclass
class Kept:
    """shared: ID -> kind and value. encoders: lines. cells: their lines and runs. where: file:line of a cell read."""

    shared: dict[str, tuple[str, Any]] = field(default_factory=dict)
    encoders: list[dict[str, Any]] = field(default_factory=list)
    cells: dict[Key, tuple[dict[str, Any], dict[str, Any] | None]] = field(default_factory=dict)
    where: dict[Key, str] = field(default_factory=dict)

    def share(self, kind: str, value: Any) -> str:
        """The ID of `value`, which is in the file from now on."""
        name = hashlib.sha256(f"{kind} {_text(value)}".encode()).hexdigest()[:16]
        self.shared[name] = (kind, value)
        return name

    @property
    def values(self) -> dict[str, Any]:
        """What the IDs stand for."""
        return {name: value for name, (_, value) in self.shared.items()}


def is_kept(path: Path) -> bool:
    return path.name.endswith(ENDING)


def write_kept(path: Path, kept: Kept) -> int:
    """Writes the file, all or nothing; returns its bytes."""
    lines: list[dict[str, Any]] = [{"kept": "cells", "schema": SCHEMA}]
    shared = sorted((kind, name, value) for name, (kind, value) in kept.shared.items())
    lines += [{"shared": name, "kind": kind, "value": value} for kind, name, value in shared]
    lines += [{"encoder": line} for line in sorted(kept.encoders, key=_text)]
    lines += [{"cell": line, "run": run} for _, (line, run) in sorted(kept.cells.items())]
    content = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=content, mtime=0) as stream:
        stream.write("".join(f"{_text(line)}\n" for line in lines).encode())
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.partial")
    aside.write_bytes(content.getvalue())
    aside.replace(path)
    return len(content.getvalue())


def read_kept(path: Path) -> Kept:
    """What a file keeps. Raises DataError with file:line where it is damaged, of a newer schema, or no such file."""
    kept, number = Kept(), 0
    for number, text in enumerate(_texts(path), start=1):
        with located(f"{path}:{number}"):
            line = json.loads(text.rstrip("\n"))
            if number == 1:
                _check_header(line, path)
            elif "shared" in line:
                kept.shared[line["shared"]] = (line["kind"], line["value"])
            elif "encoder" in line:
                kept.encoders.append(line["encoder"])
            else:
                key = key_of(line["cell"])
                kept.cells[key], kept.where[key] = (line["cell"], line["run"]), f"{path}:{number}"
    if not number:
        raise _fault("the file is empty", f"{path}:1")
    return kept


@contextmanager
def located(where: str) -> Iterator[None]:
    """Whatever a line that is damaged does to its reader becomes a DataError about `where`."""
    try:
        yield
    except KeyError as error:
        raise _fault(f"{error} is missing, or is not in the file", where) from error
    except (ValueError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise _fault(str(error), where) from error


def _texts(path: Path) -> Iterator[str]:
    number = 1
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
            for text in stream:
                yield text
                number += 1
    except FileNotFoundError as error:
        raise DataError(
            "there is no such file of kept cells",
            where=str(path),
            expected=f"a file that `keep_cells.py pack` wrote, NAME{ENDING}",
            hint=f"`ls {path.parent}` shows what is there",
        ) from error
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise _fault(str(error), f"{path}:{number}") from error


def _check_header(line: dict[str, Any], path: Path) -> None:
    if line.get("kept") != "cells":
        raise ValueError("the first line does not say that cells are kept")
    if line["schema"] > SCHEMA:
        raise DataError(
            f"kept cells of schema {line['schema']} are newer than these scripts",
            where=f"{path}:1",
            expected=f"schema {SCHEMA} or older",
            hint="take the scripts of the commit that the file came with, or a later one",
        )


def _fault(reason: str, where: str) -> DataError:
    return DataError(
        f"kept cells cannot be read: {reason}", where=where, expected="as `keep_cells.py pack` wrote it", hint=HINT
    )


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
