"""The tagger with a linear-chain conditional random field over its scores (see `models.layers.crf` for the equations).

    e = W dropout(h) + b                                                                             (1)
    loss = - sum over sentences of log p(known tags | sentence) / number of known words              (2)
    decoded = the legal sequence with the highest score                                              (3)

The loss is divided by words, not by sentences, so that it stands beside other heads' losses on one scale. With
`constrained_training` the normaliser of (2) runs over legal sequences only, those that decoding chooses among, so no
training is spent on telling gold from what can never be said; without, over all sequences, as the papers have it.
"""

from collections.abc import Mapping

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.batching.batch import UNKNOWN, Batch
from nerbridge.config.tagger import CrfSettings
from nerbridge.data.tags import TagVocabulary
from nerbridge.models.heads.base import Decoded, TagHead
from nerbridge.models.heads.rows import carried_ids, check_same_kind
from nerbridge.models.layers.chain import PENALTY, ChainScores
from nerbridge.models.layers.crf import log_likelihood
from nerbridge.models.layers.decoding import decode_chain
from nerbridge.models.layers.legal import LegalSequences
from nerbridge.models.losses import LossTerms

INITIAL_RANGE = 0.1  # of transition, start and end scores


class CrfHead(TagHead):
    """Labels whole sentences. width: of the states."""

    def __init__(self, settings: CrfSettings, vocabulary: TagVocabulary, width: int) -> None:
        super().__init__(settings, vocabulary)
        self.constrained_training = settings.constrained_training
        self.transition_rate = settings.transition_rate
        size = len(vocabulary)
        self.output = nn.Linear(width, size)
        self.pairs = nn.Parameter(torch.empty(size, size).uniform_(-INITIAL_RANGE, INITIAL_RANGE))
        self.starts = nn.Parameter(torch.empty(size).uniform_(-INITIAL_RANGE, INITIAL_RANGE))
        self.ends = nn.Parameter(torch.empty(size).uniform_(-INITIAL_RANGE, INITIAL_RANGE))
        self.legal = LegalSequences(vocabulary, constrained=settings.constrained)

    def loss(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> LossTerms:
        targets = batch.targets["tags"]
        emissions = self.output(self.dropout(states))  # eq. 1
        scores = self._scores().excluding(self.legal.moves()) if self.constrained_training else self._scores()
        total = -log_likelihood(scores, emissions, targets, batch.mask).sum()
        return LossTerms({"tags": total / (targets != UNKNOWN).sum().clamp(min=1)})  # eq. 2

    def decode(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> Decoded:
        emissions = self.output(self.dropout(states)).float() + ~self.allowed * PENALTY
        scores = self._scores().excluding(self.legal.moves())
        return Decoded(*decode_chain(scores, emissions, batch.mask))  # eq. 3

    @torch.no_grad()
    def carry(self, other: TagHead, sources: Mapping[str, str]) -> int:
        check_same_kind(self, other)
        assert isinstance(other, CrfHead)
        here, there = carried_ids(self.vocabulary, other.vocabulary, sources)
        for mine, its in zip(self._rows(), other._rows(), strict=True):
            mine[here] = its[there].to(mine.device)
        self.pairs[here.unsqueeze(1), here] = other.pairs[there.unsqueeze(1), there].to(self.pairs.device)
        return len(here)

    def rate_multiples(self) -> dict[str, float]:
        return dict.fromkeys(("pairs", "starts", "ends"), self.transition_rate)

    def _rows(self) -> tuple[Tensor, ...]:
        return self.output.weight, self.output.bias, self.starts, self.ends

    def _scores(self) -> ChainScores:
        return ChainScores(self.pairs, self.starts, self.ends)
