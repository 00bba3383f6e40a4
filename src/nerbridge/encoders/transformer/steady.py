"""Forward passes that need nothing from the processor while they run.

A pass that waits for the device, or that copies from the processor's memory, cannot be recorded. In most of Hugging
Face's encoders nothing does, once they notice that they are being recorded. MPNet, in some versions of transformers,
makes two things on the processor: the buckets of its relative positions, and the zero of its attention mask.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn


class SteadyForward:
    """Last hidden states of `model`, for one shape of batch, with what depends on the shape alone made only once."""

    def __init__(self, model: nn.Module) -> None:
        self._model: Any = model
        self._buckets: dict[tuple[int, ...], Tensor] = {}
        config: Any = model.config
        self._is_mpnet = config.model_type == "mpnet"
        self._adds_mask = self._is_mpnet and getattr(config, "_attn_implementation", None) == "eager"

    def __call__(
        self, leaves: dict[str, Tensor], pieces: Int[Tensor, "row piece"], mask: Bool[Tensor, "row piece"]
    ) -> Float[Tensor, "row piece width"]:
        """leaves: by name, what stands for the model's parameters."""
        attention = _added(mask) if self._adds_mask else mask.long()
        with self._known_buckets():
            output = torch.func.functional_call(
                self._model, leaves, kwargs={"input_ids": pieces, "attention_mask": attention}
            )
        states: Float[Tensor, "row piece width"] = output.last_hidden_state
        return states

    @contextmanager
    def _known_buckets(self) -> Iterator[None]:
        """Inside, MPNet's buckets are those that it made itself the first time, on the device."""
        if not self._is_mpnet:
            yield
            return
        encoder = self._model.encoder
        make, device = encoder.relative_position_bucket, encoder.relative_attention_bias.weight.device

        def known(relative: Tensor, *arguments: Any, **options: Any) -> Tensor:
            shape = tuple(relative.shape)
            if shape not in self._buckets:
                self._buckets[shape] = make(relative, *arguments, **options).to(device)
            return self._buckets[shape]

        encoder.relative_position_bucket = known
        try:
            yield
        finally:
            del encoder.relative_position_bucket


def _added(mask: Bool[Tensor, "row piece"]) -> Float[Tensor, "row 1 1 piece"]:
    """The mask as MPNet adds it to its scores: 0 where a piece is read, the lowest number elsewhere."""
    nothing = torch.zeros(mask.shape, device=mask.device)
    return nothing.masked_fill(~mask, torch.finfo(nothing.dtype).min)[:, None, None, :]
