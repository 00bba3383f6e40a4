"""Entity types read off the states: what a context without cells of its own learns from a dictionary.

    p(e | x_t) = softmax(W h_t + b) over the labels of the domain and O
    loss = - mean over words of known label of log p(their label | x_t), or by all words of raw text

Jia and Zhang (ACL 2020, section 4.4) give the BiLSTM the entity dictionary "by doing an entity type prediction task
together with the target-domain LM" and leave its form open. Here it is their equations 9 and 10 with one state for all
labels: rows of labels are shared by name, a domain's softmax runs over its own labels and O.
"""

from collections.abc import Mapping, Sequence

from jaxtyping import Float, Int
from torch import Tensor, nn

from nerbridge.models.losses import LossTerms, types_loss


class TypesHead(nn.Module):
    """Predicts entity types. labels: domain -> its labels, O left out. width: of the states. weight: of its loss."""

    def __init__(self, labels: Mapping[str, Sequence[str]], width: int, *, weight: float, dropout: float) -> None:
        super().__init__()
        every = sorted({name for names in labels.values() for name in names})
        self.rows = {domain: [0, *(every.index(name) + 1 for name in names)] for domain, names in labels.items()}
        self.weight = weight
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(width, len(every) + 1)

    def loss(
        self, states: Float[Tensor, "batch unit width"], types: Int[Tensor, "batch unit"], domain: str
    ) -> LossTerms:
        """As `types_loss`. KeyError for a domain without labels."""
        scores = self.output(self.dropout(states)).float()[..., self.rows[domain]]
        return LossTerms({"entity": types_loss(scores, types)}, {"entity": self.weight})
