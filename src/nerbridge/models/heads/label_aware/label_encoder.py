"""Tags -> vectors, and the two directions that read them (eq. 3)."""

from typing import cast

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from nerbridge.models.heads.label_aware.history import NUM_SPECIAL


class LabelEncoder(nn.Module):
    """The label table U and the Bi-LSTM over histories.

    num_tags: the table has one row for each, and one each for BOS and UNKNOWN. width: of a row and of each direction.
    prefixes: are states of whole prefixes needed (label context)? Else the backward direction takes one step only,
    where an LSTM has no use for its recurrent matrix and its forget gate, so it has none.
    """

    def __init__(self, num_tags: int, width: int, *, prefixes: bool) -> None:
        super().__init__()
        self.tags = nn.Embedding(num_tags, width)
        self.special = nn.Parameter(torch.randn(NUM_SPECIAL, width))
        self.ahead = nn.LSTM(width, width)
        self.back = nn.LSTM(width, width) if prefixes else None
        self.one_step = None if prefixes else nn.Linear(width, 3 * width)

    def table(self) -> Float[Tensor, "label hidden"]:
        """U: a row for each tag, then BOS, then UNKNOWN."""
        return torch.cat([self.tags.weight, self.special])

    def read_ahead(self, history: Int[Tensor, "batch unit"]) -> Float[Tensor, "batch unit hidden"]:
        """The forward direction after each position: the last state of every prefix."""
        states: Float[Tensor, "unit batch hidden"] = self.ahead(F.embedding(history.T, self.table()))[0]
        return states.transpose(0, 1)

    def last_states(self) -> Float[Tensor, "label hidden"]:
        """The backward direction after its first step, for each row of the table that may be a prefix's last."""
        if self.back is None:
            assert self.one_step is not None
            enter, new, leave = self.one_step(self.table()).chunk(3, dim=1)
        else:
            enter, _, new, leave = backward_gates(self.back, self.table()).chunk(4, dim=1)
        return torch.sigmoid(leave) * torch.tanh(torch.sigmoid(enter) * torch.tanh(new))


def backward_gates(lstm: nn.LSTM, table: Float[Tensor, "label hidden"]) -> Float[Tensor, "label gates"]:
    """What each row of the table adds to the gates of `lstm` (input, forget, cell, output): W_ih U + b_ih + b_hh."""
    from_input, _, input_bias, hidden_bias = lstm.all_weights[0]
    return F.linear(table, cast(Tensor, from_input), cast(Tensor, input_bias) + cast(Tensor, hidden_bias))
