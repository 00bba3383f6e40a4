"""The cells that rows of a grid ask for, as the bench reads them."""

from crossner_cells import Cell, dataset_of, parse_rows
from label_aware_grid import Row

from nerbridge.config.training import TrainingSettings


def cells(row: Row) -> list[Cell]:
    """One of each target; the text of the row says what the row says."""
    (text,) = parse_rows(f"{row.text()};")
    assert (text.name, text.recipe, text.settings) == (row.name, row.recipe, row.settings)
    return [Cell(row.name, row.recipe, dataset_of(domain), 1, row.settings, "") for domain in row.domains]


def last_stage(cell: Cell) -> TrainingSettings:
    """How its last stage is trained."""
    joint = cell.experiment.transfer.kind in ("multi_task", "self_training", "joint")
    return cell.experiment.training.for_stage("joint" if joint else "target")
