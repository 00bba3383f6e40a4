"""Finished cells of `crossner_bench.py` <-> one small file, which outlives the machine that they were run on.

    python benchmarks/keep_cells.py pack RUNS [RUNS ...] --output benchmarks/results/cells/NAME.jsonl.gz
    python benchmarks/keep_cells.py unpack benchmarks/results/cells/NAME.jsonl.gz RUNS

`pack` takes folders of runs, and kept files too: a file grows when it is named beside the new runs, and is the output.
--rows 'multicell-*,tune-*' takes the rows of these names alone.
Of a cell that several of them have, the last one with a run folder is kept, folders counting after files. What that
means, `kept_file.py` and `kept_runs.py` say: lines, settings, versions, fingerprints, learning curves and spans, but no
word of the data and no path of the machine. Cells whose run folder is damaged, or has other scores than its line, are
named and left out; the exit code is 1 then.

Scripts that make tables take a kept file wherever they take a folder of runs. `unpack` writes one back for readers of
run folders beside them, with '_' for every word; `crossner_bench.py` goes on in such a folder with the cells that are
missing. Cells of which the folder has a good line stay as they are; a run that was begun there and has none becomes
.seed-N.begun-1 beside the kept one. Killed, the same command goes on.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from cell_lines import Key, read_cells
from dapt_cells import damaged_encoders, encoder_lines
from endings import faults_said
from grid_results import ROUNDING
from json_lines import damage
from kept_cells import cells_files, opened, run_folder, write_back
from kept_file import ENDING, Kept, is_kept, read_kept, write_kept
from kept_runs import pack_run, read_splits, without_paths

from nerbridge.errors import NerbridgeError
from nerbridge.evaluation.uncertainty import count_sentences, f1_of


def gather(folders: Sequence[Path], rows: Sequence[str] = ("*",)) -> tuple[Kept, list[str], Counter[str]]:
    """What is kept of the runs in `folders`, a fault for every cell that is left out, and counts that are said.

    rows: patterns, as of file names; a row of which none is the name is not asked for.
    """
    kept, faults, counted = Kept(), list[str](), Counter[str]()
    for path in cells_files(folders):
        found = read_cells([path])
        lines = found.finished
        counted["damaged lines of cells, left out"] += found.damaged
        asked = {key: line for key, line in lines.items() if any(fnmatchcase(key[0], row) for row in rows)}
        counted["cells of other rows, not asked for"] += len(lines) - len(asked)
        for key, line in sorted(asked.items()):
            try:
                run = _run(path.parent, key, line, kept)
            except (NerbridgeError, ValueError, KeyError, TypeError, AttributeError) as fault:
                faults.append(f"{path}: {key[0]} {key[1]} seed {key[2]} is left out: {fault}")
                continue
            counted["cells that several folders have, one of them kept"] += key in kept.cells
            if run is not None or key not in kept.cells:
                kept.cells[key] = (without_paths(line), run)
        counted["run folders without a good line, not kept"] += _unfinished(path.parent, lines)
    kept.encoders = list(_encoders(folders))
    counted["damaged lines of encoders, left out"] = damaged_encoders(_encoder_files(folders))
    counted["cells without a run folder, their line alone kept"] = sum(run is None for _, run in kept.cells.values())
    return _tidy(kept), faults, +counted


def _run(runs: Path, key: Key, line: dict[str, Any], kept: Kept) -> dict[str, Any] | None:
    """The run's record; none without its folder. Raises ValueError where its predictions have other scores."""
    folder = run_folder(runs, key)
    if not folder.is_dir():
        return None
    splits = read_splits(folder)
    for split in (split for split in splits if split in line):
        ours, said = float(f1_of(count_sentences(splits[split]).sum(axis=0))), float(line[split]["f1"])
        if abs(ours - said) > ROUNDING:
            raise ValueError(f"its {split} predictions have F1 {ours:.6f}, its line says {said:.6f}: not the same run")
    return pack_run(folder, key[2], splits, kept.share)


def _unfinished(runs: Path, lines: dict[Key, dict[str, Any]]) -> int:
    known = {run_folder(runs, key) for key in lines}
    return sum(path not in known for path in runs.glob("*/*/seed-*"))


def _encoders(folders: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """The last good line of every encoder, or its last one, where pages look for them: in a folder or above it."""
    lines = encoder_lines(_encoder_files(folders))
    yield from map(without_paths, (dict(lines) | {cell: line for cell, line in lines if "failed" not in line}).values())


def _encoder_files(folders: Sequence[Path]) -> list[Path]:
    return list(dict.fromkeys(place / "encoders.jsonl" for folder in folders for place in (folder.parent, folder)))


def _tidy(kept: Kept) -> Kept:
    """Without what no cell needs any more."""
    runs = [run for _, run in kept.cells.values() if run is not None]
    used = {run[name] for run in runs for name in ("environment", "experiment", "data") if name in run}
    used |= {one["gold"] for run in runs for one in run["splits"].values()}
    kept.shared = {name: value for name, value in kept.shared.items() if name in used}
    return kept


def pack(arguments: argparse.Namespace) -> int:
    """Writes the file, says how large it is; were all cells sound?"""
    if not is_kept(arguments.output):
        sys.exit(f"error: '{arguments.output}' does not end in {ENDING}, by which kept files are told from folders")
    for folder in (path for path in arguments.runs if not is_kept(path)):
        if not cells_files([folder]):
            sys.exit(f"error: '{folder}' holds no cells.jsonl: it is no folder of crossner_bench.py or dapt_bench.py")
    with opened(arguments.runs, lines=[]) as found:
        kept, faults, counted = gather(found.folders, arguments.rows.split(","))
    for text in (*found.notes, *(f"{what}: {count}" for what, count in counted.items()), *faults):
        print(text, file=sys.stderr)
    if not kept.cells:
        sys.exit("error: there is no finished cell to keep")
    size, number = write_kept(arguments.output, kept), len(kept.cells)
    print(f"{arguments.output}: {number:,} cells, {size:,} bytes, {size / number:,.0f} a cell")
    return 1 if faults else 0


def unpack(arguments: argparse.Namespace) -> int:
    """Writes the cells of which the folder has no good line; runs that were begun there make way."""
    kept, path = read_kept(arguments.file), arguments.folder / "cells.jsonl"
    found = read_cells([path])
    for text in damage(path, found.damaged):
        print(text, file=sys.stderr)
    there = set(found.finished) & set(kept.cells)
    begun = sum(_is_begun(run_folder(arguments.folder, key)) for key in set(kept.cells) - there)
    written = write_back(kept, arguments.folder, without=there)
    if begun:
        print(f"{arguments.folder}: begun runs without a line, now .seed-N.begun-1 beside it: {begun}", file=sys.stderr)
    print(f"{arguments.folder}: {written:,} cells written, {len(there):,} were there")
    return 0


def _is_begun(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


@faults_said()
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="pack | unpack")
    packing = commands.add_parser("pack", help="folders of runs -> a kept file")
    packing.add_argument("runs", type=Path, nargs="+", help="folders of crossner_bench.py or dapt_bench.py, kept files")
    packing.add_argument("--output", type=Path, required=True, help=f"NAME{ENDING}, below benchmarks/results/cells")
    packing.add_argument("--rows", default="*", help="names or patterns of rows, separated by ','; default: all")
    packing.set_defaults(command=pack)
    unpacking = commands.add_parser("unpack", help="a kept file -> a folder of runs")
    unpacking.add_argument("file", type=Path)
    unpacking.add_argument("folder", type=Path)
    unpacking.set_defaults(command=unpack)
    arguments = parser.parse_args()
    return int(arguments.command(arguments))


if __name__ == "__main__":
    sys.exit(main())
