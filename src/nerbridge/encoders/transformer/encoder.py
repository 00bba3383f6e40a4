"""A pre-trained transformer, read word by word."""

from pathlib import Path
from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.batching.batch import EncoderInputs
from nerbridge.encoders.base import Encoder
from nerbridge.encoders.transformer.inputs import TransformerInputs
from nerbridge.encoders.transformer.vectorizer import TransformerVectorizer


class TransformerEncoder(Encoder):
    """Any Hugging Face encoder; the pieces of a word are pooled to one vector.

    tokenizer: the original one, kept to be saved beside the model. pooling: "first" piece or "mean" of the pieces.
    freeze: keep the weights as they are, and dropout off.
    """

    vectorizer: TransformerVectorizer
    contextual = True

    def __init__(
        self,
        model: nn.Module,
        tokenizer: Any,
        vectorizer: TransformerVectorizer,
        *,
        pooling: Literal["first", "mean"] = "first",
        freeze: bool = False,
    ) -> None:
        super().__init__()
        self.model = model
        self.tokenizer = tokenizer
        self.vectorizer = vectorizer
        self.width = int(model.config.hidden_size)  # type: ignore[union-attr,arg-type]
        self.pooling = pooling
        self.frozen = freeze
        if freeze:
            self.requires_grad_(False)
            self.eval()

    def train(self, mode: bool = True) -> "TransformerEncoder":
        """As usual, but a frozen encoder stays in evaluation mode."""
        return super().train(mode and not self.frozen)

    def forward(self, inputs: EncoderInputs) -> Float[Tensor, "batch unit width"]:
        assert isinstance(inputs, TransformerInputs), "these inputs were made by another encoder's vectorizer"
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            output = self.model(input_ids=inputs.pieces, attention_mask=inputs.piece_mask.long())
        pieces = output.last_hidden_state.flatten(0, 1)
        words = pieces[inputs.starts] if self.pooling == "first" else _mean(pieces, inputs)
        return words.masked_fill(~inputs.word_mask.unsqueeze(2), 0.0)

    def save_architecture(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.model.config.save_pretrained(folder)  # type: ignore[union-attr,operator]
        self.tokenizer.save_pretrained(folder)


def _mean(pieces: Float[Tensor, "flat width"], inputs: TransformerInputs) -> Float[Tensor, "batch unit width"]:
    """The mean of each word's pieces, summed piece number by piece number: no waiting for the device."""
    total = pieces[inputs.starts]
    for number in range(1, inputs.longest_word):
        absent = (inputs.lengths <= number).unsqueeze(2)
        position = (inputs.starts + number).clamp(max=len(pieces) - 1)
        total = total + pieces[position].masked_fill(absent, 0.0)
    return total / inputs.lengths.clamp(min=1).unsqueeze(2).to(total.dtype)
