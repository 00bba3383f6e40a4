"""Which sentences every step learns from: a pure function of the seed, the epoch and the place in the epoch."""

from collections.abc import Sequence

from nerbridge.batching.buckets import epoch_batches
from nerbridge.batching.streams import Stream
from nerbridge.config.training import TrainingSettings
from nerbridge.training.seeding import derive_seed


class Timetable:
    """The batches of every epoch.

    One step takes one mini-batch of every stream. An epoch ends when the stream with the most batches ends; the others
    start again, shuffled anew, as often as needed.
    """

    def __init__(self, streams: Sequence[Stream], settings: TrainingSettings, seed: int) -> None:
        self._streams = streams
        self._settings = settings
        self._seed = seed
        self._epoch = -1
        self._steps: list[tuple[list[int], ...]] = []

    def steps(self, epoch: int) -> list[tuple[list[int], ...]]:
        """Per step of `epoch` (from 0): the sentences of each stream, in the order of the streams."""
        if epoch != self._epoch:
            passes = [self._one_pass(number, epoch, 0) for number in range(len(self._streams))]
            length = max(len(batches) for batches in passes)
            for number, batches in enumerate(passes):
                turn = 0
                while len(batches) < length:
                    turn += 1
                    batches += self._one_pass(number, epoch, turn)
                del batches[length:]
            self._epoch, self._steps = epoch, list(zip(*passes, strict=True))
        return self._steps

    def epochs_done(self, epoch: int, place: float) -> float:
        """Epochs behind the first `place` steps of `epoch`."""
        return epoch + (place / len(self.steps(epoch)) if place else 0.0)

    def done(self, epoch: int, place: float, step: float) -> float:
        """Share (0 to 1) of the whole stage behind `step` steps, of which `place` lie in `epoch`."""
        share = self.epochs_done(epoch, place) / self._settings.epochs
        return min(1.0, max(share, step / self._settings.max_steps if self._settings.max_steps else 0.0))

    def _one_pass(self, number: int, epoch: int, turn: int) -> list[list[int]]:
        return epoch_batches(
            self._streams[number].num_pieces,
            max_sentences=self._settings.batch_sentences,
            max_pieces=self._settings.batch_pieces,
            seed=derive_seed(self._seed, "order", number, epoch, turn),
        )
