"""Scores of tags given the words and a history (eq. 4-10 and the output), for all words of a batch at once."""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from nerbridge.config.tagger import LabelAwareSettings
from nerbridge.models.heads.label_aware.attention import LabelBackground, LabelContext
from nerbridge.models.heads.label_aware.label_encoder import LabelEncoder
from nerbridge.models.heads.label_aware.prefix_runs import prefix_states
from nerbridge.models.heads.label_aware.prefixes import Prefixes, chunks_of_prefixes

LabelsAnswer = Callable[[Tensor], Tensor]  # queries h' (batch, query, 2 * hidden) -> label context of the same shape


class LabelAwareScorer(nn.Module):
    """Everything between states and scores. width: of the states. Background and context exist where asked for."""

    def __init__(self, settings: LabelAwareSettings, num_tags: int, width: int) -> None:
        super().__init__()
        label_width = 2 * settings.label_width
        known = width + width * settings.background
        self.labels = LabelEncoder(num_tags, settings.label_width, prefixes=settings.context)
        self.background = LabelBackground(label_width, width) if settings.background else None
        self.context = LabelContext(known, label_width) if settings.context else None
        self.output = nn.Linear(known + label_width * settings.context, num_tags)  # Wo, bo

    def forward(
        self,
        words: Float[Tensor, "batch unit width"],
        history: Int[Tensor, "batch unit"],
        mask: Bool[Tensor, "batch unit"],
        lengths: Sequence[int],
    ) -> Float[Tensor, "batch unit tag"]:
        """Scores of every word given the history before it, finite on padding. lengths: words of each sentence."""
        ahead = self.labels.read_ahead(history)
        last = torch.cat([ahead, F.embedding(history, self.labels.last_states())], dim=2)

        def answer(queries: Tensor) -> Tensor:
            return self._label_context(queries, ahead, history, lengths)

        return self.scores(words, last, words, mask, answer)

    def scores(
        self,
        here: Float[Tensor, "batch query width"],
        last: Float[Tensor, "batch query label"],
        words: Float[Tensor, "batch unit width"],
        mask: Bool[Tensor, "batch unit"],
        answer: LabelsAnswer,
    ) -> Float[Tensor, "batch query tag"]:
        """The output for words `here` whose histories end in the states `last`; answer: eq. 8 for their queries."""
        known = [here]
        if self.background is not None:
            known.append(self.background(last, words, mask))  # eq. 4-6
        label_context = [answer(self.context(*known))] if self.context is not None else []  # eq. 7-8
        scores: Float[Tensor, "batch query tag"] = self.output(torch.cat([*known, *label_context], dim=2))  # eq. 9-10
        return scores

    def _label_context(
        self,
        queries: Float[Tensor, "batch unit label"],
        ahead: Float[Tensor, "batch unit hidden"],
        history: Int[Tensor, "batch unit"],
        lengths: Sequence[int],
    ) -> Float[Tensor, "batch unit label"]:
        """Eq. 8 for every word; where it takes several chunks, gradients recompute each.

        e_k = [ahead_k ; back_k], so products with it are sums of two; the first needs no state for each prefix.
        """
        forth, back = queries.chunk(2, dim=2)
        scores = torch.bmm(forth, ahead.transpose(1, 2))
        weights, found = torch.zeros_like(scores), torch.zeros_like(back)
        chunks = [prefixes.to(history.device) for prefixes in chunks_of_prefixes(lengths, ahead.shape[2])]
        for prefixes in chunks:
            place = prefixes.sentence, prefixes.last
            arguments = (back[place], scores[place], history, prefixes)
            if len(chunks) > 1 and torch.is_grad_enabled():
                answers = checkpoint(self._answers, *arguments, use_reentrant=False, preserve_rng_state=False)
            else:
                answers = self._answers(*arguments)
            weights, found = weights.index_put(place, answers[0]), found.index_put(place, answers[1])
        return torch.cat([torch.bmm(weights, ahead), found], dim=2)

    def _answers(
        self,
        queries: Float[Tensor, "row hidden"],
        scores: Float[Tensor, "row unit"],
        history: Int[Tensor, "batch unit"],
        prefixes: Prefixes,
    ) -> tuple[Float[Tensor, "row unit"], Float[Tensor, "row hidden"]]:
        """Attention weights over each prefix, and their sum of its backward states. scores: of the other direction."""
        assert self.labels.back is not None
        back = prefix_states(self.labels.back, self.labels.table(), history, prefixes)
        num_steps = back.shape[1]
        behind = torch.arange(num_steps, device=history.device) > prefixes.last.unsqueeze(1)
        scores = scores[:, :num_steps] + torch.bmm(back, queries.unsqueeze(2))[:, :, 0]
        weights = torch.softmax(scores.masked_fill(behind, -torch.inf), dim=1)
        found = torch.bmm(weights.unsqueeze(1), back)[:, 0]
        return F.pad(weights, (0, history.shape[1] - num_steps)), found
