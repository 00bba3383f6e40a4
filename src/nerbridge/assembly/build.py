"""Settings -> working model."""

from collections.abc import Mapping, Sequence

import torch

from nerbridge.assembly.label_names import start_from_names
from nerbridge.assembly.parts import build_context, build_encoder, build_head
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.word_vocabulary import WordVocabulary
from nerbridge.config.adversary import DannSettings, GradSettings
from nerbridge.config.context import ContextSettings
from nerbridge.config.encoder import EncoderSettings
from nerbridge.config.tagger import TaggerSettings
from nerbridge.config.words import WordsSettings
from nerbridge.data.tags import TagVocabulary
from nerbridge.encoders.base import Encoder
from nerbridge.models.context.placed import LearningContext
from nerbridge.models.heads.domain import DomainHead
from nerbridge.models.heads.types import TypesHead
from nerbridge.models.heads.words import WordsHead

Predicted = tuple[WordsSettings, WordVocabulary]  # what a language-model head is built from
Opposed = tuple[DannSettings | GradSettings, tuple[int, int]]  # a discriminator, and its streams of target and source
Typed = tuple[Mapping[str, Sequence[str]], float]  # labels of domains whose entity types are learnt, and their weight


def build_tagger(
    encoder: EncoderSettings,
    context: ContextSettings,
    tagger: TaggerSettings,
    spaces: Mapping[str, TagVocabulary],
    seed: int,
    *,
    words: Mapping[str, int] | None = None,
    predicted: Predicted | None = None,
    opposed: Opposed | None = None,
    typed: Typed | None = None,
) -> Tagger:
    """A model with a pre-trained encoder, and a new context and one new head per domain, drawn with `seed`.

    spaces: domain -> its tags. words: those that it will train on, with their number of occurrences. predicted: what
    a language-model head predicts; opposed: the discriminator of domains; typed: what learns entity types, unless the
    context has cells for them; None: there is none.
    Raises ConfigError when the encoder's checkpoint or vectors cannot be used.
    """
    ready = build_encoder(encoder, words=words, seed=seed)
    return compose(ready, context, tagger, spaces, seed, predicted=predicted, opposed=opposed, typed=typed)


def compose(
    encoder: Encoder,
    context: ContextSettings,
    tagger: TaggerSettings,
    spaces: Mapping[str, TagVocabulary],
    seed: int,
    *,
    predicted: Predicted | None = None,
    opposed: Opposed | None = None,
    typed: Typed | None = None,
) -> Tagger:
    """A model around a ready encoder; see `build_tagger`."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        labels = {domain: vocabulary.labels.names for domain, vocabulary in spaces.items()}
        states = build_context(context, encoder.width, labels)
        width = int(states.width)  # type: ignore[arg-type]
        heads = {domain: build_head(tagger, vocabulary, width) for domain, vocabulary in spaces.items()}
        directional = bool(getattr(states, "directional", False))
        words = WordsHead(*predicted, width, directional=directional) if predicted else None
        discriminator = _discriminator(opposed, encoder.width, width) if opposed else None
        learnt = typed if not isinstance(states, LearningContext) else None
        types = TypesHead(learnt[0], width, weight=learnt[1], dropout=tagger.dropout) if learnt else None
    for head in heads.values():
        start_from_names(head, encoder)
    return Tagger(encoder, states, heads, words, discriminator=discriminator, types=types)


def _discriminator(opposed: Opposed, of_vectors: int, of_states: int) -> DomainHead:
    settings, streams = opposed
    return DomainHead(settings, of_vectors if settings.reads == "vectors" else of_states, streams)


def rehead(
    model: Tagger,
    domain: str,
    vocabulary: TagVocabulary,
    tagger_settings: TaggerSettings,
    sources_from: str | None,
    tag_sources: Mapping[str, str],
    seed: int,
) -> Tagger:
    """The model with all its heads replaced by one new head of `domain`, drawn with `seed`; encoder and context stay.

    A context with cells for labels gets those of the new ones, and keeps those that it shares with the old ones.
    sources_from: the domain of the head whose rows are carried over; None carries nothing.
    tag_sources: tag of the new head -> tag of that old head.
    Raises ConfigError when the heads are of different kinds.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        head = build_head(tagger_settings, vocabulary, int(model.context.width))  # type: ignore[arg-type]
        if isinstance(model.context, LearningContext):
            pairs = ((here.partition("-")[2], there.partition("-")[2]) for here, there in tag_sources.items())
            model.context.for_labels(domain, vocabulary.labels.names, {here: there for here, there in pairs if here})
    start_from_names(head, model.encoder)
    if sources_from is not None:
        head.carry(model.head(sources_from), tag_sources)
    head.to(next(model.parameters()).device)
    return Tagger(model.encoder, model.context, {domain: head})
