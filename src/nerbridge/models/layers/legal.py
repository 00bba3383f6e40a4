"""Which tags may follow which, as penalties for decoding."""

import torch
from torch import nn

from nerbridge.data.tags import TagVocabulary
from nerbridge.models.layers.chain import PENALTY, ChainScores, LegalMoves


class LegalSequences(nn.Module):
    """Penalties on illegal tag sequences of `vocabulary`, kept on the model's device and never saved.

    constrained: False makes every sequence legal.
    """

    def __init__(self, vocabulary: TagVocabulary, *, constrained: bool) -> None:
        super().__init__()
        self.constrained = constrained
        illegal = [
            ~torch.tensor(flags) & constrained
            for flags in (vocabulary.may_follow(), vocabulary.may_start(), vocabulary.may_end())
        ]
        self.pairs: torch.Tensor
        self.starts: torch.Tensor
        self.ends: torch.Tensor
        for name, table in zip(("pairs", "starts", "ends"), illegal, strict=True):
            self.register_buffer(name, table * PENALTY, persistent=False)

    def moves(self) -> LegalMoves:
        """The penalties, to be added to other scores."""
        return LegalMoves(self.pairs, self.starts, self.ends)

    def scores(self) -> ChainScores:
        """The penalties alone, as scores of a chain whose units are otherwise independent."""
        return ChainScores(self.pairs, self.starts, self.ends)
