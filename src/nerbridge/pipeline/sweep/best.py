"""Which setting of a sweep is the best, if any is."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

Setting = TypeVar("Setting")


def clear_best(scored: Sequence[tuple[Setting, float]]) -> list[Setting]:
    """The setting with the highest mean F1, alone; nothing where several share it, or where all found nothing."""
    highest = max((f1 for _, f1 in scored), default=0.0)
    best = [setting for setting, f1 in scored if f1 == highest > 0]
    return best if len(best) == 1 else []


def best_of_each(scored: Mapping[str | None, Sequence[tuple[Setting, float]]]) -> list[Setting]:
    """The clear best of each target."""
    return [setting for group in scored.values() for setting in clear_best(group)]
