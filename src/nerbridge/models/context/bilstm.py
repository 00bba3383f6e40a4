"""The bidirectional LSTM over the words of a sentence (Hochreiter and Schmidhuber 1997; Lample et al. 2016).

    i, f, g, o = W x_t + U h_{t-1} + b                            in this order                        (1)
    c_t = sigmoid(f) c_{t-1} + sigmoid(i) tanh(g)                                                      (2)
    h_t = sigmoid(o) tanh(c_t)                                                                         (3)
    states = [h forward ; h backward]                                                                  (4)

Further layers read (4) of the layer below; with `apart` each direction reads its own half of it alone, so that no state
has read the word that a language model is to predict from it.
`hidden` is the width of (4), as the papers count it, so each direction has half of it. The backward direction reads
every sentence from its own last word, so padding never enters a state and a sentence has the same states in any batch.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from nerbridge.config.context import BiLstmSettings
from nerbridge.models.layers.length_groups import read_in_groups


class BiLstm(nn.Module):
    """Vectors of `width` in, states of `settings.hidden` out. Units of a batch must be real first, padding behind."""

    directional = True  # the first half of a state has read forward, the other back

    def __init__(self, settings: BiLstmSettings, width: int) -> None:
        super().__init__()
        self.width = settings.hidden
        half = settings.hidden // 2
        inputs = [width, *[half if settings.apart else settings.hidden] * (settings.layers - 1)]
        self.apart = settings.apart
        self.ahead = nn.ModuleList(nn.LSTM(size, half, batch_first=True) for size in inputs)
        self.back = nn.ModuleList(nn.LSTM(size, half, batch_first=True) for size in inputs)
        self.dropout = nn.Dropout(settings.dropout)

    def forward(
        self, vectors: Float[Tensor, "batch unit width"], mask: Bool[Tensor, "batch unit"]
    ) -> Float[Tensor, "batch unit hidden"]:
        return read_in_groups(self._read, vectors, mask)

    def _read(
        self, vectors: Float[Tensor, "batch unit width"], mask: Bool[Tensor, "batch unit"]
    ) -> Float[Tensor, "batch unit hidden"]:
        order = reversed_order(mask)
        states = vectors
        for number, (ahead, back) in enumerate(zip(self.ahead, self.back, strict=True)):
            read = self.dropout(states) if number else states
            ahead_read, back_read = read.chunk(2, dim=2) if number and self.apart else (read, read)
            forward, _ = ahead(ahead_read)  # eq. 1-3
            backward, _ = back(taken(back_read, order))
            states = torch.cat([forward, taken(backward, order)], dim=2)  # eq. 4
        return states.masked_fill(~mask.unsqueeze(2), 0.0)


def reversed_order(mask: Bool[Tensor, "batch unit"]) -> Int[Tensor, "batch unit"]:
    """Positions that read the units of each row backwards and leave padding where it is; its own inverse."""
    places = torch.arange(mask.shape[1], device=mask.device)
    mirrored = mask.sum(dim=1, keepdim=True) - 1 - places
    return torch.where(mirrored >= 0, mirrored, places)


def taken(
    states: Float[Tensor, "batch unit width"], order: Int[Tensor, "batch unit"]
) -> Float[Tensor, "batch unit width"]:
    """The units of each row in `order`."""
    return states.gather(1, order.unsqueeze(2).expand_as(states))
