"""FLAIR's objective: the next character and the one before."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from nerbridge.config.language_models import FlairSettings
from nerbridge.encoders.language_model.character_model import CharacterModel
from nerbridge.encoders.word_char.vocabulary import PADDING_CHARACTER
from nerbridge.pretraining.language_model.character_rows import CharacterRows
from nerbridge.pretraining.language_model.objective import DirectedObjective


class CharacterObjective(DirectedObjective):
    """The character-level `model` and a softmax over characters for either direction."""

    model: CharacterModel

    def __init__(self, model: CharacterModel, settings: FlairSettings, num_characters: int) -> None:
        super().__init__()
        self.model = model
        self.dropout = nn.Dropout(settings.dropout)
        self.ahead, self.behind = (nn.Linear(settings.hidden, num_characters) for _ in range(2))

    def loss(self, rows: CharacterRows) -> Float[Tensor, ""]:
        """Eq. 1."""
        ahead, behind = self._both(rows)
        return ahead + behind

    @torch.no_grad()
    def directed_loss(self, rows: CharacterRows) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
        """Of either direction."""
        ahead, behind = self._both(rows)
        return ahead.double(), behind.double()

    def reading_share(self) -> float:
        return 1 / 3

    def _both(self, rows: CharacterRows) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
        ahead, behind = self.model.directions(rows.inputs)
        return (
            self._sum(self.ahead, ahead[-1], rows.inputs.ahead),
            self._sum(self.behind, behind[-1], rows.inputs.behind),
        )

    def _sum(
        self, output: nn.Module, states: Float[Tensor, "batch char hidden"], read: Int[Tensor, "batch char"]
    ) -> Float[Tensor, ""]:
        logits = output(self.dropout(states[:, :-1]))
        targets = read[:, 1:].flatten()
        return F.cross_entropy(logits.flatten(0, 1), targets, ignore_index=PADDING_CHARACTER, reduction="sum")
