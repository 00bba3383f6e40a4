"""The word-level model: words by their characters, then LSTMs in both directions (eq. 1 and 2)."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.encoders.language_model.direction import Direction
from nerbridge.encoders.language_model.sizes import ElmoSizes
from nerbridge.encoders.language_model.spelling import Speller
from nerbridge.encoders.language_model.word_inputs import WordModelInputs


class WordModel(nn.Module):
    """ELMo. Both directions share the words' vectors, nothing else. num_characters: ids, padding included."""

    def __init__(self, sizes: ElmoSizes, num_characters: int) -> None:
        super().__init__()
        self.sizes = sizes
        self.speller = Speller(sizes, num_characters)
        self.ahead, self.behind = (Direction(sizes.hidden, sizes.hidden, sizes.layers, sizes.dropout) for _ in range(2))

    @property
    def width(self) -> int:
        """Of a word's vector."""
        return 2 * self.sizes.hidden

    @property
    def num_layers(self) -> int:
        """Those of the LSTMs and, below them, the words by themselves."""
        return self.sizes.layers + 1

    def directions(self, inputs: WordModelInputs) -> tuple[list[Tensor], list[Tensor]]:
        """Layers of either direction, each (batch, unit, hidden), in the order in which it reads; words first."""
        words = self.speller(inputs.characters)  # eq. 1
        ahead, behind = words[inputs.ahead], words[inputs.behind]  # (batch, unit, hidden)
        return [ahead, *self.ahead(ahead)], [behind, *self.behind(behind)]  # eq. 2

    def layers(self, inputs: WordModelInputs) -> list[Float[Tensor, "batch unit width"]]:
        """A word's vector by each layer, the lowest first; rows of padding mean nothing."""
        places = inputs.places.unsqueeze(2).expand(-1, -1, self.sizes.hidden)
        ahead, behind = self.directions(inputs)
        return [torch.cat([one, two.gather(1, places)], dim=2) for one, two in zip(ahead, behind, strict=True)]
