"""No context: the heads read the encoder's vectors as they are."""

from jaxtyping import Bool, Float
from torch import Tensor, nn


class Identity(nn.Module):
    """Returns the vectors unchanged. width: of its states, equal to the encoder's."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width

    def forward(
        self,
        vectors: Float[Tensor, "batch unit width"],
        mask: Bool[Tensor, "batch unit"],  # noqa: ARG002  (every context takes it)
    ) -> Float[Tensor, "batch unit width"]:
        return vectors
