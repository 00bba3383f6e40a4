"""What is on disk: which cells are finished, and to which sweep a folder belongs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nerbridge.errors import ConfigError
from nerbridge.evaluation.kept_answers import answers_changed
from nerbridge.evaluation.run_folder import EXPERIMENT, predictions_path
from nerbridge.pipeline.files import read_json
from nerbridge.pipeline.folder import holds_files, refuse_foreign
from nerbridge.pipeline.sweep.plan import Cell, SweepPlan

CELL = "cell.json"  # in a cell's run folder, written last: it is finished
SWEEP = "sweep.json"  # in the sweep's folder: what was asked for and what came out
SCORES = "scores.json"


def is_finished(cell: Cell) -> bool:
    """Was the cell trained to its end, and is all there, and unchanged, that the table is made from?"""
    if not (cell.folder / CELL).is_file() or not (cell.folder / SCORES).is_file():
        return False
    there = all(predictions_path(cell.folder, split).is_file() for split in read_scores(cell))
    return there and not answers_changed(cell.folder)


def read_scores(cell: Cell) -> dict[str, Any]:
    """The scores of a finished cell by split. Raises BundleError when the file is damaged."""
    return read_json(cell.folder / SCORES)


def refuse_other_sweep(plan: SweepPlan) -> None:
    """Raises ConfigError when the folder, or that of a cell, holds something else than a part of this sweep."""
    folder, keys = plan.folder, [variation.key for variation in plan.variations]
    if (folder / SWEEP).is_file():
        vary = read_json(folder / SWEEP).get("vary")
        there = list(vary) if isinstance(vary, dict) else []
        if sorted(there) != sorted(keys):
            raise _foreign(folder, f"holds a sweep over {', '.join(there)}, not over {', '.join(keys)}")
        if there != keys:  # cells are called after their keys in this order
            hint = f"give --vary in the order {', '.join(there)}, or choose another --output"
            raise _foreign(folder, f"holds a sweep over the same keys in another order: {', '.join(there)}", hint)
    elif (folder / EXPERIMENT).exists():
        raise _foreign(folder, "is the folder of a single run")
    elif holds_files(folder) and not any((cell.folder / EXPERIMENT).is_file() for cell in plan.cells):
        raise _foreign(folder, "is not empty and no folder of a sweep" if folder.is_dir() else "is a file")
    _refuse_other_cells(plan.cells)


def _refuse_other_cells(cells: Sequence[Cell]) -> None:
    for cell in cells:
        try:
            refuse_foreign(cell.experiment, cell.folder)
        except ConfigError as fault:
            raise ConfigError(
                fault.what,
                where=fault.where,
                expected="an earlier run of the same cell, made from the same recipe and --set",
                hint="choose another --output, or remove that folder",
            ) from None


def _foreign(folder: Path, what: str, hint: str = "choose another --output") -> ConfigError:
    return ConfigError(
        f"'{folder}' {what}",
        where=str(folder),
        expected="a new folder, or one of an earlier sweep over the same keys (values and seeds may be more or fewer)",
        hint=hint,
    )
