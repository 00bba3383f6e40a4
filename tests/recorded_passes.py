"""What tests of recorded passes share: encoders without dropout, losses, gradients, and a recorder for the CPU."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from builders import WORDS, sentence
from nerbridge.encoders.transformer import TransformerEncoder
from nerbridge.encoders.transformer.capture import Recorded

Lengths = list[int]


class Rerun:
    """Runs again what it recorded, into the same places. Like graphs that share memory, it keeps one batch."""

    def __init__(self) -> None:
        self.recorded = 0
        self.played: list[str] = []
        self._kept: tuple[int, Tensor] | None = None

    def __call__(self, forward: Callable[[], Tensor], backward: Callable[[Tensor], Tensor]) -> Recorded:
        self.recorded += 1
        number, first = self.recorded, forward()
        gradients, states = backward(first), first.detach().clone()

        def there() -> None:
            again = forward()
            states.copy_(again.detach())
            self._kept = number, again
            self.played.append("forward")

        def back() -> None:
            assert self._kept is not None
            assert self._kept[0] == number, "another batch has been played over this one"
            gradients.fill_(torch.nan)
            backward(self._kept[1])
            self._kept = None
            self.played.append("backward")

        return Recorded(states, gradients, there, back)


def without_dropout(encoder: TransformerEncoder) -> TransformerEncoder:
    for module in encoder.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
        for name in ("attention_dropout", "dropout_prob"):  # attention without a module of its own
            if isinstance(getattr(module, name, None), float):
                setattr(module, name, 0.0)
    return encoder.train()


def inputs(encoder: TransformerEncoder, lengths: Lengths) -> Any:
    texts = [" ".join(WORDS[(start + word) % 13] for word in range(length)) for start, length in enumerate(lengths)]
    items = encoder.vectorizer.vectorize([sentence(text) for text in texts])
    return encoder.vectorizer.collate(items).to(next(encoder.parameters()).device)


def loss_of(encoder: TransformerEncoder, lengths: Lengths) -> Tensor:
    """Something that asks for another gradient of every number of every word."""
    words = encoder(inputs(encoder, lengths))
    return (words * torch.linspace(-1.0, 1.0, words.numel(), device=words.device).view_as(words)).sum()


def gradients_of(encoder: TransformerEncoder) -> dict[str, Tensor | None]:
    return {name: None if one.grad is None else one.grad.clone() for name, one in encoder.named_parameters()}


def learnt(encoder: TransformerEncoder, lengths: Lengths) -> tuple[Tensor, dict[str, Tensor | None]]:
    encoder.zero_grad(set_to_none=True)
    loss = loss_of(encoder, lengths)
    loss.backward()
    return loss.detach(), gradients_of(encoder)


def assert_equal(mine: dict[str, Tensor | None], its: dict[str, Tensor | None]) -> None:
    assert mine.keys() == its.keys()
    for name, gradient in its.items():
        ours = mine[name]
        if gradient is None or ours is None:
            assert ours is gradient is None, name
        else:
            torch.testing.assert_close(ours, gradient, rtol=2e-4, atol=2e-5, msg=lambda text, n=name: f"{n}: {text}")
