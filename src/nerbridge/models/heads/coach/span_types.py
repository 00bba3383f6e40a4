"""What a span is: a BiLSTM over its states, summed, against the embeddings of label names (eq. 2, 3)."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.config.context import BiLstmSettings
from nerbridge.models.context.bilstm import BiLstm
from nerbridge.models.heads.coach.spans import Spans


class SpanTyper(nn.Module):
    """Scores of labels for spans. width: of states. label_width: of label embeddings and of what is read from a span.

    learn_labels: do the embeddings learn?
    """

    labels: Float[Tensor, "label hidden"]

    def __init__(self, width: int, num_labels: int, label_width: int, *, learn_labels: bool) -> None:
        super().__init__()
        self.reader = BiLstm(BiLstmSettings(hidden=label_width), width)
        rows = torch.randn(num_labels, label_width)
        if learn_labels:
            self.labels = nn.Parameter(rows)
        else:
            self.register_buffer("labels", rows)

    def forward(self, states: Float[Tensor, "batch unit width"], spans: Spans) -> Float[Tensor, "span label"]:
        words, mask = spans.gather(states)
        read = self.reader(words, mask).sum(dim=1)  # eq. 2: padding is 0
        scores: Float[Tensor, "span label"] = read @ self.labels.T  # eq. 3
        return scores
