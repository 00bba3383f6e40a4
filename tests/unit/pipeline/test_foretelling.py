from dataclasses import replace

import pytest

from nerbridge.config.training import TrainingSettings
from nerbridge.config.words import WordsSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Sentence
from nerbridge.pipeline.foretelling import Foretelling
from nerbridge.pipeline.stage_time import stage_seconds
from nerbridge.training.evaluation import Evaluation
from nerbridge.training.progress import Moment
from nerbridge.transfer.stage import Mixture, Stage, StreamPlan

TEN = Sentence(("word",) * 10)
LABELS = LabelSet(("person",))
LAST = TrainingSettings(epochs=2, batch_sentences=8, selection="last")


class Silent:
    """Shows nothing; keeps what it is told."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    def start(self, stage: str) -> None:
        self.seen.append(stage)

    def advance(self, moment: Moment) -> None:
        self.seen.append(moment)

    def evaluated(self, moment: Moment, evaluation: Evaluation, *, improved: bool) -> None:
        self.seen.append((moment, evaluation, improved))

    def close(self) -> None:
        self.seen.append("closed")


def _stage(name: str, sentences: int, settings: TrainingSettings = LAST) -> Stage:
    return Stage(name, "source", "news", LABELS, (TEN,) * sentences, (), settings)


def _mixed(*streams: StreamPlan, settings: TrainingSettings = LAST) -> Stage:
    mixture = Mixture(streams, {"news": LABELS}, "news", "news", WordsSettings())
    return replace(_stage("joint", 0, settings), mixture=mixture)


def _moment(seconds: float, words: int, done: float = 0.0) -> Moment:
    return Moment(
        step=words,
        epoch=0.0,
        done=done,
        loss=1.0,
        best_f1=None,
        seconds=seconds,
        seconds_left=None,
        words=words,
        learning_seconds=seconds,
    )


def test_a_stage_takes_its_words_at_the_pace() -> None:
    assert stage_seconds(_stage("source-1", 16), pace=10.0) == 32.0


def test_a_mixture_takes_the_words_of_every_stream_until_those_that_set_the_pace_have_ended() -> None:
    tags = StreamPlan("news", "tags", (TEN,) * 16)
    words = StreamPlan("biology", "words", (TEN,) * 1000, sets_pace=False)
    assert stage_seconds(_mixed(tags, words), pace=10.0) == 2 * (16 + 16) * 10 / 10.0
    longest = replace(words, sets_pace=True)
    assert stage_seconds(_mixed(tags, longest), pace=10.0) == 2 * (1000 + 1000) * 10 / 10.0


def test_a_scaled_stream_gives_so_many_times_the_sentences() -> None:
    tags = StreamPlan("news", "tags", (TEN,) * 16)
    words = StreamPlan("biology", "words", (TEN,) * 1000, batch_scale=3.0, sets_pace=False)
    assert stage_seconds(_mixed(tags, words), pace=10.0) == 2 * (16 + 48) * 10 / 10.0


def test_steps_end_a_mixture_sooner_than_epochs() -> None:
    tags = StreamPlan("news", "tags", (TEN,) * 16)
    assert stage_seconds(_mixed(tags, settings=LAST.model_copy(update={"max_steps": 1})), pace=10.0) == 8.0


@pytest.fixture
def said() -> list[str]:
    return []


def _told(said: list[str], *stages: Stage, scored: int = 0) -> tuple[Foretelling, Silent]:
    shown = Silent()
    return Foretelling(shown, lambda: stages, (TEN,) * scored, said.append), shown


def test_the_whole_is_told_at_the_pace_behind_the_first_steps_and_again_in_the_next_stage(said: list[str]) -> None:
    stages = [_stage("source-1", 1600), _stage("target", 160)]
    shown = Silent()
    progress = Foretelling(shown, lambda: stages, (TEN,) * 30, said.append)
    progress.start("source-1")
    for moment in (_moment(4.0, 20), _moment(8.0, 400), _moment(9.0, 520, done=0.25), _moment(20.0, 9000, done=0.5)):
        progress.advance(moment)
    progress.close()
    assert said == ["time     about 4:33 until this run ends: source-1 4:00, target 0:32, scores 0:01"]
    del stages[0]
    progress.start("target")
    progress.advance(_moment(1.0, 10))
    progress.advance(_moment(6.0, 510))
    assert said[1:] == ["time     about 0:33 until this run ends: target 0:32, scores 0:01"]


def test_what_is_over_in_seconds_is_not_foretold(said: list[str]) -> None:
    progress, shown = _told(said, _stage("source-1", 16))
    progress.start("source-1")
    moments = _moment(1.0, 20), _moment(4.0, 80), _moment(9.0, 600)
    for moment in moments:
        progress.advance(moment)
    progress.close()
    assert not said
    assert shown.seen == ["source-1", *moments, "closed"]


def test_a_pace_needs_some_steps(said: list[str]) -> None:
    progress, _ = _told(said, _stage("target", 160))
    progress.start("target")
    for moment, step in ((_moment(9.0, 20), 1), (_moment(24.0, 520), 3), (_moment(59.0, 1020), 6)):
        progress.advance(replace(moment, step=step))
    assert said == ["time     about 2:40 until this run ends"]


def test_behind_the_last_step_of_a_stage_nothing_is_told(said: list[str]) -> None:
    progress, shown = _told(said, _stage("round-0", 160), _stage("round-1", 160))
    progress.start("round-0")
    for moment in (_moment(1.0, 20), _moment(9.0, 520, done=1.0)):
        progress.advance(moment)
    assert not said
    assert len(shown.seen) == 3


def test_a_stage_counts_its_own_first_steps(said: list[str]) -> None:
    progress, _ = _told(said, _stage("target", 160))
    for stage, moment in (("source-1", _moment(1.0, 20)), ("target", _moment(9.0, 20)), ("target", _moment(14.0, 520))):
        progress.start(stage)
        progress.advance(moment)
    assert not said
    progress.advance(_moment(19.0, 1020))
    assert said == ["time     about 0:32 until this run ends"]


def test_what_a_mixture_watches_counts_in_every_evaluation() -> None:
    tags = StreamPlan("news", "tags", (TEN,) * 16, watched=(TEN,) * 5)
    stage = replace(_mixed(tags, settings=LAST.model_copy(update={"evaluate_every": 1.0})), dev=(TEN,) * 3)
    assert stage_seconds(stage, pace=10.0) == 2 * 16 + 2 * (1 + 5)
