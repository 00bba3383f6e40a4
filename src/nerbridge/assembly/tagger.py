"""A model is encoder + context + heads."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import cast
from urllib.parse import unquote

from jaxtyping import Float, Int
from torch import Tensor, nn

from nerbridge.batching.batch import Batch, Objective
from nerbridge.batching.entity_types import types_of_tags
from nerbridge.encoders.base import Encoder
from nerbridge.models.context.placed import LearningContext, PlacedContext
from nerbridge.models.heads.base import Decoded, TagHead
from nerbridge.models.heads.domain import DomainHead
from nerbridge.models.heads.types import TypesHead
from nerbridge.models.heads.words import WordsHead
from nerbridge.models.losses import LossTerms

WORDS = "words"  # name of the language-model head among the heads
DOMAIN = "domain"  # name of the discriminator of domains among them
TYPES = "types"  # name of the head that learns entity types from a dictionary
_TAGS = "tags/"  # how the names of tag heads start


class Tagger(nn.Module):
    """An encoder, a context (states out of vectors) and one tag head per domain.

    words: a language-model head for all domains, while such an objective is learnt; discriminator: what tells domains
    apart, while the rest learns to be alike; types: what learns entity types from a dictionary. Bundles are without
    all three.
    `forward` is the training loss, so that wrappers for several processes or devices work as usual.
    """

    def __init__(
        self,
        encoder: Encoder,
        context: nn.Module,
        heads: Mapping[str, TagHead],
        words: WordsHead | None = None,
        *,
        discriminator: DomainHead | None = None,
        types: TypesHead | None = None,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.context = context
        self.heads = nn.ModuleDict({_key(domain): head for domain, head in heads.items()})
        if words is not None:
            self.heads[WORDS] = words
        if discriminator is not None:
            self.heads[DOMAIN] = discriminator
        if types is not None:
            self.heads[TYPES] = types

    def head(self, domain: str) -> TagHead:
        """The tag head of `domain`; KeyError when there is none."""
        return cast(TagHead, self.heads[_key(domain)])

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains that have a tag head."""
        return tuple(unquote(key.removeprefix(_TAGS)) for key in self.heads if key.startswith(_TAGS))

    @property
    def words(self) -> WordsHead | None:
        """The language-model head; None when there is none."""
        return cast(WordsHead, self.heads[WORDS]) if WORDS in self.heads else None

    @property
    def discriminator(self) -> DomainHead | None:
        """What tells domains apart; None when there is none."""
        return cast(DomainHead, self.heads[DOMAIN]) if DOMAIN in self.heads else None

    def at_share(self, done: float) -> None:
        """Say how much (0 to 1) of the training is behind, for what depends on it."""
        if self.discriminator is not None:
            self.discriminator.done = done

    @contextmanager
    def together(self, places: Iterable[tuple[str, Objective]]) -> Iterator[None]:
        """Inside, batches of these domains and objectives learn for one update; what they share is computed once."""
        if isinstance(self.context, PlacedContext):
            with self.context.together(places):
                yield
        else:
            yield

    def states(self, batch: Batch) -> Float[Tensor, "batch unit width"]:
        """What the heads read."""
        return self._states(self.encoder(batch.inputs), batch)

    def _states(self, vectors: Float[Tensor, "batch unit width"], batch: Batch) -> Float[Tensor, "batch unit hidden"]:
        if isinstance(self.context, PlacedContext):
            return self.context.at(vectors, batch.mask, (batch.domain, batch.objective))
        states: Float[Tensor, "batch unit hidden"] = self.context(vectors, batch.mask)
        return states

    def judged(self, batch: Batch) -> Float[Tensor, "batch unit width"]:
        """What the discriminator reads."""
        assert self.discriminator is not None, "nothing tells domains apart"
        vectors = self.encoder(batch.inputs)
        return vectors if self.discriminator.settings.reads == "vectors" else self._states(vectors, batch)

    def loss_terms(self, batch: Batch) -> LossTerms:
        """The terms of every head whose targets the batch has, and those of the context."""
        vectors = self.encoder(batch.inputs)
        states, own = self._learnt(vectors, batch)
        terms = LossTerms({})
        if "words" in batch.targets:
            assert self.words is not None, "no head predicts words"
            terms = self.words.loss(states, batch)
        elif "tags" in batch.targets:
            terms = self.head(batch.domain).loss(states, batch)
        terms = terms.times(batch.weight).plus(own)
        if "domain" in batch.targets:  # both sides count the same, whatever their streams weigh
            assert self.discriminator is not None, "nothing tells domains apart"
            read = vectors if self.discriminator.settings.reads == "vectors" else states
            terms = terms.plus(self.discriminator.loss(read, batch))
        return terms

    def _learnt(
        self, vectors: Float[Tensor, "batch unit width"], batch: Batch
    ) -> tuple[Float[Tensor, "batch unit hidden"], LossTerms]:
        """The states, and what is learnt of entity types on the way to them or from them."""
        if isinstance(self.context, LearningContext):
            return self.context.learn(vectors, batch.mask, (batch.domain, batch.objective), self._types(batch))
        states = self._states(vectors, batch)
        types = self._types(batch) if TYPES in self.heads else None
        if types is None:
            return states, LossTerms({})
        return states, cast(TypesHead, self.heads[TYPES]).loss(states, types, batch.domain)

    def _types(self, batch: Batch) -> Int[Tensor, "batch unit"] | None:
        """The entity types that are known in the batch; None of a batch that says nothing of them."""
        if "types" in batch.targets or "tags" not in batch.targets:
            return batch.targets.get("types")
        return types_of_tags(batch.targets["tags"], self.head(batch.domain).vocabulary.scheme)

    def forward(self, batch: Batch) -> Float[Tensor, ""]:
        """The weighted sum of the loss terms."""
        return self.loss_terms(batch).total()

    def decode(self, batch: Batch) -> Decoded:
        """The best tags of every sentence in the batch, by the head of the batch's domain."""
        return self.head(batch.domain).decode(self.states(batch), batch)


def _key(domain: str) -> str:
    """Module names hold no dot, domains may."""
    return _TAGS + domain.replace("%", "%25").replace(".", "%2E")
