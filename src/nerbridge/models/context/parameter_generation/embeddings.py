"""How the embeddings of domains and tasks, and the tensor that they choose from, start."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class FirstVectors:
    """Embeddings of one axis, and the direction (of length 1) that they have in common."""

    rows: Float[Tensor, "name width"]
    common: Float[Tensor, " width"]

    @property
    def gain(self) -> Float[Tensor, ""]:
        """How long the rows are in the common direction, on average."""
        return (self.rows @ self.common).mean()


def first_vectors(number: int, width: int, likeness: float) -> FirstVectors:
    """`number` random rows of length 1; the cosine between any two is `likeness` (0 to 1) on average.

    A single name has the constant 1.
    """
    if number == 1:
        return FirstVectors(torch.ones(1, 1), torch.ones(1))
    own = F.normalize(torch.randn(number, width), dim=1)
    common = F.normalize(torch.randn(width), dim=0)
    rows = F.normalize(likeness**0.5 * common + (1 - likeness) ** 0.5 * own, dim=1)
    return FirstVectors(rows, common)


def reach(number: int, width: int) -> float:
    """How far a step of all numbers of W moves what an embedding chooses from them: its sum of absolute values.

    That of a random direction, about; 1 for a single name. It is the same whatever has been learnt since.
    """
    return 1.0 if number == 1 else max(1.0, math.sqrt(2 * width / math.pi))


def first_tensor(
    tasks: FirstVectors, domains: FirstVectors, size: int, bound: float, *, shared: bool
) -> Float[Tensor, "task domain parameter"]:
    """The tensor W from which parameters between -bound and bound are generated, as an LSTM has them at its start.

    shared: it is zero but in the common direction of both axes, so that all rows start as multiples of one, near 1.
    """
    if not shared:
        return torch.empty(tasks.rows.shape[1], domains.rows.shape[1], size).uniform_(-bound, bound)
    row = torch.empty(size).uniform_(-bound, bound) / (tasks.gain * domains.gain)
    return tasks.common[:, None, None] * domains.common[:, None] * row
