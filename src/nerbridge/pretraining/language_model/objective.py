"""What both objectives are: a language model with what predicts from its states."""

from abc import abstractmethod
from typing import Any

from jaxtyping import Float
from torch import Tensor

from nerbridge.encoders.language_model.character_model import CharacterModel
from nerbridge.encoders.language_model.word_model import WordModel
from nerbridge.pretraining.objective import Objective


class DirectedObjective(Objective):
    """Predicts in both directions. model: the part that taggers will use."""

    model: WordModel | CharacterModel

    @abstractmethod
    def directed_loss(self, rows: Any) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
        """The sums of -log p of the forward and of the backward direction, over the full softmax."""

    @abstractmethod
    def reading_share(self) -> float:
        """What `directed_loss` costs beside a step of learning from the same rows, by the products they need."""

    def freeze_encoder(self, frozen: bool) -> None:
        """Everything is new here."""
        assert not frozen, "no part of it learns alone"
