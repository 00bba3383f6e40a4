"""Guards: they notice when training has gone wrong, cheaply, and say it in the user's words."""

import torch
from torch import Tensor

from nerbridge.batching.streams import Stream
from nerbridge.data.sentence import Annotation
from nerbridge.errors import TrainingError
from nerbridge.training.evaluation import MOST_COMMON_TAG, Evaluation

CHECK_EVERY = 25  # steps between two looks at the flag on a GPU, where each look waits for all work queued before


class FiniteGuard:
    """Remembers on the device the first step whose loss or gradient norm was not finite.

    On the CPU a look costs nothing, so `due` is true at every step and bad gradients never reach the weights. On a GPU
    they may for a few steps; `good` is then a copy of the weights as they were at the last look.
    """

    def __init__(self, weights: dict[str, Tensor], device: torch.device) -> None:
        self._first_bad = torch.full((), -1, dtype=torch.int64, device=device)
        self._every = 1 if device.type == "cpu" else CHECK_EVERY
        self._weights = weights
        self._good = [] if self._every == 1 else [tensor.clone() for tensor in weights.values()]

    def observe(self, step: int, loss: Tensor, norm: Tensor) -> None:
        """Take note of a step, without waiting for the device."""
        bad = ~(torch.isfinite(loss) & torch.isfinite(norm))
        self._first_bad = torch.where(bad & (self._first_bad < 0), step, self._first_bad)

    def due(self, step: int) -> bool:
        """Is it time to look?"""
        return step % self._every == 0

    def first_bad_step(self) -> int | None:
        """The first step that was not finite; None while all were."""
        first = int(self._first_bad.item())
        return first if first >= 0 else None

    def remember(self) -> None:
        """The weights are good now: keep a copy where one is needed."""
        if self._good:
            torch._foreach_copy_(self._good, list(self._weights.values()))

    def restore(self) -> None:
        """Give the model the last good weights."""
        if self._good:
            torch._foreach_copy_(list(self._weights.values()), self._good)


def not_finite(step: int, rates: list[float], kept: str) -> TrainingError:
    """The error for a loss that became NaN or infinite. kept: where the best model so far is."""
    shown = " and ".join(f"{rate:.3g}" for rate in rates)
    return TrainingError(
        f"the loss or its gradient became NaN or infinite at step {step}, with learning rates {shown}; {kept}",
        expected="finite numbers",
        hint="lower training.learning_rate and training.head_learning_rate, or set training.warmup = 0.1; "
        "with precision bf16, try float32",
    )


def one_tag_warning(evaluation: Evaluation, step: int, done: float) -> str | None:
    """A warning when every word of dev got one and the same tag after the first third of the stage."""
    share = evaluation.numbers.get(MOST_COMMON_TAG)
    if share is None or share < 1.0 or done < 1 / 3:
        return None
    return (
        f"at step {step} every word of dev got the same tag: the model has learnt nothing or forgotten all; "
        "try another learning rate, more warm-up or more epochs"
    )


def require_known_words(stream: Stream) -> None:
    """Raises TrainingError when no word of a stream with tags has a known label."""
    if stream.vocabulary is None:
        return
    for sentence in stream.sentences:
        if sentence.annotation is Annotation.COMPLETE or (sentence.known and any(sentence.known)):
            return
    raise TrainingError(
        f"there is nothing to learn from: none of the {len(stream.sentences)} sentences has a known label",
        where=f"stream '{stream.name}' of domain '{stream.domain}'",
        expected="at least one sentence with complete or partial annotation",
        hint="look at the training file with `nerbridge data stats`",
    )
