"""Rows of a step -> this process's share of them, in parts that are held at once."""

from collections.abc import Callable
from typing import Protocol, TypeVar

import numpy as np

from nerbridge.pretraining.masking import Ids
from nerbridge.pretraining.step_batch import Share, StepBatch, Together


class Predicting(Together, Protocol):
    """Rows that know how much they predict."""

    @property
    def num_targets(self) -> int: ...


RowsT = TypeVar("RowsT", bound=Predicting)


def shared(numbers: Ids, sizes: Ids, share: Share, together: Callable[[Ids], RowsT]) -> StepBatch[RowsT]:
    """A batch of the rows `numbers`, of which this process has every so many-th. together: makes rows of some of them.

    With one process nothing is made that is not used; with several, the others' rows are only counted.
    """
    numbers = numbers[np.argsort(-sizes[numbers], kind="stable")]
    own = numbers[share.index :: share.count]
    apart = [numbers[index :: share.count] for index in range(share.count) if index != share.index]
    others = [together(rows).num_targets for rows in apart if len(rows)]
    weight = float(len(own) > 0)
    own = own if len(own) else numbers[:1]
    parts = []
    while len(own):
        size = max(share.at_once // int(sizes[own[0]]), 1)
        now, own = own[:size], own[size:]
        parts.append(together(now))
    targets = int(weight) * sum(part.num_targets for part in parts) + sum(others)
    return StepBatch(tuple(parts), weight, targets, int(sizes[numbers].sum()))
