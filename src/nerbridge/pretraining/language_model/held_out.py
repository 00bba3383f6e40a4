"""Perplexity of the held-out text in either direction."""

import math
from typing import Any

import torch

from nerbridge.pretraining.held_out import WORST
from nerbridge.pretraining.language_model.objective import DirectedObjective
from nerbridge.pretraining.learning_material import Collates
from nerbridge.pretraining.masking import Ids
from nerbridge.pretraining.state import DirectedEvaluation
from nerbridge.pretraining.step_batch import Share


class DirectedHeldOut:
    """The held-out rows.

    rows: at least one. at_once: words or characters, padding included, that are read together. reading_share: what
    reading a unit costs beside learning from it.
    """

    def __init__(self, collator: Collates, rows: Ids, at_once: int, reading_share: float) -> None:
        self.num_pieces = int(collator.sizes[rows].sum())
        self.reading_cost = reading_share * self.num_pieces
        self._parts: tuple[Any, ...] = collator(rows, None, 0, Share(0, 1, at_once)).parts

    def evaluate(self, model: DirectedObjective, step: int, device: torch.device) -> DirectedEvaluation:
        """Both perplexities after `step` steps; the model is afterwards as it was."""
        training = model.training
        model.eval()
        sums = torch.zeros(2, dtype=torch.float64, device=device)
        for rows in self._parts:
            sums += torch.stack(model.directed_loss(rows.to(device)))
        model.train(training)
        counts = sum(rows.num_ahead for rows in self._parts), sum(rows.num_behind for rows in self._parts)
        forward, backward = (
            math.exp(min(total / max(count, 1), WORST)) for total, count in zip(sums.tolist(), counts, strict=True)
        )
        return DirectedEvaluation(step, forward, backward)
