"""What the loop hears from dev, and what it tells in the end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from nerbridge.assembly.tagger import Tagger

MOST_COMMON_TAG = "share_of_most_common_tag"  # a key of `Evaluation.numbers` that a guard reads

DISCRIMINATOR_ACCURACY = "discriminator_accuracy"  # one that the report shows


@dataclass(frozen=True)
class Evaluation:
    """Scores of a tagger on dev.

    f1: a fraction, 0 to 1; selection and early stopping read it.
    numbers: whatever else belongs into the journal, by name. "share_of_most_common_tag" is the share (0 to 1) of the
    words that got the most frequent tag; at 1, where every word got the same tag, the loop warns.
    """

    f1: float
    numbers: Mapping[str, float] = field(default_factory=dict)


Evaluate = Callable[[Tagger], Evaluation]  # called in eval mode without gradients, on the main process only


@dataclass(frozen=True)
class FitResult:
    """How a stage went; the weights are in the model.

    f1: dev F1 (fraction) of the weights that the model holds now; None without evaluation.
    best_f1, best_step: of the best evaluation, whatever weights were kept; None without evaluation.
    steps, epochs: how far it went. seconds: all of them, interrupted attempts included as far as their checkpoints
    remember. words_per_second: of learning alone, without evaluations and checkpoints.
    stopped: "patience", "steps" (`max_steps` reached) or "epochs".
    warnings: what the user should look at.
    """

    f1: float | None
    best_f1: float | None
    best_step: int | None
    steps: int
    epochs: float
    seconds: float
    words_per_second: float
    stopped: str
    warnings: Sequence[str] = ()
