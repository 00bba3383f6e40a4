"""A pre-trained transformer, read word by word."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.batching.batch import EncoderInputs
from nerbridge.encoders.base import Encoder
from nerbridge.encoders.transformer.inputs import TransformerInputs
from nerbridge.encoders.transformer.recording import Recorder
from nerbridge.encoders.transformer.tape import Rows
from nerbridge.encoders.transformer.vectorizer import TransformerVectorizer


class TransformerEncoder(Encoder):
    """Any Hugging Face encoder; the pieces of a word are pooled to one vector.

    tokenizer: the original one, kept to be saved beside the model. pooling: "first" piece or "mean" of the pieces.
    freeze: keep the weights as they are, and dropout off. record: in training on a GPU, record passes and play them
    again (see `recording`); copies of the encoder, and saved ones, hold no recordings.
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
        record: bool = False,
    ) -> None:
        super().__init__()
        self.model = model
        self.tokenizer = tokenizer
        self.vectorizer = vectorizer
        self.width = int(model.config.hidden_size)  # type: ignore[union-attr,arg-type]
        self.pooling = pooling
        self.frozen = freeze
        self._recorder = Recorder() if record and not freeze else None
        if freeze:
            self.requires_grad_(False)
            self.eval()

    def train(self, mode: bool = True) -> "TransformerEncoder":
        """As usual, but a frozen encoder stays in evaluation mode."""
        return super().train(mode and not self.frozen)

    def forward(self, inputs: EncoderInputs) -> Float[Tensor, "batch unit width"]:
        assert isinstance(inputs, TransformerInputs), "these inputs were made by another encoder's vectorizer"
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            pieces = self._states(inputs).flatten(0, 1)
        words = pieces[inputs.starts] if self.pooling == "first" else _mean(pieces, inputs)
        return words.masked_fill(~inputs.word_mask.unsqueeze(2), 0.0)

    def _states(self, inputs: TransformerInputs) -> Float[Tensor, "row piece width"]:
        if self._recorder is not None and self.training and torch.is_grad_enabled():
            rows = Rows(inputs.pieces, inputs.piece_mask)
            states = self._recorder.states(self.model, rows, self.vectorizer.special.padding)
            if states is not None:
                return states
        output = self.model(input_ids=inputs.pieces, attention_mask=inputs.piece_mask.long())
        hidden: Float[Tensor, "row piece width"] = output.last_hidden_state
        return hidden

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> "TransformerEncoder":
        if self._recorder is not None:
            self._recorder.drop()  # buffers move too
        moved: TransformerEncoder = super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        return moved

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
