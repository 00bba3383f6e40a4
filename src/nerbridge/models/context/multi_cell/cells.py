"""The parameters of a multi-cell LSTM: a cell for each label, the compositional cell, the attention between them."""

from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from nerbridge.models.context.multi_cell.passes import CellWeights

OUTSIDE = "O"  # the label of words outside all entities, which has a cell too
DIRECTIONS = 2


class Cells(nn.Module):
    """Parameters of both directions, each drawn as those of an LSTM. Cells are told apart by their label.

    labels: those that have a cell. width: of the vectors read. hidden: of one direction's states. attention: inside
    the attention; 0: there is none, nor what only it reads. apart: so many attentions, told apart by their number; 0:
    one, which all share.
    """

    def __init__(self, labels: Sequence[str], width: int, hidden: int, attention: int, apart: int = 0) -> None:
        super().__init__()
        self.labels = tuple(labels)
        self.hidden = hidden
        number, own = len(labels), 3 if attention else 2
        self.inward = self._drawn(DIRECTIONS, number, 2, hidden, width)  # eq. 2: of i_k and c~_k
        self.recurrent = self._drawn(DIRECTIONS, number, 2, hidden, hidden)
        self.biases = self._drawn(DIRECTIONS * number * 2 * hidden)  # in one row: biases do not decay
        self.own_inward = self._drawn(DIRECTIONS, own, hidden, width)  # eq. 4: of i, o and c~
        self.own_recurrent = self._drawn(DIRECTIONS, own, hidden, hidden)
        self.own_biases = self._drawn(DIRECTIONS * own * hidden)
        if attention:
            several = (apart,) if apart else ()
            self.attend_temporary = self._drawn(*several, DIRECTIONS, attention, hidden)  # eq. 6: P
            self.attend_cells = self._drawn(*several, DIRECTIONS, attention, hidden)  # Q
            self.attend_score = self._drawn(*several, DIRECTIONS, attention)  # v
        self.attends = attention > 0

    def _drawn(self, *shape: int) -> nn.Parameter:
        bound = self.hidden**-0.5
        return nn.Parameter(torch.empty(*shape).uniform_(-bound, bound))

    def weights(self, places: Int[Tensor, " chosen"] | None, attention: int | None = None) -> CellWeights:
        """The weights of some cells, in this order, as the recurrence reads them. places: None for all.

        attention: the number of one that is apart.
        """
        biases = self.biases.view(DIRECTIONS, len(self.labels), 2, self.hidden, 1)
        own_biases = self.own_biases.view(DIRECTIONS, -1, self.hidden, 1)
        attends: tuple[Tensor | None, ...] = (None, None, None)
        if self.attends:
            attends = tuple(
                part if attention is None else part[attention]
                for part in (self.attend_temporary, self.attend_cells, self.attend_score)
            )
        return CellWeights(
            _gates(self.inward, self.own_inward, places),
            _gates(self.recurrent, self.own_recurrent, places),
            _gates(biases, own_biases, places).squeeze(2),
            *attends,
        )

    def by_cell(self) -> dict[str, Tensor]:
        """The parameters that belong to single cells, by name, with the cells on the second axis."""
        own = {"inward": self.inward, "recurrent": self.recurrent, "biases": self.biases}
        return {name: parameter.view(DIRECTIONS, len(self.labels), -1) for name, parameter in own.items()}

    @torch.no_grad()
    def carry(self, other: "Cells", sources: Mapping[str, str], attention: int | None = None) -> None:
        """Take over the compositional cell and the attention of `other`, and of its cells those that `sources` names:
        label here -> label there. attention: the number there of the one that is apart."""
        mine, its = self.by_cell(), other.by_cell()
        for name, parameter in self.named_parameters():
            if name not in mine:
                one = attention is not None and name.startswith("attend_")
                parameter.copy_(getattr(other, name)[attention] if one else getattr(other, name))
        for here, there in sources.items():
            for name, rows in mine.items():
                rows[:, self.labels.index(here)] = its[name][:, other.labels.index(there)].to(rows.device)


def _gates(
    cells: Float[Tensor, "direction cell two hidden into"],
    own: Float[Tensor, "direction own hidden into"],
    places: Int[Tensor, " chosen"] | None,
) -> Float[Tensor, "direction gate into"]:
    """Rows in the order of the gates: i_k, i, o, c~_k, c~ (where there is one)."""
    chosen = cells if places is None else cells.index_select(1, places)
    inputs, temporaries = chosen.unbind(2)
    sigmoids, temporary = own.split_with_sizes([2, own.shape[1] - 2], dim=1)
    return torch.cat([part.flatten(1, 2) for part in (inputs, sigmoids, temporaries, temporary)], dim=1)
