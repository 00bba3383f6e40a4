"""What every encoder is: a batch's inputs in, one vector per unit out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.batching.batch import EncoderInputs, Vectorizer
from nerbridge.config.encoder import EncoderSettings


class Encoder(nn.Module, ABC):
    """Turns the inputs made by its own `vectorizer` into one row per word; later rooms never see subwords.

    width: size of a row. vectorizer: made once, shared by training and use.
    contextual: has a word's row read the words around it? A language model over such rows has seen what it predicts.
    """

    width: int
    vectorizer: Vectorizer
    contextual: bool

    @abstractmethod
    def forward(self, inputs: EncoderInputs) -> Float[Tensor, "batch unit width"]:
        """One vector per word; rows of padding are zero."""

    @abstractmethod
    def save_architecture(self, folder: Path) -> None:
        """Write what is needed, beside the weights, to build this encoder again without network: config, tokenizer."""

    def learn_words(self, words: Mapping[str, int], settings: EncoderSettings, seed: int) -> None:
        """Make room for words that a further stage trains on; nothing by default, as pieces know every word.

        words: with their number of occurrences. settings: as those this encoder was built from, found where they lie
        now. seed: of new random rows. Called before the stage's optimiser is made.
        """

    def describe(self) -> Sequence[str]:
        """What the user should know about this encoder before it trains, a line each."""
        return ()
