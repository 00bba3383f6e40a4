"""Guards: they notice when training has gone wrong, cheaply, and say it in the user's words."""

import torch
from torch import Tensor, nn

from nerbridge.batching.streams import Stream
from nerbridge.data.sentence import Annotation
from nerbridge.errors import TrainingError
from nerbridge.training.checkpoint import named_weights
from nerbridge.training.evaluation import MOST_COMMON_TAG, Evaluation
from nerbridge.training.state import State
from nerbridge.wording import counted

LOOK_EVERY = 25  # steps between two looks on a GPU
PERSISTENT = 3  # evaluations in a row that are no chance


class NotFinite(Exception):
    """The loss or the gradient of `step` was NaN or infinite; the model holds its last good weights again."""

    def __init__(self, step: int) -> None:
        super().__init__(step)
        self.step = step


class FiniteGuard:
    """Remembers on the device the first step whose loss or gradient was not finite, and looks now and then.

    On the CPU a look costs nothing, so it looks at every step, before bad gradients reach the weights. On a GPU a look
    waits for the device, so bad gradients may reach them for a few steps; it then puts back the weights as they were at
    its last look, of which it keeps a copy.
    """

    def __init__(self, model: nn.Module, device: torch.device) -> None:
        self._first_bad = torch.full((), -1, dtype=torch.int64, device=device)
        self._every = 1 if device.type == "cpu" else LOOK_EVERY
        self._weights = list(named_weights(model).values()) if self._every > 1 else []
        self._good = [tensor.clone() for tensor in self._weights]

    def observe(self, step: int, loss: Tensor, norm: Tensor) -> None:
        """Take note of a step before its update. Raises NotFinite if it looks and a step was bad."""
        bad = ~(torch.isfinite(loss) & torch.isfinite(norm))
        self._first_bad = torch.where(bad & (self._first_bad < 0), step, self._first_bad)
        if step % self._every == 0:
            self.look()

    def look(self) -> None:
        """Raises NotFinite, with the last good weights restored, if a step was bad; waits for the device."""
        first = int(self._first_bad.item())
        if first < 0:
            self.remember()
            return
        if self._good:
            torch._foreach_copy_(self._weights, self._good)
        raise NotFinite(first)

    def remember(self) -> None:
        """The weights are good as they are now."""
        if self._good:
            torch._foreach_copy_(self._good, self._weights)


def not_finite(step: int, rates: list[float], kept: str) -> TrainingError:
    """The error for a loss that became NaN or infinite. kept: where the best model so far is."""
    shown = " and ".join(f"{rate:.3g}" for rate in rates)
    return TrainingError(
        f"the loss or its gradient became NaN or infinite at step {step}, with learning rates {shown}; {kept}",
        where=f"step {step} of the training",
        expected="finite numbers",
        hint="lower training.learning_rate and training.head_learning_rate, or set training.warmup = 0.1; "
        "lower the weight of a loss that was raised, such as transfer.words_weight; with precision bf16, try float32",
    )


def is_one_tag(evaluation: Evaluation) -> bool:
    """Did every word of dev get one and the same tag? Usual in the first evaluations, where O is the best guess."""
    return evaluation.numbers.get(MOST_COMMON_TAG, 0.0) >= 1.0


def one_tag_warning(state: State, done: float) -> str | None:
    """A warning when every word of dev keeps getting the same tag, `done` (a share, 0 to 1) into the stage.

    A healthy stage begins like that, too. So it is said after the first third, of at least PERSISTENT evaluations in a
    row.
    """
    if state.one_tag_evaluations < PERSISTENT or done < 1 / 3:
        return None
    return _one_tag(f"in the last {state.one_tag_evaluations} evaluations, up to step {state.step},")


def one_tag_verdict(state: State) -> str | None:
    """The same at the end of a stage, however short it was, when no weights that were kept did better."""
    if not state.one_tag_evaluations or state.f1:
        return None
    return _one_tag(f"at the end, at step {state.step},")


def _one_tag(when: str) -> str:
    return (
        f"{when} every word of dev got the same tag: the model has learnt nothing or forgotten all; "
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
        f"there is nothing to learn from: none of {counted(len(stream.sentences), 'sentence')} has a known label",
        where=f"stream '{stream.name}' of domain '{stream.domain}'",
        expected="at least one sentence with complete or partial annotation",
        hint="look at the training file with `nerbridge data stats`",
    )
