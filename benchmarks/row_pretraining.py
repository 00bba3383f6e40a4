"""The encoder that was pre-trained for each domain of a row (`dapt_bench.py`): its kind, and how long that took."""

from typing import Any

from cell_lines import Key
from dapt_cells import Cell, encoder_lines
from grid_results import Results


def kind_of(results: Results, key: Key) -> str:
    """The kind of the encoder that was pre-trained for each domain (`dapt_cells.py`); empty where none was."""
    _, found, kind = _checkpoint(results, key).replace("=", "/", 1).rpartition("/{domain}-")
    kinds = {cell.kind for cell, _ in _encoders(results) if key[0].startswith(f"{cell.kind}-")}
    return kind if found else max(kinds, key=len, default="")


def seconds_of_pretraining(results: Results, key: Key) -> float:
    """Of the encoder that the run started from; 0 where none was pre-trained, or none of its lines is there."""
    if not (kind := kind_of(results, key)):
        return 0.0
    own = [float(line["seconds"]) for cell, line in _encoders(results) if cell.name == f"{key[1]}-{kind}"]
    return own[-1] if own else 0.0


def _encoders(results: Results) -> list[tuple[Cell, dict[str, Any]]]:
    """What `dapt_bench.py` wrote of encoders, in the folders of the runs or above them."""
    places = [place for folder in results.folders for place in (folder, folder.parent)]
    found = encoder_lines([place / "encoders.jsonl" for place in dict.fromkeys(places)])
    return [(cell, line) for cell, line in found if "failed" not in line]


def _checkpoint(results: Results, key: Key) -> str:
    found = [one for one in results.lines[key]["settings"] if one.startswith("encoder.checkpoint=")]
    return found[-1] if found else ""
