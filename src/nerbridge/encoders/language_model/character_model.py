"""The character-level model: two LSTMs over the text, read where words end and begin (eq. 4 and 5)."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from nerbridge.encoders.language_model.character_inputs import CharacterModelInputs
from nerbridge.encoders.language_model.direction import Direction
from nerbridge.encoders.language_model.sizes import FlairSizes
from nerbridge.encoders.word_char.vocabulary import PADDING_CHARACTER


class CharacterModel(nn.Module):
    """FLAIR. The directions share nothing. num_characters: ids, padding included."""

    def __init__(self, sizes: FlairSizes, num_characters: int) -> None:
        super().__init__()
        self.sizes = sizes
        width = sizes.character_width
        self.ahead_characters, self.behind_characters = (
            nn.Embedding(num_characters, width, padding_idx=PADDING_CHARACTER) for _ in range(2)
        )
        self.ahead, self.behind = (Direction(width, sizes.hidden, sizes.layers, sizes.dropout) for _ in range(2))

    @property
    def width(self) -> int:
        """Of a word's vector."""
        return 2 * self.sizes.hidden

    @property
    def num_layers(self) -> int:
        """Those of the LSTMs."""
        return self.sizes.layers

    def directions(self, inputs: CharacterModelInputs) -> tuple[list[Tensor], list[Tensor]]:
        """Layers of either direction, each (batch, char, hidden), in the order in which it reads."""
        ahead = self.ahead(self.ahead_characters(inputs.ahead))  # eq. 4
        behind = self.behind(self.behind_characters(inputs.behind))
        return ahead, behind

    def layers(self, inputs: CharacterModelInputs) -> list[Float[Tensor, "batch unit width"]]:
        """A word's vector by each layer, the lowest first; rows of padding mean nothing."""
        ahead, behind = self.directions(inputs)
        return [
            torch.cat([_at(one, inputs.ahead_places), _at(two, inputs.behind_places)], dim=2)  # eq. 5
            for one, two in zip(ahead, behind, strict=True)
        ]


def _at(states: Float[Tensor, "batch char hidden"], places: Int[Tensor, "batch unit"]) -> Tensor:
    return states.gather(1, places.unsqueeze(2).expand(-1, -1, states.shape[2]))
