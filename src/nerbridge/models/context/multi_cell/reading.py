"""What a multi-cell LSTM makes of a batch, each value beside the word that it belongs to."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nerbridge.models.context.bilstm import taken
from nerbridge.models.context.multi_cell.recurrence import CellStates


@dataclass(frozen=True)
class Reading:
    """What the network makes of a batch, for pictures and scores; padding holds values without meaning but in `states`.

    labels: of the cells, O first. states: what heads read. cells: c_k, forward half first (equation 9). attention: I_k,
    the mean of both directions (equation 11); None with one cell. entity: the scores of equation 9; None where the
    entity loss is left out.
    """

    labels: tuple[str, ...]
    states: Float[Tensor, "batch unit width"]
    cells: Float[Tensor, "batch unit cell width"]
    attention: Float[Tensor, "batch unit cell"] | None
    entity: Float[Tensor, "batch unit cell"] | None


def aligned(
    values: Float[Tensor, "direction unit batch *rest"], order: Int[Tensor, "batch unit"]
) -> Float[Tensor, "batch unit direction *rest"]:
    """Values of both directions beside the words that they belong to. order: in which the second one has read."""
    ahead, back = values.transpose(1, 2)
    flat = back.flatten(2) if back.ndim > 2 else back.unsqueeze(2)
    return torch.stack([ahead, taken(flat, order).view_as(back)], dim=2)


def states_of(
    found: CellStates, order: Int[Tensor, "batch unit"], mask: Bool[Tensor, "batch unit"]
) -> Float[Tensor, "batch unit hidden"]:
    """What heads read: the states of both directions side by side, zeros on padding."""
    return aligned(found.hidden, order).flatten(2).masked_fill(~mask.unsqueeze(2), 0.0)


def attention_of(found: CellStates, order: Int[Tensor, "batch unit"]) -> Float[Tensor, "batch unit cell"]:
    """The scores in equation 11."""
    assert found.scores is not None, "a single cell has no attention"
    return aligned(found.scores, order).mean(2)
