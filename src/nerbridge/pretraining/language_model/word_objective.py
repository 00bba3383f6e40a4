"""ELMo's objective: the next word and the one before, with one output layer for both directions."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from nerbridge.batching.batch import UNKNOWN
from nerbridge.batching.word_vocabulary import WordVocabulary
from nerbridge.config.language_models import ElmoSettings
from nerbridge.encoders.language_model.word_model import WordModel
from nerbridge.models.layers.sampled_softmax import draw_negatives, log_probabilities
from nerbridge.pretraining.language_model.objective import DirectedObjective
from nerbridge.pretraining.language_model.word_rows import WordRows

INITIAL_RANGE = 0.1  # of word vectors
ROWS_AT_ONCE = 2048  # states whose scores over the whole vocabulary are held in memory where nothing is learnt


class WordObjective(DirectedObjective):
    """The word-level `model` and a softmax over `vocabulary`."""

    model: WordModel
    frequencies: Float[Tensor, " vocab"]

    def __init__(self, model: WordModel, settings: ElmoSettings, vocabulary: WordVocabulary) -> None:
        super().__init__()
        self.model = model
        self.negatives = settings.negatives
        self.dropout = nn.Dropout(settings.dropout)
        size = len(vocabulary)
        self.vectors = nn.Parameter(torch.empty(size, settings.hidden).uniform_(-INITIAL_RANGE, INITIAL_RANGE))
        self.biases = nn.Parameter(torch.zeros(size))
        counts = torch.tensor(vocabulary.counts, dtype=torch.float64)
        self.register_buffer("frequencies", (counts / counts.sum()).float(), persistent=False)

    def loss(self, rows: WordRows) -> Float[Tensor, ""]:
        """Eq. 1, over samples of the vocabulary where the settings ask for it."""
        ahead, behind = self.model.directions(rows.inputs)
        states = self.dropout(torch.cat([ahead[-1].flatten(0, 1), behind[-1].flatten(0, 1)]))
        targets = torch.cat([rows.ahead.flatten(), rows.behind.flatten()])
        if self.negatives is None or self.negatives >= len(self.vectors):
            return self._full(states, targets)
        negatives = draw_negatives(self.frequencies, self.negatives, correct=True)
        found = log_probabilities(states, targets.clamp(min=0), self.vectors, self.biases, negatives)
        return -found.masked_fill(targets == UNKNOWN, 0.0).sum()

    @torch.no_grad()
    def directed_loss(self, rows: WordRows) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
        """Of either direction, over the whole vocabulary."""
        ahead, behind = self.model.directions(rows.inputs)
        return self._in_parts(ahead[-1], rows.ahead), self._in_parts(behind[-1], rows.behind)

    def reading_share(self) -> float:
        size, hidden = self.vectors.shape
        network = 2 * self.model.sizes.layers * 8 * hidden**2
        sampled = min(self.negatives or size, size)
        return (network + 2 * size * hidden) / (3 * (network + 2 * sampled * hidden))

    def _in_parts(
        self, states: Float[Tensor, "batch unit hidden"], targets: Int[Tensor, "batch unit"]
    ) -> Float[Tensor, ""]:
        total = torch.zeros((), dtype=torch.float64, device=states.device)
        parts = torch.split(states.flatten(0, 1), ROWS_AT_ONCE)
        for part, words in zip(parts, torch.split(targets.flatten(), ROWS_AT_ONCE), strict=True):
            total += self._full(part, words).double()
        return total

    def _full(self, states: Float[Tensor, "row hidden"], targets: Int[Tensor, " row"]) -> Float[Tensor, ""]:
        logits = F.linear(states, self.vectors, self.biases)
        return F.cross_entropy(logits, targets, ignore_index=UNKNOWN, reduction="sum")
