"""The multi-cell LSTM as a loop over cells and steps, batched over sentences: the baseline.

As public code has it: at every step each cell has a product for h and one for w, by itself, for i_k and c~_k together;
what follows, gates, states and attention, is computed for all cells of the step at once, P c~ again for each of them.
"""

import torch
from torch import Tensor, nn

from nerbridge.models.context.bilstm import reversed_order, taken
from nerbridge.models.context.multi_cell import MultiCellNetwork


class LoopedMultiCell(nn.Module):
    """The states of `network`'s equations 2 to 8, computed with its very parameters, cell by cell and step by step."""

    def __init__(self, network: MultiCellNetwork) -> None:
        super().__init__()
        cells, number = network.cells, len(network.cells.labels)
        self.width = network.width // 2
        biases, own_biases = cells.biases.view(2, number, -1), cells.own_biases.view(2, -1)
        self.each = nn.ModuleList(
            _gates(cells.recurrent[d, k], cells.inward[d, k], biases[d, k]) for d in range(2) for k in range(number)
        )
        self.own = nn.ModuleList(_gates(cells.own_recurrent[d], cells.own_inward[d], own_biases[d]) for d in range(2))
        self.attention = nn.ParameterList(
            parameter[d].detach().clone()
            for d in range(2)
            for parameter in (cells.attend_temporary, cells.attend_cells, cells.attend_score)
        )

    def forward(self, vectors: Tensor, mask: Tensor) -> Tensor:
        order = reversed_order(mask)
        ahead = self._direction(vectors, 0)
        back = taken(self._direction(taken(vectors, order), 1), order)
        return torch.cat([ahead, back], dim=2).masked_fill(~mask.unsqueeze(2), 0.0)

    def _direction(self, vectors: Tensor, direction: int) -> Tensor:
        number = len(self.each) // 2
        each = self.each[direction * number : (direction + 1) * number]
        temporary_weight, cell_weight, score_weight = self.attention[3 * direction : 3 * direction + 3]
        hidden = carried = vectors.new_zeros(len(vectors), self.width)
        states = []
        for word in vectors.unbind(1):
            i, o, temporary = _sums(self.own[direction], hidden, word).chunk(3, dim=1)
            i, o, temporary = torch.sigmoid(i), torch.sigmoid(o), torch.tanh(temporary)  # eq. 4
            shares, contents = torch.stack([_sums(gates, hidden, word) for gates in each], dim=1).chunk(2, dim=2)
            shares, contents = torch.sigmoid(shares), torch.tanh(contents)  # eq. 2
            cells = shares * contents + (1 - shares) * carried.unsqueeze(1)  # eq. 3
            repeated = temporary.unsqueeze(1).expand_as(cells)
            inner = torch.tanh(repeated @ temporary_weight.T + cells @ cell_weight.T)
            weights = torch.softmax(inner @ score_weight, dim=1)  # eq. 6
            merged = (weights.unsqueeze(2) * cells).sum(1)  # eq. 5
            carried = i * merged + (1 - i) * carried  # eq. 7
            hidden = o * torch.tanh(carried)  # eq. 8
            states.append(hidden)
        return torch.stack(states, dim=1)


def _sums(gates: nn.Module, hidden: Tensor, word: Tensor) -> Tensor:
    recurrent, inward = gates.children()
    sums: Tensor = recurrent(hidden) + inward(word)
    return sums


def _gates(recurrent: Tensor, inward: Tensor, biases: Tensor) -> nn.ModuleList:
    """Two layers with these weights, one over h and one over w; their sum is what the gates of a cell are made of."""
    return nn.ModuleList([_linear(recurrent, None), _linear(inward, biases)])


def _linear(weight: Tensor, biases: Tensor | None) -> nn.Linear:
    rows = weight.detach().flatten(0, 1)
    layer = nn.Linear(rows.shape[1], len(rows), bias=biases is not None)
    with torch.no_grad():
        layer.weight.copy_(rows)
        if biases is not None:
            layer.bias.copy_(biases)
    return layer
