"""The order in which `crossner_bench.py` runs its cells."""

from collections.abc import Sequence

from crossner_cells import Cell

from nerbridge.pipeline.sweep.order import Schedule


class SeedBySeed(Schedule[Cell]):
    """Hands out the cells of one seed after the other, so that a grid that is cut short has whole seeds.

    Inside a seed those come first that begin a source stage. A cell whose source stage is being trained by another one
    is passed over while there is anything else to do, of later seeds too: jobs do not wait for each other.
    """

    def __init__(self, waiting: Sequence[Cell]) -> None:
        super().__init__(waiting)  # of a cell only `experiment` is looked at
        seeds = list(dict.fromkeys(cell.seed for cell in waiting))
        self._waiting.sort(key=lambda cell: seeds.index(cell.seed))
