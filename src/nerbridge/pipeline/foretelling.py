"""How long a run should take, said when a stage has learnt for some seconds: at the pace of this machine and model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nerbridge.data.sentence import Sentence
from nerbridge.pipeline.stage_time import TAGGING, num_words, stage_seconds
from nerbridge.training.evaluation import Evaluation
from nerbridge.training.progress import Moment, Progress, clock_text
from nerbridge.transfer.stage import Stage

WORTH_SAYING = 15.0  # seconds
SOON, STEPS = 5.0, 5  # seconds of learning after which a pace is one, and steps; not the first, which make things ready


@dataclass
class Foretelling:
    """Shows progress as `shown` does, and says once in every stage what is left of the whole run, if that is long.

    Not behind the last step of a stage: the next one says it, at its own pace.

    left: the stages that are not finished, in order. scored: sentences that are tagged at the end.
    """

    shown: Progress
    left: Callable[[], Sequence[Stage]]
    scored: Sequence[Sentence]
    say: Callable[[str], None]
    _told: bool = False
    _stage: str = ""
    _first: Moment | None = None

    def start(self, stage: str) -> None:
        """A stage begins or goes on."""
        self._stage, self._first, self._told = stage, None, False
        self.shown.start(stage)

    def advance(self, moment: Moment) -> None:
        """It has got so far."""
        if self._first is None:
            self._first = moment
        seconds = moment.learning_seconds - self._first.learning_seconds
        if not self._told and moment.done < 1 and seconds >= SOON and moment.step >= self._first.step + STEPS:
            self._told = True
            self._tell((moment.words - self._first.words) / seconds, moment.done)
        self.shown.advance(moment)

    def evaluated(self, moment: Moment, evaluation: Evaluation, *, improved: bool) -> None:
        """Dev was evaluated."""
        self.shown.evaluated(moment, evaluation, improved=improved)

    def close(self) -> None:
        """It has ended, whether well or not."""
        self.shown.close()

    def _tell(self, pace: float, done: float) -> None:
        steps = {stage.name: stage_seconds(stage, pace) for stage in self.left()}
        if self._stage in steps:
            steps[self._stage] *= 1 - done
        if self.scored:
            steps["scores"] = num_words(self.scored) / (TAGGING * pace)
        whole = sum(steps.values())
        if whole < WORTH_SAYING:
            return
        parts = ", ".join(f"{name} {clock_text(seconds)}" for name, seconds in steps.items())
        self.say(f"time     about {clock_text(whole)} until this run ends" + (f": {parts}" if len(steps) > 1 else ""))
