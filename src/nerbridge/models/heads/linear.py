"""The plain tagger: one linear layer, words labelled independently, decoded as the best legal sequence.

    p(tag | word) = softmax(W dropout(h) + b)                                                        (1)
    loss = - mean over known words of log p(gold tag | word)                                         (2)
    decoded = the legal sequence with the highest product of p(tag | word)                           (3)

Confidence is the posterior of the chosen tag among all legal sequences; without constraint that is (1).
"""

from collections.abc import Mapping

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.batching.batch import UNKNOWN, Batch
from nerbridge.config.tagger import LinearSettings
from nerbridge.data.tags import TagVocabulary
from nerbridge.models.heads.base import Decoded, TagHead
from nerbridge.models.heads.rows import carried_ids, check_same_kind
from nerbridge.models.layers.decoding import decode_words
from nerbridge.models.layers.legal import LegalSequences
from nerbridge.models.losses import LossTerms


class LinearHead(TagHead):
    """Labels each word by a linear layer. width: of the states."""

    def __init__(self, settings: LinearSettings, vocabulary: TagVocabulary, width: int) -> None:
        super().__init__(settings, vocabulary)
        self.output = nn.Linear(width, len(vocabulary))
        self.legal = LegalSequences(vocabulary, constrained=settings.constrained)

    def loss(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> LossTerms:
        targets = batch.targets["tags"]
        scores = self.output(self.dropout(states)).float()  # eq. 1
        total = F.cross_entropy(scores.flatten(0, 1), targets.flatten(), ignore_index=UNKNOWN, reduction="sum")
        return LossTerms({"tags": total / (targets != UNKNOWN).sum().clamp(min=1)})  # eq. 2

    def decode(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> Decoded:
        scores = self.output(self.dropout(states))
        return Decoded(*decode_words(scores, self.allowed, self.legal, batch.mask))  # eq. 3

    @torch.no_grad()
    def carry(self, other: TagHead, sources: Mapping[str, str]) -> int:
        check_same_kind(self, other)
        assert isinstance(other, LinearHead)
        here, there = carried_ids(self.vocabulary, other.vocabulary, sources)
        self.output.weight[here] = other.output.weight[there].to(self.output.weight.device)
        self.output.bias[here] = other.output.bias[there].to(self.output.bias.device)
        return len(here)
