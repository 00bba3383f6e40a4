"""The multi-cell LSTM as a loop over cells and steps, batched over sentences, as public code has it: the baseline."""

import torch
from torch import Tensor, nn

from nerbridge.models.context.bilstm import reversed_order, taken
from nerbridge.models.context.multi_cell import MultiCellNetwork


class LoopedMultiCell(nn.Module):
    """The states of `network`'s equations 2 to 8, computed with its very parameters, cell by cell and step by step."""

    def __init__(self, network: MultiCellNetwork) -> None:
        super().__init__()
        cells, half = network.cells, network.width // 2
        number = len(cells.labels)
        self.each = nn.ModuleList(
            nn.ModuleList(_joined(cells.recurrent[d, k], cells.inward[d, k], _biases(cells.biases, d, number)[k]))
            for d in range(2)
            for k in range(number)
        )
        self.own = nn.ModuleList(
            _linear(cells.own_recurrent[d], cells.own_inward[d], _biases(cells.own_biases, d, 1)[0]) for d in range(2)
        )
        self.attention = nn.ParameterList(
            parameter[d].detach().clone()
            for d in range(2)
            for parameter in (cells.attend_temporary, cells.attend_cells, cells.attend_score)
        )
        self.half, self.number = half, number

    def forward(self, vectors: Tensor, mask: Tensor) -> Tensor:
        order = reversed_order(mask)
        ahead = self._direction(vectors, 0)
        back = taken(self._direction(taken(vectors, order), 1), order)
        return torch.cat([ahead, back], dim=2).masked_fill(~mask.unsqueeze(2), 0.0)

    def _direction(self, vectors: Tensor, direction: int) -> Tensor:
        each = self.each[direction * self.number : (direction + 1) * self.number]
        temporary_weight, cell_weight, score_weight = self.attention[3 * direction : 3 * direction + 3]
        hidden = carried = vectors.new_zeros(len(vectors), self.half)
        states = []
        for word in vectors.unbind(1):
            read = torch.cat([hidden, word], dim=1)
            i, o, temporary = self.own[direction](read).chunk(3, dim=1)  # eq. 4
            i, o, temporary = torch.sigmoid(i), torch.sigmoid(o), torch.tanh(temporary)
            cells, scores = [], []
            for gate, content in each:
                share = torch.sigmoid(gate(read))
                cell = share * torch.tanh(content(read)) + (1 - share) * carried  # eq. 2, 3
                inner = torch.tanh(temporary @ temporary_weight.T + cell @ cell_weight.T)
                cells.append(cell)
                scores.append(inner @ score_weight)  # eq. 6
            weights = torch.softmax(torch.stack(scores, dim=1), dim=1)
            merged = (weights.unsqueeze(2) * torch.stack(cells, dim=1)).sum(1)  # eq. 5
            carried = i * merged + (1 - i) * carried  # eq. 7
            hidden = o * torch.tanh(carried)  # eq. 8
            states.append(hidden)
        return torch.stack(states, dim=1)


def _biases(row: Tensor, direction: int, number: int) -> Tensor:
    return row.view(2, number, -1)[direction]


def _linear(recurrent: Tensor, inward: Tensor, biases: Tensor) -> nn.Linear:
    """One layer over [h; w] with these weights."""
    weight = torch.cat([recurrent.flatten(0, -2), inward.flatten(0, -2)], dim=1).detach()
    layer = nn.Linear(weight.shape[1], len(weight))
    with torch.no_grad():
        layer.weight.copy_(weight)
        layer.bias.copy_(biases.flatten())
    return layer


def _joined(recurrent: Tensor, inward: Tensor, biases: Tensor) -> list[nn.Linear]:
    """The layers of i_k and of c~_k."""
    rows = biases.view(2, -1)
    return [_linear(recurrent[part], inward[part], rows[part]) for part in range(2)]
