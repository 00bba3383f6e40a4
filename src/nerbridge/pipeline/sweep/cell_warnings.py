"""What a finished cell was warned of: its log is read by nobody where the table looks right."""

from collections.abc import Iterator

from nerbridge.pipeline.files import read_json
from nerbridge.pipeline.sweep.plan import Cell
from nerbridge.pipeline.sweep.state import CELL, read_scores


def cell_warnings(cell: Cell) -> list[str]:
    """At most one line: the first warning of its training, else a split in which it finds no entity, and its log."""
    found = next(_warnings(cell), None)
    return [] if found is None else [f"{cell}: {found} ({cell.log})"]


def _warnings(cell: Cell) -> Iterator[str]:
    for stage, result in read_json(cell.folder / CELL).get("stages", {}).items():
        for warning in result.get("warnings", ()):
            yield f"{stage}: {warning}"
    for split, scores in read_scores(cell).items():
        counts = scores.get("conlleval", {}).get("micro", {})
        if counts.get("gold") and not counts.get("predicted"):
            yield f"{split}: the tagger finds no entity, of {counts['gold']:,} in the gold labels"
