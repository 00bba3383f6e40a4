"""What a run with raw text will do, and how long it should take: said before anything is done.

Steps that the cache has are named as such. For the others the pace of this machine is measured for a few seconds; how
many words a level will have is not known before it is chosen, so the whole corpus stands for it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nerbridge.config.experiment import Experiment
from nerbridge.pipeline.pretrained.first_tagger import first_experiment
from nerbridge.pipeline.pretrained.lookup import Known, look_up, looks_too_small
from nerbridge.pipeline.pretrained.probes import probe_pieces, probe_tagger, probe_text, sample_folder
from nerbridge.pipeline.pretrained.work import RawWork
from nerbridge.pipeline.processes import is_main
from nerbridge.pipeline.sequence import are_finished, stage_folder, stage_keys
from nerbridge.pipeline.stage_time import TAGGING, num_words, stage_seconds
from nerbridge.pipeline.stages import is_finished
from nerbridge.pretraining.estimate import HEAD_SHARE, READ_SHARE
from nerbridge.pretraining.loading import load_masked_model
from nerbridge.training.processes import Processes
from nerbridge.training.progress import clock_text

PIECES_PER_WORD = 1.35  # of English text in word pieces, about
HELD_SHARE = 0.05  # of the text is held out at most
FILLED = 0.95  # share of a batch that is no padding, about
CHOOSING = 400_000  # words per second in which names are found, twice over


@dataclass(frozen=True)
class Step:
    """seconds: how long it should take; 0 where it is finished, None where that cannot be told yet."""

    name: str
    seconds: float | None
    done: bool = False


@dataclass(frozen=True)
class PiecePace:
    """per_second: pieces that the pre-training learns from. new_head: must the encoder get a head first?"""

    per_second: float
    new_head: bool


def forecast(work: RawWork, run_folder: Path) -> list[Step]:
    """Every step of the run with the time that it should take. All processes of a run try the batches together.

    Raises ConfigError for an encoder that cannot be pre-trained: before anything is built for it.
    """
    known = Processes().from_main(look_up(work) if is_main() else None)
    assert known is not None, "the main process has looked"
    new_head = known.encoder is None and _needs_new_head(work)
    stages = _stage_steps(work, known, run_folder)
    with sample_folder() as place:
        text, sample = probe_text(work, Path(place)) if known.level is None else (None, known.level)
        words = float(known.level.num_words) if known.level is not None else text.words if text is not None else 0.0
        steps = [Step("corpus", 0.0 if known.corpus or text is None else text.seconds, known.corpus is not None)]
        if not work.experiment.selection.takes_all:
            if not known.names and work.experiment.gazetteer.tagged_words:
                steps.append(Step("first tagger and names", _first_seconds(work, words)))
            steps.append(Step("level", 0.0 if known.level else words / CHOOSING, known.level is not None))
        if known.encoder is not None:
            steps.append(Step("pre-training", 0.0, done=True))
        elif sample is None:
            steps.append(Step("pre-training", None))
        elif _is_enough(work, known, words):
            steps.append(
                Step("pre-training", pretraining_seconds(work, words, PiecePace(probe_pieces(work, sample), new_head)))
            )
    return [*steps, *stages]


def _needs_new_head(work: RawWork) -> bool:
    """Must the encoder get a head first? Raises ConfigError for one that cannot learn as it is to."""
    return load_masked_model(work.encoder, work.experiment.pretraining)[0].new_head


def _is_enough(work: RawWork, known: Known, words: float) -> bool:
    """Will there be a pre-training? A level has no more distinct sentences than the corpus that it is chosen from."""
    if known.level is not None:
        return not looks_too_small(work, known.level)
    return words >= work.experiment.selection.min_words


def pretraining_seconds(work: RawWork, words: float, pace: PiecePace) -> float:
    """What a pre-training on so many words should take."""
    settings = work.experiment.pretraining
    pieces = max(words * PIECES_PER_WORD, 1.0)
    per_epoch = max(1, math.ceil(pieces / (FILLED * settings.batch_pieces)))
    own = settings.epochs * per_epoch
    steps = own if settings.max_steps is None else min(own, settings.max_steps)
    cost = pieces / per_epoch * (steps + HEAD_SHARE * (settings.head_steps if pace.new_head else 0))
    looks = 2 + steps // settings.evaluate_every
    cost += 2 * looks * READ_SHARE * min(settings.held_out_pieces, HELD_SHARE * pieces)
    return cost / pace.per_second


def describe_forecast(steps: Sequence[Step]) -> list[str]:
    """'time     about 12:30 in all, ...: corpus 0:20, ...', and what is finished or cannot be told yet."""
    left = [(step.name, step.seconds) for step in steps if not step.done and step.seconds is not None]
    later = [step.name for step in steps if step.seconds is None]
    done = [step.name for step in steps if step.done]
    lines = [f"cache    {', '.join(done)}: finished by an earlier run"] if done else []
    if left:
        parts = ", ".join(f"{name} {clock_text(seconds)}" for name, seconds in left)
        total = clock_text(sum(seconds for _, seconds in left))
        without = f" without {', '.join(later)}, whose time is told when the text is known" if later else " in all"
        lines.append(f"time     about {total}{without}, beside start-up and the short trials that tell it: {parts}")
    return lines


def _stage_steps(work: RawWork, known: Known, run_folder: Path) -> list[Step]:
    experiment, plan = work.experiment, work.plan
    finished: list[bool] = [False] * len(plan.stages)
    if known.encoder is not None:
        encoder = experiment.encoder.model_copy(update={"checkpoint": str(known.encoder), "revision": None})
        adapted = experiment.model_copy(update={"encoder": encoder})
        keys = stage_keys(adapted, plan)
        finished = are_finished(keys, work.surroundings.cache, run_folder / "stage")
    finished = Processes().from_main(finished)
    if all(finished):
        return [Step(stage.name, 0.0, done=True) for stage in plan.stages]
    pace, target = probe_tagger(experiment, plan.stages[0]), work.data.target
    steps = [
        Step(stage.name, 0.0 if done else stage_seconds(stage, pace), done)
        for stage, done in zip(plan.stages, finished, strict=True)
    ]
    words = len(plan.stages) * num_words(target.dev) + num_words(target.test)  # dev is scored behind every stage
    return [*steps, Step("scores", words / (TAGGING * pace))]


def _first_seconds(work: RawWork, words: float) -> float:
    """The first tagger's stages that the cache lacks, and its reading."""
    settings = work.experiment.gazetteer
    first: Experiment = first_experiment(work.experiment)
    pace = probe_tagger(first, work.plan.stages[0])
    keys = stage_keys(first, work.plan)
    places = [stage_folder(work.surroundings.cache, key) for key in keys]
    left = [
        stage_seconds(stage, pace)
        for stage, place, key in zip(work.plan.stages, places, keys, strict=True)
        if not is_finished(place, key)
    ]
    return sum(left) + min(words, settings.tagged_words) / (TAGGING * pace)
