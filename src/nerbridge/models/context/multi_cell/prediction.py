"""What the cells and their attention learn beside the tags: which label each word has (sections 2.3 and 3.2).

    p(e_k | x_t) = softmax over k of w_k [c_k forward ; c_k back] + b_k                                     (9)
    p(e_k | x_t) = softmax over k of (I_k forward + I_k back) / 2                                          (11)
    L_ent, L_atten = - mean over words of known label of log p(their label | x_t), or by all words of raw text (10, 12)

Labels here are entity types: "person", whether the word begins the person or not, and O.
"""

from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class EntityPrediction(nn.Module):
    """Scores how well each cell's state fits its own label. width: of one direction's states."""

    def __init__(self, labels: Sequence[str], width: int) -> None:
        super().__init__()
        self.labels = tuple(labels)
        self.vectors = nn.Parameter(torch.empty(2, len(labels), width).uniform_(-(width**-0.5), width**-0.5))
        self.biases = nn.Parameter(torch.zeros(len(labels)))

    def parts(
        self, cells: Float[Tensor, "direction unit batch cell hidden"], places: Int[Tensor, " chosen"] | None
    ) -> Float[Tensor, "direction unit batch cell"]:
        """Each direction's part of the scores in equation 9, half the bias in each. places: as of `Cells.weights`."""
        vectors = self.vectors if places is None else self.vectors.index_select(1, places)
        biases = self.biases if places is None else self.biases.index_select(0, places)
        with torch.autocast(cells.device.type, enabled=False):  # as the recurrence
            return torch.einsum("dubch,dch->dubc", cells, vectors) + biases / 2

    @torch.no_grad()
    def carry(self, other: "EntityPrediction", sources: Mapping[str, str]) -> None:
        """Take over the scores of cells: label here -> label in `other`."""
        for here, there in sources.items():
            mine, its = self.labels.index(here), other.labels.index(there)
            self.vectors[:, mine] = other.vectors[:, its].to(self.vectors.device)
            self.biases[mine] = other.biases[its].to(self.biases.device)
