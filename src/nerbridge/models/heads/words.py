"""The language-model head: the next word and the word before (Jia et al. 2019, section 3.3, equations 5, 6 and 8).

    p_f(x_{i+1} | x_1..x_i)   from the forward direction's state of word i
    p_b(x_{i-1} | x_i..x_n)   from the backward direction's state of word i
    loss = - 1 / (2 N) sum over the N words of log p_f + log p_b                                     (8)

Word vectors and biases are the same in both directions, in every domain and for every stream: one vocabulary. Behind
the last word, and before the first, stands a boundary, which is predicted too.

Deviations: the loss is divided by words, not by sentences, so that it stands beside other heads' losses on one scale.
A context without directions (none) gives its whole states to both directions.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from nerbridge.batching.batch import UNKNOWN, Batch
from nerbridge.batching.word_vocabulary import BOUNDARY, WordVocabulary
from nerbridge.config.words import WordsSettings
from nerbridge.models.layers.sampled_softmax import (
    Negatives,
    chance_of_being_drawn,
    draw_negatives,
    log_probabilities,
)
from nerbridge.models.losses import LossTerms

INITIAL_RANGE = 0.1  # of word vectors
SCORES_AT_ONCE = 1 << 24  # of predicted words over the whole vocabulary: 64 MB, of which a few copies are needed


class WordsHead(nn.Module):
    """Predicts words. width: of the states. directional: the first half of a state has read forward, the other back."""

    frequencies: Float[Tensor, " vocab"]
    learnt_less: Float[Tensor, " vocab"]

    def __init__(self, settings: WordsSettings, vocabulary: WordVocabulary, width: int, *, directional: bool) -> None:
        super().__init__()
        self.settings = settings
        self.vocabulary = vocabulary
        self.directional = directional
        self.dropout = nn.Dropout(settings.dropout)
        size = len(vocabulary)
        half = width // 2 if directional else width
        self.vectors = nn.Parameter(torch.empty(size, half).uniform_(-INITIAL_RANGE, INITIAL_RANGE))
        self.biases = nn.Parameter(torch.zeros(size))
        counts = torch.tensor(vocabulary.counts, dtype=torch.float64)
        self.register_buffer("frequencies", (counts / counts.sum()).float(), persistent=False)
        self.register_buffer("learnt_less", learnt_less(counts, settings), persistent=False)

    def loss(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> LossTerms:
        """The mean over all predicted words of a batch, in both directions (eq. 8)."""
        rows, targets = self._both_directions(self.dropout(states), batch)
        options = self.settings
        negatives = draw_negatives(
            self.frequencies,
            options.negatives,
            rows=None if options.shared_negatives else len(targets),
            correct=options.log_q,
        )
        known = targets != UNKNOWN
        found = log_probabilities(rows, targets.clamp(min=0), self.vectors, self.biases, negatives)
        return LossTerms({"words": -(found * known).sum() / known.sum().clamp(min=1)})

    @torch.no_grad()
    def full_loss(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> tuple[float, int]:
        """Sum of -log p over the whole vocabulary, of all predicted words in both directions, and their number.

        p is what the head has learnt: of samples without correction that of equation 6' in `sampled_softmax`.
        """
        rows, targets = self._both_directions(states, batch)
        rows, targets = rows[targets != UNKNOWN], targets[targets != UNKNOWN]
        everything = Negatives(torch.arange(len(self.vectors), device=rows.device))
        biases, total = self.biases + self.learnt_less, 0.0
        size = max(1, SCORES_AT_ONCE // len(biases))
        for part, words in zip(torch.split(rows, size), torch.split(targets, size), strict=True):
            total -= float(log_probabilities(part, words, self.vectors, biases, everything).sum())
        return total, len(targets)

    def _both_directions(
        self, states: Float[Tensor, "batch unit width"], batch: Batch
    ) -> tuple[Float[Tensor, "row half"], Int[Tensor, " row"]]:
        """The states that predict, forward ones first, and the word that each predicts; UNKNOWN on padding."""
        forward, backward = states.chunk(2, dim=2) if self.directional else (states, states)
        following, preceding = neighbours(batch.targets["words"], batch.mask)
        rows = torch.cat([forward.flatten(0, 1), backward.flatten(0, 1)])
        return rows, torch.cat([following.flatten(), preceding.flatten()])


def learnt_less(counts: Float[Tensor, " vocab"], settings: WordsSettings) -> Float[Tensor, " vocab"]:
    """What each word's score lacks when words are learnt from samples without correction: log c_k of equation 6' of
    `sampled_softmax`. A word that the text never had counts as if it stood there once; 0 with correction.
    """
    if settings.log_q or settings.negatives >= len(counts):
        return torch.zeros(len(counts))
    smoothed = counts.clamp(min=1)
    return torch.log(chance_of_being_drawn(smoothed / smoothed.sum(), settings.negatives))


def neighbours(
    words: Int[Tensor, "batch unit"], mask: Bool[Tensor, "batch unit"]
) -> tuple[Int[Tensor, "batch unit"], Int[Tensor, "batch unit"]]:
    """The word behind and the word before each word, BOUNDARY at the ends of a sentence, UNKNOWN on padding."""
    edge = torch.full_like(words[:, :1], BOUNDARY)
    outside = words.masked_fill(~mask, BOUNDARY)
    following = torch.cat([outside[:, 1:], edge], dim=1)
    preceding = torch.cat([edge, outside[:, :-1]], dim=1)
    return following.masked_fill(~mask, UNKNOWN), preceding.masked_fill(~mask, UNKNOWN)
