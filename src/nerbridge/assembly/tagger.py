"""A model is encoder + context + heads."""

from collections.abc import Mapping
from typing import cast
from urllib.parse import unquote

from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.batching.batch import Batch
from nerbridge.encoders.base import Encoder
from nerbridge.models.heads.base import Decoded, TagHead
from nerbridge.models.losses import LossTerms


class Tagger(nn.Module):
    """An encoder, a context (states out of vectors) and one tag head per domain.

    `forward` is the training loss, so that wrappers for several processes or devices work as usual.
    """

    def __init__(self, encoder: Encoder, context: nn.Module, heads: Mapping[str, TagHead]) -> None:
        super().__init__()
        self.encoder = encoder
        self.context = context
        self.heads = nn.ModuleDict({_key(domain): head for domain, head in heads.items()})

    def head(self, domain: str) -> TagHead:
        """The tag head of `domain`; KeyError when there is none."""
        return cast(TagHead, self.heads[_key(domain)])

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains that have a tag head."""
        return tuple(unquote(key.removeprefix("tags/")) for key in self.heads)

    def states(self, batch: Batch) -> Float[Tensor, "batch unit width"]:
        """What the heads read."""
        states: Float[Tensor, "batch unit width"] = self.context(self.encoder(batch.inputs), batch.mask)
        return states

    def loss_terms(self, batch: Batch) -> LossTerms:
        """The terms of every head whose targets the batch has."""
        return self.head(batch.domain).loss(self.states(batch), batch)

    def forward(self, batch: Batch) -> Float[Tensor, ""]:
        """The weighted sum of the loss terms."""
        return self.loss_terms(batch).total()

    def decode(self, batch: Batch) -> Decoded:
        """The best tags of every sentence in the batch, by the head of the batch's domain."""
        return self.head(batch.domain).decode(self.states(batch), batch)


def _key(domain: str) -> str:
    """Module names hold no dot, domains may."""
    return "tags/" + domain.replace("%", "%25").replace(".", "%2E")
