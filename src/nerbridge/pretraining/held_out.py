"""Perplexity of masked pieces in the held-out text, with masks that are drawn once: numbers of all steps compare."""

import math

import torch
from torch import Tensor

from nerbridge.batching.batch import UNKNOWN
from nerbridge.config.pretraining import Masking, PretrainingSettings
from nerbridge.pretraining.batch import Collator, MaskedBatch
from nerbridge.pretraining.estimate import READ_SHARE
from nerbridge.pretraining.learner import autocast
from nerbridge.pretraining.masking import Ids
from nerbridge.pretraining.model import MaskedLanguageModel, masked_loss
from nerbridge.pretraining.state import MaskedEvaluation
from nerbridge.pretraining.step_batch import Share
from nerbridge.training.seeding import derive_seed

WORST = 700.0  # exp of more is beyond all numbers
MOST_DRAWS = 100  # of masks; text of which nothing can be masked has none after any number


class HeldOut:
    """The held-out rows, masked in both ways whatever the training does. rows: at least one; at_once: pieces."""

    def __init__(self, collator: Collator, rows: Ids, settings: PretrainingSettings, at_once: int) -> None:
        self._settings = settings
        self.num_pieces = int(collator.sizes[rows].sum())
        self.reading_cost = 2 * READ_SHARE * self.num_pieces
        self._batches = {
            masking: _masked(collator, rows, settings.model_copy(update={"masking": masking}), at_once)
            for masking in ("token", "span")
        }

    def evaluate(self, model: MaskedLanguageModel, step: int, device: torch.device) -> MaskedEvaluation:
        """Both perplexities after `step` steps; the model is afterwards as it was."""
        whole, encoder = model.training, model.encoder.training
        model.eval()
        with torch.no_grad():
            token, span = (self._perplexity(model, masking, device) for masking in ("token", "span"))
        model.train(whole)
        model.encoder.train(encoder)
        return MaskedEvaluation(step, token, span)

    def _perplexity(self, model: MaskedLanguageModel, masking: Masking, device: torch.device) -> float:
        batch: MaskedBatch = self._batches[masking]
        total: Tensor = torch.zeros((), dtype=torch.float64, device=device)
        for rows in batch.parts:
            moved = rows.to(device)
            with autocast(device, self._settings):
                total += masked_loss(model(moved), moved.targets).double()
        return math.exp(min(float(total) / max(batch.num_targets, 1), WORST))


def _masked(collator: Collator, rows: Ids, settings: PretrainingSettings, at_once: int) -> MaskedBatch:
    """The rows with masks. A draw that hides none of a few pieces has no perplexity, so another is made."""
    for number in range(MOST_DRAWS):
        again = (number,) if number else ()
        seed = derive_seed(settings.seed, "held-out masks", settings.masking, *again)
        batch = collator(rows, settings, seed, Share(0, 1, at_once))
        if any((part.targets != UNKNOWN).any() for part in batch.parts):
            break
    return batch
