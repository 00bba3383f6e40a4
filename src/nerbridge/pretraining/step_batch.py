"""What one step learns from, whatever is learnt: rows in parts, each process's share of them."""

from dataclasses import dataclass, replace
from typing import Generic, Protocol, Self, TypeVar

import torch


class Together(Protocol):
    """Rows that go through a model together. num_pieces: padding not counted."""

    @property
    def num_pieces(self) -> int: ...

    def to(self, device: torch.device) -> Self:
        """The same rows on `device`; from pinned memory the copying waits for nothing."""

    def pinned(self) -> Self:
        """The same rows in memory that a GPU reads directly."""


RowsT = TypeVar("RowsT", bound=Together)


@dataclass(frozen=True)
class StepBatch(Generic[RowsT]):
    """What one process learns from in one step.

    parts: its share, one after the other. weight: 0 for a process that got no rows and borrows one, else 1.
    num_targets, num_pieces: of the whole batch, all processes together; what is predicted, and what is read; padding
    is not counted.
    """

    parts: tuple[RowsT, ...]
    weight: float
    num_targets: int
    num_pieces: int

    def only(self, part: RowsT) -> "StepBatch[RowsT]":
        """The same batch, of which this process has one part."""
        return replace(self, parts=(part,))

    def pinned(self) -> "StepBatch[RowsT]":
        """The same batch in memory that a GPU reads directly."""
        return replace(self, parts=tuple(rows.pinned() for rows in self.parts))


@dataclass(frozen=True)
class Share:
    """Process `index` of `count`, which holds padded rows of `at_once` pieces in all at the same time."""

    index: int
    count: int
    at_once: int
