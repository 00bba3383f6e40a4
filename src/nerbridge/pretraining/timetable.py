"""Which rows every step learns from: a pure function of seed and step, so that resuming needs no stored state."""

from collections.abc import Iterator

import numpy as np

from nerbridge.config.language_models import ElmoSettings, FlairSettings
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.pretraining.masking import Ids
from nerbridge.pretraining.packing import epoch_rows
from nerbridge.training.seeding import derive_seed

AnyTraining = PretrainingSettings | ElmoSettings | FlairSettings


class Timetable:
    """The steps of a pre-training: first those of a new head alone, then those of the whole model.

    sizes: pieces of every row. head_steps: of the head alone, 0 when it is not new.
    total: all steps. steps_per_epoch: of the whole model. padding: share of padding in the first epoch.
    """

    def __init__(self, sizes: Ids, settings: AnyTraining, head_steps: int) -> None:
        self._sizes, self._settings = sizes, settings
        first = list(self._epoch("rows", 0))
        padded = sum(len(rows) * int(sizes[rows].max()) for rows in first)
        self.steps_per_epoch = len(first)
        self.padding = 1 - int(sizes.sum()) / padded if padded else 0.0
        self.head_steps = head_steps
        own = settings.epochs * len(first)
        self.total = head_steps + (own if settings.max_steps is None else min(own, settings.max_steps))

    def batches(self, begin: int) -> Iterator[tuple[int, Ids]]:
        """Step numbers and their rows, from step `begin` to the end."""
        middle = max(begin, self.head_steps)
        yield from zip(range(begin, self.head_steps), self._endless("head", begin), strict=False)
        yield from zip(range(middle, self.total), self._endless("rows", middle - self.head_steps), strict=False)

    def mask_seed(self, step: int) -> int:
        """What decides the masks of a step."""
        return derive_seed(self._settings.seed, "masks", step)

    def done(self, step: int) -> float:
        """Share (0 to 1) of its phase (head alone, whole model) that is done at the middle of a step."""
        if step < self.head_steps:
            return (step + 0.5) / self.head_steps
        return (step - self.head_steps + 0.5) / max(self.total - self.head_steps, 1)

    def _endless(self, what: str, skip: int) -> Iterator[Ids]:
        epoch = 0
        while True:
            for rows in self._epoch(what, epoch):
                if skip:
                    skip -= 1
                else:
                    yield rows
            epoch += 1

    def _epoch(self, what: str, epoch: int) -> Iterator[Ids]:
        return epoch_rows(self._sizes, self._settings.batch_pieces, derive_seed(self._settings.seed, what, epoch))


def evaluation_steps(timetable: Timetable, every: int) -> frozenset[int]:
    """Number of steps done at which the held-out text is read: at the start, with a new head trained, then `every`."""
    steps = np.arange(timetable.head_steps, timetable.total, every).tolist()
    return frozenset({0, *steps, timetable.total})
