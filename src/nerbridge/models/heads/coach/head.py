"""The two steps as one tag head (eq. 4)."""

from collections.abc import Mapping
from dataclasses import replace

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nerbridge.batching.batch import UNKNOWN, Batch
from nerbridge.config.tagger import CoachSettings, CrfSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.tags import PREFIXES, TagVocabulary
from nerbridge.models.heads.base import Decoded, TagHead
from nerbridge.models.heads.coach.span_types import SpanTyper
from nerbridge.models.heads.coach.spans import Spans, find_spans
from nerbridge.models.heads.crf import CrfHead
from nerbridge.models.heads.rows import carried_ids, check_same_kind
from nerbridge.models.losses import LossTerms

ENTITY = LabelSet.of(("entity",))  # the one label of the first step


class CoachHead(TagHead):
    """Finds spans, then says what they are. width: of the states."""

    def __init__(self, settings: CoachSettings, vocabulary: TagVocabulary, width: int) -> None:
        super().__init__(settings, vocabulary)
        self.options = settings
        shared = settings.model_dump(include={"scheme", "dropout", "constrained", "transition_rate"})
        self.boundaries = CrfHead(CrfSettings(**shared), TagVocabulary(ENTITY, settings.scheme), width)
        learnt = settings.learn_labels or settings.initialise == "random"
        self.types = SpanTyper(width, len(vocabulary.labels), settings.label_width, learn_labels=learnt)
        self._num_prefixes = len(PREFIXES[settings.scheme])

    def loss(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> LossTerms:
        targets = batch.targets["tags"]
        known = targets != UNKNOWN
        edges = torch.where(known, self._boundary(targets), UNKNOWN)
        found = self.boundaries.loss(states, replace(batch, targets={"tags": edges}))
        spans = find_spans(edges, batch.mask, self.options.scheme)
        total = states.new_zeros(())
        if len(spans):
            scores = self.types(self.dropout(states), spans).float()
            total = F.cross_entropy(scores, self._labels_of(targets, spans), reduction="sum")
        return found.plus(LossTerms({"types": total / known.sum().clamp(min=1)}))  # eq. 4

    def decode(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> Decoded:
        found = self.boundaries.decode(states, batch)
        spans = find_spans(found.tags, batch.mask, self.options.scheme)
        if not len(spans):
            return found
        share, label = self._types(states, spans).softmax(dim=1).max(dim=1)
        owner = spans.owner.clamp(min=0)
        tags = 1 + label[owner] * self._num_prefixes + found.tags - 1
        return Decoded(
            torch.where(spans.inside, tags, 0), found.confidence * torch.where(spans.inside, share[owner], 1.0)
        )

    def gold_spans_typed(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> Bool[Tensor, " span"]:
        """For each gold span of `batch`: does it get its own label?"""
        targets = batch.targets["tags"]
        spans = find_spans(self._boundary(targets), batch.mask, self.options.scheme)
        if not len(spans):
            return torch.zeros(0, dtype=torch.bool, device=states.device)
        return self._types(states, spans).argmax(dim=1) == self._labels_of(targets, spans)

    @torch.no_grad()
    def carry(self, other: TagHead, sources: Mapping[str, str]) -> int:
        check_same_kind(self, other)
        assert isinstance(other, CoachHead)
        self.boundaries.load_state_dict(other.boundaries.state_dict())
        self.types.reader.load_state_dict(other.types.reader.state_dict())
        here, there = carried_ids(self.vocabulary, other.vocabulary, sources)
        mine, its = ((ids[ids > 0] - 1) // self._num_prefixes for ids in (here, there))
        self.types.labels[mine] = other.types.labels[its].to(self.types.labels.device)
        return len(here)

    @torch.no_grad()
    def start_from_names(self, vectors: Float[Tensor, "label hidden"]) -> None:
        """Let the embedding of each label be its row in `vectors`."""
        self.types.labels.copy_(vectors)

    def _types(self, states: Float[Tensor, "batch unit width"], spans: Spans) -> Float[Tensor, "span label"]:
        """Scores of labels, only allowed ones."""
        allowed = self.allowed[1 :: self._num_prefixes]
        scores: Float[Tensor, "span label"] = self.types(self.dropout(states), spans).float()
        return scores.masked_fill(~allowed, -torch.inf)

    def _boundary(self, tags: Int[Tensor, "batch unit"]) -> Int[Tensor, "batch unit"]:
        """B-person -> B; what is not known becomes O."""
        return torch.where(tags > 0, 1 + (tags - 1) % self._num_prefixes, 0)

    def _labels_of(self, tags: Int[Tensor, "batch unit"], spans: Spans) -> Int[Tensor, " span"]:
        return (tags.flatten()[spans.starts] - 1) // self._num_prefixes
