"""LSTM layers that read rows one way, in whole batches."""

from jaxtyping import Float
from torch import Tensor, nn


class Direction(nn.Module):
    """Layers of LSTMs. width: of the vectors. hidden: of the states. dropout: on what enters a layer.

    Rows must be real first, padding behind: then padding never enters the state of a unit.
    """

    def __init__(self, width: int, hidden: int, layers: int, dropout: float) -> None:
        super().__init__()
        widths = [width, *[hidden] * (layers - 1)]
        self.layers = nn.ModuleList(nn.LSTM(size, hidden, batch_first=True) for size in widths)
        self.dropout = nn.Dropout(dropout)

    def forward(self, vectors: Float[Tensor, "batch unit width"]) -> list[Float[Tensor, "batch unit hidden"]]:
        """The states of every layer, the lowest first."""
        states: list[Tensor] = []
        for number, layer in enumerate(self.layers):
            read = states[-1] if number else vectors
            output, _ = layer(self.dropout(read))
            states.append(output + read if number else output)  # eq. 2, residual from the second layer on
        return states
