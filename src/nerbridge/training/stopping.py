"""Which evaluation was the best, and when to stop waiting for a better one."""

from dataclasses import dataclass
from pathlib import Path

SETTLED = 3  # evaluations in a row that are no accident


@dataclass
class Stopping:
    """Keeps the best dev F1 (a fraction) and counts the evaluations since; an equal F1 is no better one.

    An evaluation with nothing right (F1 0) is not counted until SETTLED in a row had something right: a model that has
    not begun to find entities may still learn to, even where weights from chance had hit one before.
    """

    best_f1: float | None = None
    best_step: int | None = None
    since_best: int = 0
    right: int = 0  # evaluations in a row with something right; from SETTLED on it stays

    def observe(self, f1: float, step: int) -> bool:
        """Take note of an evaluation; is it the best so far?"""
        if self.right < SETTLED:
            self.right = self.right + 1 if f1 else 0
        better = self.best_f1 is None or f1 > self.best_f1
        if better:
            self.best_f1, self.best_step, self.since_best = f1, step, 0
        elif f1 or self.right >= SETTLED:
            self.since_best += 1
        return better

    def exhausted(self, patience: int) -> bool:
        """Were the last `patience` evaluations all no better?"""
        return self.since_best >= patience

    def describe_best(self, path: Path | None) -> str:
        """Where the best weights are, for messages; None where none were kept."""
        if path is None or self.best_f1 is None:
            return "no best weights had been kept"
        return f"the best weights (dev F1 {100 * self.best_f1:.2f}, step {self.best_step}) are in {path}"
