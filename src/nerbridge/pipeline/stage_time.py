"""How long a stage should take at a pace that was measured, before it has run."""

import math
from collections.abc import Sequence

from nerbridge.data.sentence import Sentence
from nerbridge.transfer.stage import Mixture, Stage, StreamPlan

SOONER = 0.5  # stages that stop by their dev F1 end, about, at this share of their longest
TAGGING = 3.0  # how many times faster a tagger reads than it learns


def stage_seconds(stage: Stage, pace: float) -> float:
    """What a stage should take. pace: words learnt from per second, of all streams together.

    Sentences that another tagger will label for it are not counted.
    """
    settings = stage.settings
    steps, words = _epoch(stage)
    epochs = float(settings.epochs)
    if settings.max_steps is not None:
        epochs = min(epochs, settings.max_steps / steps)
    if settings.selection == "dev":  # it may stop when `patience` evaluations brought nothing better
        epochs = min(epochs, max(SOONER * epochs, (settings.patience + 1) * settings.evaluate_every))
    looks = math.ceil(epochs / settings.evaluate_every) if stage.dev else 0  # one of them at the end
    return (epochs * words + looks * _look_words(stage)) / pace


def _look_words(stage: Stage) -> float:
    """What an evaluation costs, in words learnt from. Those that a mixture watches are predicted, too, or tagged."""
    watched = 0 if stage.mixture is None else sum(num_words(stream.watched) for stream in stage.mixture.streams)
    return num_words(stage.dev) / TAGGING + watched


def num_words(sentences: Sequence[Sentence]) -> int:
    """Words of `sentences`."""
    return sum(map(len, sentences))


def _epoch(stage: Stage) -> tuple[int, float]:
    """Steps of an epoch, and the words that it learns from."""
    size = stage.settings.batch_sentences
    if stage.mixture is None:
        return max(1, math.ceil(len(stage.train) / size)), num_words(stage.train)
    return _mixed_epoch(stage.mixture, size)


def _mixed_epoch(mixture: Mixture, size: int) -> tuple[int, float]:
    """The same where every step takes a mini-batch of each stream, until those that set the pace have ended."""
    leading = [stream for stream in mixture.streams if stream.sets_pace] or mixture.streams
    steps = max(1, *(math.ceil(len(one.sentences) / _batch(one, size)) for one in leading))
    return steps, sum(steps * _step_words(stream, size) for stream in mixture.streams)


def _batch(stream: StreamPlan, size: int) -> int:
    return max(1, round(size * stream.batch_scale))


def _step_words(stream: StreamPlan, size: int) -> float:
    """Words of one mini-batch; a stream that is smaller gives all it has."""
    count = len(stream.sentences)
    return min(_batch(stream, size), count) * num_words(stream.sentences) / count if count else 0.0
