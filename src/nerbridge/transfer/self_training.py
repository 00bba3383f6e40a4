"""Self-training: a tagger labels raw text of the target, and learns from what it is sure of (the SELF-TRAIN row of Jia
et al. 2019, table 4, which names Daume III 2008; its constraints between two tasks are not here).

    round 0        train on the streams
    round k        tag the raw text with the tagger of round k - 1, keep what is sure, train anew on the streams and it

A kept sentence counts `kept_weight` times what a labelled one of the same head does: the kept ones are a stream more,
with batches and a weight in proportion to their number, so that they end together with the labelled sentences. Every
round starts anew, from random weights of the same seed; nothing but the kept sentences is carried from one to the next,
and what a later tagger is no longer sure of is dropped again.

A round that keeps nothing would learn what round 0 has learnt, from the same weights with the same seed, and end as the
same tagger to the bit; so the tagger of round 0 is taken, and the rounds end: more of them would go in a circle.
"""

from collections.abc import Sequence
from dataclasses import replace

from nerbridge.config.experiment import Experiment
from nerbridge.config.transfer import SelfTrainingSettings
from nerbridge.data.sentence import Sentence
from nerbridge.errors import TrainingError
from nerbridge.transfer.multi_task import apart, mixed_stage
from nerbridge.transfer.raw_text import raw_sides
from nerbridge.transfer.stage import DomainData, OwnLabels, Plan, RawTexts, Stage, StreamPlan
from nerbridge.wording import counted

FIRST = "round-0"  # the stage that learns from the streams alone


def self_training(
    experiment: Experiment,
    strategy: SelfTrainingSettings,
    sources: Sequence[DomainData],
    target: DomainData,
    raw: RawTexts,
) -> Plan:
    """One stage per round, round 0 included. Raises TrainingError when a stream, or the raw text, has no sentence."""
    sources = apart(sources, target)
    sides, notes = raw_sides(strategy, sources, target, raw)
    first, said = mixed_stage(experiment, strategy, sources, target, sides)
    text = sides[target.name].sentences
    if not text:
        raise _no_text(target.name)
    assert first.mixture is not None
    own = OwnLabels(text, strategy.keeping, first.mixture.tagged_by, strategy.kept_weight)
    rounds = [
        replace(first, name=f"round-{number}", own_labels=replace(own, number=number))
        for number in range(1, strategy.rounds + 1)
    ]
    times = counted(strategy.rounds, "time")
    notes.append(f"self-training: {counted(len(text), 'sentence')} of raw text of {target.name} tagged {times}")
    return Plan((replace(first, name=FIRST), *rounds), (*notes, *said))


def with_own_labels(stage: Stage, kept: Sequence[Sentence]) -> Stage:
    """The stage with one stream more, of the sentences that its teacher has labelled; as it is where there are none."""
    own, mixture = stage.own_labels, stage.mixture
    assert own is not None
    assert mixture is not None
    if not kept:
        return stage
    beside = next(stream for stream in mixture.streams if _teaches(stream, own.domain))
    share = len(kept) / len(beside.sentences)
    scale, weight = share * beside.batch_scale, own.weight * share * beside.weight
    stream = StreamPlan(own.domain, "tags", tuple(kept), weight, batch_scale=scale, sets_pace=False)
    return replace(stage, mixture=replace(mixture, streams=(*mixture.streams, stream)))


def labelled(stage: Stage) -> tuple[Sentence, ...]:
    """The labelled sentences of the head that learns from kept ones."""
    assert stage.own_labels is not None
    assert stage.mixture is not None
    return next(one.sentences for one in stage.mixture.streams if _teaches(one, stage.own_labels.domain))


def _teaches(stream: StreamPlan, domain: str) -> bool:
    return stream.objective == "tags" and stream.domain == domain


def _no_text(target: str) -> TrainingError:
    return TrainingError(
        f"there is no raw text of {target} to label",
        where=target,
        expected="raw text of the target for self-training",
        hint="--set 'transfer.target_raw=[\"FILE\"]'; without it the words of the target's training set are read",
    )
