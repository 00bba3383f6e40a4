"""The tag head: losses out of gold histories, tags out of its own."""

from collections.abc import Mapping

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from nerbridge.batching.batch import UNKNOWN, Batch
from nerbridge.config.tagger import LabelAwareSettings
from nerbridge.data.tags import TagVocabulary
from nerbridge.models.heads.base import Decoded, TagHead
from nerbridge.models.heads.label_aware.history import history_before, legal_penalties, with_noise, with_own
from nerbridge.models.heads.label_aware.scorer import LabelAwareScorer
from nerbridge.models.heads.label_aware.search import Search
from nerbridge.models.heads.rows import carried_ids, check_same_kind
from nerbridge.models.layers.decoding import decode_words
from nerbridge.models.layers.legal import LegalSequences
from nerbridge.models.losses import LossTerms


class LabelAwareHead(TagHead):
    """Labels each word given the tags before it. width: of the states.

    scorer: everything that reads the history; none when background and context are both off, as it is the linear tagger
    then. Arithmetic is float32, also under autocast: the attentions are not scaled, and the recurrence is long.
    Units of a batch must be real first, padding behind.
    """

    def __init__(self, settings: LabelAwareSettings, vocabulary: TagVocabulary, width: int) -> None:
        super().__init__(settings, vocabulary)
        self.options = settings
        size = len(vocabulary)
        reads_history = settings.background or settings.context
        self.scorer = LabelAwareScorer(settings, size, width) if reads_history else None
        self.plain = None if reads_history else nn.Linear(width, size)
        self.legal = LegalSequences(vocabulary, constrained=settings.constrained)

    @property
    def quadratic(self) -> bool:
        return self.options.context  # which reads all tags so far again for every word

    def loss(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> LossTerms:
        targets = batch.targets["tags"]
        with torch.autocast(states.device.type, enabled=False):
            words = self.dropout(states).float()
            history = self._history_tags(words, batch)
            scores = self._scores(words, batch, history)
            if self.options.constrained_training and self.scorer is not None:
                scores = scores + legal_penalties(self.legal.moves(), history, targets)
            total = F.cross_entropy(scores.flatten(0, 1), targets.flatten(), ignore_index=UNKNOWN, reduction="sum")
        return LossTerms({"tags": total / (targets != UNKNOWN).sum().clamp(min=1)})

    def decode(self, states: Float[Tensor, "batch unit width"], batch: Batch) -> Decoded:
        with torch.autocast(states.device.type, enabled=False):
            words = self.dropout(states).float()
            if self.scorer is None:
                assert self.plain is not None
                return Decoded(*decode_words(self.plain(words), self.allowed, self.legal, batch.mask))
            lengths = [len(sentence) for sentence in batch.sentences]
            order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
            rows = torch.tensor(order).to(words.device, non_blocking=True)
            legal_only = self.options.constrained_training
            search = Search(self.scorer, words[rows], batch.mask[rows], beam=self.options.beam, legal_only=legal_only)
            found = search.run([lengths[row] for row in order], self.allowed, self.legal.moves())
            back = torch.argsort(rows)
            return Decoded(*(result[back] for result in found))

    @torch.no_grad()
    def carry(self, other: TagHead, sources: Mapping[str, str]) -> int:
        check_same_kind(self, other)
        assert isinstance(other, LabelAwareHead)
        here, there = carried_ids(self.vocabulary, other.vocabulary, sources)
        theirs = dict(other.named_parameters())
        by_tag = ("tags.weight", "output.weight", "output.bias", "plain.weight", "plain.bias")
        for name, mine in self.named_parameters():
            its = theirs[name].to(mine.device)
            if name.endswith(by_tag):
                mine[here] = its[there]
            else:
                mine.copy_(its)
        return len(here)

    def rate_multiples(self) -> dict[str, float]:
        output = "plain" if self.scorer is None else "scorer.output"
        return dict.fromkeys((f"{output}.weight", f"{output}.bias"), self.options.output_rate)

    @torch.no_grad()
    def start_from_names(self, vectors: Float[Tensor, "label hidden"]) -> None:
        """Let the embedding of each label's tags start from its row in `vectors`, which has unit variance.

        A row of its own for each prefix is added, so that B-person and I-person differ; it is the same in every label
        set, as everything is that two stages must agree on. The row of O stays as it is.
        """
        if self.scorer is None:
            return
        table = self.scorer.labels.tags.weight
        for number, tag in enumerate(self.vocabulary.tags):
            prefix, _, label = tag.partition("-")
            if label:
                random = torch.Generator().manual_seed(ord(prefix))
                offset = torch.randn(table.shape[1], generator=random).to(table.device)
                mine = vectors[self.vocabulary.labels.names.index(label)]
                table[number] = (mine.to(table.device) + offset) / 2**0.5

    def _scores(
        self, words: Float[Tensor, "batch unit width"], batch: Batch, tags: Int[Tensor, "batch unit"]
    ) -> Float[Tensor, "batch unit tag"]:
        """Scores of every word given the `tags` of those before it."""
        if self.scorer is None:
            assert self.plain is not None
            scores: Float[Tensor, "batch unit tag"] = self.plain(words)
            return scores
        history = history_before(tags, len(self.vocabulary))
        lengths = [len(sentence) for sentence in batch.sentences]
        scores = self.scorer(words, history, batch.mask, lengths)
        return scores  # noqa: RET504  (a module call has no type of its own)

    def _history_tags(self, words: Float[Tensor, "batch unit width"], batch: Batch) -> Int[Tensor, "batch unit"]:
        """The gold tags; in training perhaps with own predictions or noise among them."""
        tags, options = batch.targets["tags"], self.options
        if not self.training or self.scorer is None:
            return tags
        if options.scheduled_sampling:
            with torch.no_grad():  # over all tags, as the loss: a source may have labels that are not decoded
                predicted = self._scores(words, batch, tags).argmax(dim=2)
            tags = with_own(tags, predicted, options.scheduled_sampling)
        if options.label_noise:
            tags = with_noise(tags, len(self.vocabulary), options.label_noise)
        return tags
