"""What every encoder is: a batch's inputs in, one vector per unit out."""

from abc import ABC, abstractmethod
from pathlib import Path

from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.batching.batch import EncoderInputs, Vectorizer


class Encoder(nn.Module, ABC):
    """Turns the inputs made by its own `vectorizer` into one row per word; later rooms never see subwords.

    width: size of a row. vectorizer: made once, shared by training and use.
    """

    width: int
    vectorizer: Vectorizer

    @abstractmethod
    def forward(self, inputs: EncoderInputs) -> Float[Tensor, "batch unit width"]:
        """One vector per word; rows of padding are zero."""

    @abstractmethod
    def save_architecture(self, folder: Path) -> None:
        """Write what is needed, beside the weights, to build this encoder again without network: config, tokenizer."""
