"""Which sentences every step learns from, when to evaluate and when it is over.

The order is a pure function of the seed, the epoch and the place in the epoch.
"""

from collections.abc import Sequence

from nerbridge.batching.buckets import epoch_batches
from nerbridge.batching.streams import Stream
from nerbridge.config.training import TrainingSettings
from nerbridge.training.seeding import derive_seed
from nerbridge.training.state import State


class Timetable:
    """The batches of every epoch.

    One step takes one mini-batch of every stream. An epoch ends when the stream with the most batches ends, among those
    that set the pace; the others start again, shuffled anew, as often as needed, or give a part of their sentences.
    """

    def __init__(self, streams: Sequence[Stream], settings: TrainingSettings, seed: int) -> None:
        self._streams = streams
        self._settings = settings
        self._seed = seed
        self._lengths = [[len(sentence) for sentence in stream.sentences] for stream in streams]
        self._epoch = -1
        self._steps: list[tuple[list[int], ...]] = []

    def steps(self, epoch: int) -> list[tuple[list[int], ...]]:
        """Per step of `epoch` (from 0): the sentences of each stream, in the order of the streams."""
        if epoch != self._epoch:
            passes = [self._one_pass(number, epoch, 0) for number in range(len(self._streams))]
            leading = [batches for stream, batches in zip(self._streams, passes, strict=True) if stream.sets_pace]
            length = max(len(batches) for batches in leading or passes)
            for number, batches in enumerate(passes):
                turn = 0
                while len(batches) < length:
                    turn += 1
                    batches += self._one_pass(number, epoch, turn)
                del batches[length:]
            self._epoch, self._steps = epoch, list(zip(*passes, strict=True))
        return self._steps

    def num_words(self, parts: Sequence[list[int]]) -> int:
        """Words of the sentences of one step."""
        return sum(lengths[i] for lengths, part in zip(self._lengths, parts, strict=True) for i in part)

    def epochs_done(self, state: State) -> float:
        """Epochs behind `state`, with a fraction."""
        return self._epochs(state.epoch, state.place)

    def done(self, state: State, ahead: float = 0.0) -> float:
        """Share (0 to 1) of the whole stage that is done `ahead` steps after `state`."""
        share = self._epochs(state.epoch, state.place + ahead) / self._settings.epochs
        if self._settings.max_steps is not None:
            share = max(share, (state.step + ahead) / self._settings.max_steps)
        return min(1.0, share)

    def over(self, state: State) -> str | None:
        """Which bound the stage has reached, "steps" or "epochs"; None while it has not."""
        if self._settings.max_steps is not None and state.step >= self._settings.max_steps:
            return "steps"
        return "epochs" if state.epoch >= self._settings.epochs else None

    def evaluation_is_due(self, state: State, before: float) -> bool:
        """Has the stage crossed a multiple of `evaluate_every` since `before` epochs, or is it over?"""
        every, tiny = self._settings.evaluate_every, 1e-9
        return (self.epochs_done(state) + tiny) // every > (before + tiny) // every or self.over(state) is not None

    def _epochs(self, epoch: int, place: float) -> float:
        return epoch + (place / len(self.steps(epoch)) if place else 0.0)

    def _one_pass(self, number: int, epoch: int, turn: int) -> list[list[int]]:
        scale = self._streams[number].batch_scale
        return epoch_batches(
            self._streams[number].num_pieces,
            max_sentences=max(1, round(self._settings.batch_sentences * scale)),
            max_pieces=round(self._settings.batch_pieces * max(1.0, scale)),
            seed=derive_seed(self._seed, "order", number, epoch, turn),
        )
