"""Kept cells beside run folders, for whatever reads runs: a file NAME.jsonl.gz may stand where a folder of runs may.

    with opened(folders) as found:                  # folders of runs, and kept files
        results = read_results(found.lines, found.folders, ...)

A kept file is written back as a folder of runs (with placeholders for words) that lasts as long as the block, so
readers see folders alone; predictions and scores are made when they are asked for (`kept_later.py`). A cell that runs
and kept files both have is taken from the runs, and counted in a note.
"""

import shutil
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count as numbers_from
from pathlib import Path

from cell_lines import Key, read_cells
from dapt_cells import encoder_lines, encoder_of
from json_lines import append_lines
from kept_file import Kept, is_kept, located, read_kept
from kept_later import Count, Make, forget, wait
from kept_runs import unpack_run

from nerbridge.errors import NerbridgeError

INSIDE = ("", "taggers")  # where cells lie in folders of `crossner_bench.py` and `dapt_bench.py`


@dataclass(frozen=True)
class Opened:
    """lines: files of cells. folders: of runs, kept ones first: they have no cell that the others have too."""

    lines: list[Path]
    folders: list[Path]
    notes: list[str]


@contextmanager
def opened(folders: Sequence[Path], lines: Sequence[Path] | None = None) -> Iterator[Opened]:
    """Folders of runs and kept files -> folders of runs. Ends the program where a kept file is damaged.

    lines: files of cells, or kept files, which need not be among `folders` too; none: those inside `folders`.
    """
    kept = list(dict.fromkeys(path for path in (*(lines or ()), *folders) if is_kept(path)))
    plain = [path for path in folders if not is_kept(path)]
    asked = cells_files(plain) if lines is None else [path for path in lines if not is_kept(path)]
    with tempfile.TemporaryDirectory(prefix="kept-cells-") as place:
        try:
            places, notes = _write_back(kept, _own(asked, plain), Path(place))
        except NerbridgeError as fault:
            sys.exit(f"error: {fault}")
        shown = [place for path, place in places.items() if lines is None or path in lines]
        yield Opened([*(place / "cells.jsonl" for place in shown), *asked], [*places.values(), *plain], notes)
        forget(Path(place))


def _own(lines: Sequence[Path], folders: Sequence[Path]) -> set[Key]:
    """The cells with a good line whose run is there; a line alone may get the predictions of a kept cell."""
    places = [folder / inside for folder in folders for inside in INSIDE]
    return {key for key in read_cells(lines).finished if any(run_folder(place, key).is_dir() for place in places)}


def _write_back(kept: Sequence[Path], own: Collection[Key], place: Path) -> tuple[dict[Path, Path], list[str]]:
    """A folder for each kept file; of a cell that several files have, that of the last one counts."""
    taken, twice, places = set(own), {"runs": 0, "files": 0}, dict[Path, Path]()
    for number, path in reversed(list(enumerate(kept))):
        places[path] = place / str(number)
        one = read_kept(path)
        twice["runs"] += sum(key in own for key in one.cells)
        twice["files"] += sum(key in taken and key not in own for key in one.cells)
        _lay_out(one, places[path], without=taken)
        taken |= set(one.cells)
    said = {
        "runs": "both runs and kept files have, taken from the runs",
        "files": "several kept files have, the last taken",
    }
    ordered = {path: places[path] for path in kept}
    return ordered, [f"cells that {said[who]}: {count}" for who, count in twice.items() if count]


def write_back(kept: Kept, folder: Path, *, without: Collection[Key] = ()) -> int:
    """Adds the cells, but those of `without`, and the encoders to a folder of runs; returns the number of cells.

    A run's folder is there when it is whole, and its line follows at once: killed, this can be done again.
    """
    keys = [key for key in sorted(kept.cells) if key not in without]
    values = kept.values
    folder.mkdir(parents=True, exist_ok=True)
    for key in keys:
        (line, run), place = kept.cells[key], run_folder(folder, key)
        aside = place.with_name(f".{place.name}.partial")
        shutil.rmtree(aside, ignore_errors=True)
        with located(kept.where[key]):
            if run is not None:
                unpack_run(run, aside, key[2], values)
        set_aside(place)
        if run is not None:
            aside.rename(place)
        append_lines(folder / "cells.jsonl", [line])
    _add_encoders(kept, folder)
    return len(keys)


def _lay_out(kept: Kept, folder: Path, *, without: Collection[Key] = ()) -> None:
    """As `write_back`, into a new folder for readers here: predictions and scores wait until they are asked for."""
    keys = [key for key in sorted(kept.cells) if key not in without]
    values = kept.values
    folder.mkdir(parents=True)
    for key in keys:
        run, where = kept.cells[key][1], kept.where[key]
        with located(where):
            if run is not None:
                unpack_run(run, run_folder(folder, key), key[2], values, partial(_wait, where))
    append_lines(folder / "cells.jsonl", [kept.cells[key][0] for key in keys])
    _add_encoders(kept, folder)


def _wait(where: str, path: Path, make: Make, count: Count | None) -> None:
    wait(path, located(where)(make), None if count is None else located(where)(count))


def _add_encoders(kept: Kept, folder: Path) -> None:
    there = {cell for cell, line in encoder_lines([folder / "encoders.jsonl"]) if "failed" not in line}
    if new := [line for line in kept.encoders if encoder_of(line) not in there]:
        append_lines(folder / "encoders.jsonl", new)


def set_aside(place: Path) -> None:
    """Makes way for a run: one that was begun there becomes .NAME.begun-1 beside it, an empty folder goes."""
    if not place.is_dir():
        return
    if not any(place.iterdir()):
        place.rmdir()
        return
    names = (place.with_name(f".{place.name}.begun-{number}") for number in numbers_from(1))
    place.rename(next(name for name in names if not name.exists()))


def run_folder(folder: Path, key: Key) -> Path:
    row, domain, seed = key
    return folder / row / domain / f"seed-{seed}"


def cells_files(folders: Sequence[Path]) -> list[Path]:
    """The files of cells inside folders of `crossner_bench.py` or `dapt_bench.py`."""
    places = [folder / inside / "cells.jsonl" for folder in folders for inside in INSIDE]
    return [path for path in dict.fromkeys(places) if path.is_file()]
