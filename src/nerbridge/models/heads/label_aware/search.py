"""Decoding: word by word over many sentences, each with one hypothesis (greedy) or several (beam).

Sentences are sorted by length, so those that are finished leave by slicing; their number after each word is known on
the host beforehand, and nothing waits for the device. Hypotheses of a sentence are sorted, best first, by

    sum_i log p(y_i | y_1 .. y_{i-1}, x)     over allowed tags; a move that is not legal costs a penalty that ends it

so with as many hypotheses as there are tag sequences the search is exhaustive.
"""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nerbridge.models.heads.label_aware.attention import attend
from nerbridge.models.heads.label_aware.scorer import LabelAwareScorer
from nerbridge.models.layers.chain import PENALTY, LegalMoves

NOTHING = 1e4 * PENALTY  # score of a hypothesis that does not exist yet: below any that does


class Search:
    """One batch while it is decoded.

    words, mask: sentences, longest first. beam: hypotheses of each. legal_only: p is a share of the legal moves, as a
    head trained so has learnt it; else of all allowed tags.
    """

    def __init__(
        self,
        scorer: LabelAwareScorer,
        words: Float[Tensor, "batch unit width"],
        mask: Bool[Tensor, "batch unit"],
        *,
        beam: int,
        legal_only: bool = False,
    ) -> None:
        self._scorer, self._words, self._mask, self._beam = scorer, words, mask, beam
        self._legal_only = legal_only
        self._num_tags = scorer.output.out_features
        shape = (words.shape[1], len(words), beam)
        # Latest first, as the backward direction reads: position k lies at row -1 - k.
        self._history = torch.full(shape, self._num_tags, device=words.device)
        self._ahead = words.new_zeros(*shape, scorer.labels.special.shape[1])
        self._memory = words.new_zeros(2, 1, len(words) * beam, scorer.labels.special.shape[1])
        self._total = words.new_full((len(words), beam), NOTHING)
        self._total[:, 0] = 0.0
        self._tags = torch.zeros(len(words), beam, words.shape[1], dtype=torch.long, device=words.device)
        self._sure = words.new_zeros(self._tags.shape)

    def run(
        self, lengths: Sequence[int], allowed: Bool[Tensor, " tag"], moves: LegalMoves
    ) -> tuple[Int[Tensor, "batch unit"], Float[Tensor, "batch unit"]]:
        """Tags and confidences of the best hypothesis of every sentence; 0 on padding.

        lengths: words of each sentence, longest first. allowed: which tags may be used. moves: penalties between tags.
        """
        table, last_states = self._scorer.labels.table(), self._scorer.labels.last_states()
        before = torch.cat([moves.pairs, moves.starts.unsqueeze(0)])  # BOS is the row behind the tags
        running = [sum(length > unit for length in lengths) for unit in range(lengths[0] + 1)]
        for unit in range(lengths[0]):
            alive = running[unit]
            scores = self._scores(unit, alive, table, last_states).masked_fill(~allowed, PENALTY)
            moves_here = before[self._history[-1 - unit, :alive]]
            logs = F.log_softmax(scores + moves_here if self._legal_only else scores, dim=2)
            permitted = logs + moves_here
            permitted[running[unit + 1] :] += moves.ends
            self._take(unit, alive, permitted, logs)
        return self._tags[:, 0], self._sure[:, 0]

    def _scores(
        self,
        unit: int,
        alive: int,
        table: Float[Tensor, "label hidden"],
        last_states: Float[Tensor, "label hidden"],
    ) -> Float[Tensor, "batch beam tag"]:
        """Scores of word `unit` of the sentences still running, for each hypothesis."""
        labels, rows = self._scorer.labels, alive * self._beam
        history = self._history[-1 - unit :, :alive].flatten(1)  # (step, batch * beam)
        memory = tuple(self._memory[:, :, :rows].contiguous())
        newest, memory = labels.ahead(F.embedding(history[:1], table), memory)
        self._memory = torch.stack(memory)
        self._ahead[-1 - unit, :alive] = newest.view(alive, self._beam, -1)

        def answer(queries: Tensor) -> Tensor:
            assert labels.back is not None
            back = labels.back(F.embedding(history, table))[0]
            states = torch.cat([self._ahead[-1 - unit :, :alive].flatten(1, 2), back], dim=2)  # eq. 3
            return attend(queries.view(rows, 1, -1), states.transpose(0, 1)).view_as(queries)  # eq. 8

        last = torch.cat([newest[0], last_states[history[0]]], dim=1).view(alive, self._beam, -1)
        here = self._words[:alive, unit, None].expand(-1, self._beam, -1)
        return self._scorer.scores(here, last, self._words[:alive], self._mask[:alive], answer)

    def _take(
        self,
        unit: int,
        alive: int,
        permitted: Float[Tensor, "batch beam tag"],
        logs: Float[Tensor, "batch beam tag"],
    ) -> None:
        """Go on with the best hypotheses."""
        if self._beam == 1:
            tags = permitted.argmax(dim=2)
            chosen = logs.gather(2, tags.unsqueeze(2))[:, :, 0]
        else:
            totals = (self._total[:alive, :, None] + permitted).flatten(1)
            self._total[:alive], index = totals.topk(self._beam, dim=1)
            self._follow(unit, alive, index // self._num_tags)
            tags, chosen = index % self._num_tags, logs.flatten(1).gather(1, index)
        self._tags[:alive, :, unit] = tags
        self._sure[:alive, :, unit] = chosen.exp()
        if unit + 1 < len(self._history):
            self._history[-2 - unit, :alive] = tags

    def _follow(self, unit: int, alive: int, parents: Int[Tensor, "batch beam"]) -> None:
        """Let each place of the beam hold what its parent held."""
        seen, hidden = slice(-1 - unit, None), self._ahead.shape[3]
        index = parents.unsqueeze(0)
        self._history[seen, :alive] = self._history[seen, :alive].take_along_dim(index, 2)
        self._ahead[seen, :alive] = self._ahead[seen, :alive].take_along_dim(index.unsqueeze(3), 2)
        memory = self._memory.view(2, alive, self._beam, hidden)
        self._memory = memory.take_along_dim(index.unsqueeze(3), 2).view(2, 1, alive * self._beam, hidden)
        place = parents.unsqueeze(2)
        self._tags[:alive] = self._tags[:alive].take_along_dim(place, 1)
        self._sure[:alive] = self._sure[:alive].take_along_dim(place, 1)
