"""How the embeddings of domains and tasks start."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor


def first_vectors(number: int, width: int, likeness: float) -> Float[Tensor, "name width"]:
    """`number` random rows of length 1; the cosine between any two is `likeness` (0 to 1) on average."""
    own = F.normalize(torch.randn(number, width), dim=1)
    if not likeness:
        return own
    common = F.normalize(torch.randn(width), dim=0)
    return F.normalize(likeness**0.5 * common + (1 - likeness) ** 0.5 * own, dim=1)
