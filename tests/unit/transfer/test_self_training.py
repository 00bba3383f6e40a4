"""Self-training and discriminators as plans: rounds, streams, shares, and what is refused."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from builders import sentence
from nerbridge.config.loading import parse_experiment
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Annotation, Sentence, labels_of
from nerbridge.errors import TrainingError
from nerbridge.pipeline.description import describe_plan
from nerbridge.transfer.plan import plan_stages
from nerbridge.transfer.raw_text import ENOUGH, HELD_OUT
from nerbridge.transfer.self_training import labelled, with_own_labels
from nerbridge.transfer.stage import DomainData, Mixture, Plan, RawTexts

NEWS = (
    sentence("ada sang in london", (0, 1, "person"), (3, 4, "place")),
    sentence("bob wrote to ada", (0, 1, "person"), (3, 4, "person")),
    sentence("it rained"),
    sentence("ada slept", (0, 1, "person")),
)
NEWS_DEV = (sentence("bob slept", (0, 1, "person")),)
MUSIC = (sentence("bob sang", (0, 1, "band")),)
TEST = (sentence("the band sang", (1, 2, "band")),)
KEPT = (sentence("cyd sang", (0, 1, "person")), sentence("it snowed"))


def raw(*texts: str) -> tuple[Sentence, ...]:
    return tuple(sentence(text, annotation=Annotation.NONE) for text in texts)


def plan(texts: RawTexts, train: Sequence[Sentence] = (), **transfer: Any) -> Plan:
    tables = {
        "name": "test",
        "source": [{"datasets": ["news"]}],
        "target": {"dataset": "music"},
        "encoder": {"kind": "word_char"},
        "transfer": transfer,
        "training": {"joint": {"epochs": 3}},
    }
    news = DomainData("news", LabelSet.of(labels_of(NEWS)), NEWS, NEWS_DEV)
    music = DomainData("music", LabelSet.of(labels_of([*train, *TEST])), tuple(train), (), TEST)
    return plan_stages(parse_experiment(tables, where="test"), [[news]], music, texts)


def mixture(found: Plan, number: int = 0) -> Mixture:
    stage = found.stages[number].mixture
    assert stage is not None
    return stage


TEXT = RawTexts(target=raw("cyd sang", "the band sang", "it snowed"))


def test_every_round_is_a_stage_that_learns_what_the_one_before_has_labelled() -> None:
    found = plan(TEXT, kind="self_training", rounds=2, threshold=0.8, kept_weight=0.5)
    assert [stage.name for stage in found.stages] == ["round-0", "round-1", "round-2"]
    first, second, third = found.stages
    assert first.own_labels is None
    own = second.own_labels
    assert own is not None
    assert third.own_labels == replace(own, number=2)
    assert [" ".join(one.words) for one in own.raw] == ["cyd sang", "it snowed"]  # without the test sentence
    assert (own.domain, own.weight, own.keeping.threshold) == ("news", 0.5, 0.8)
    assert first.mixture == second.mixture
    assert [stream.name for stream in mixture(found).streams] == ["news/tags"]
    assert "self-training: 2 sentences of raw text of music tagged 2 times" in found.notes
    assert "music: 1 raw sentence left out, equal to a dev or test sentence of music" in found.notes
    assert [line for line in describe_plan(found) if line.startswith("plan")] == [
        "plan     1. round-0: news/tags (4 sentences), at most 3 epochs (about 3 steps), keeps the weights "
        "with the best dev F1",
        "plan     2. round-1: news/tags (4 sentences), what is sure of 2 sentences of raw text, at most 3 epochs, "
        "keeps the weights with the best dev F1",
        "plan     3. round-2: news/tags (4 sentences), what is sure of 2 sentences of raw text, at most 3 epochs, "
        "keeps the weights with the best dev F1",
    ]


def test_no_raw_sentence_is_spared_that_nothing_would_watch() -> None:
    texts = RawTexts(target=raw(*(f"w{number}" for number in range(ENOUGH))))
    (_, second) = plan(texts, kind="self_training").stages
    assert second.own_labels is not None
    assert len(second.own_labels.raw) == ENOUGH
    streams = ["source/tags", "target/words"]
    (first, second) = plan(texts, kind="self_training", streams=streams).stages
    assert second.own_labels is not None
    assert first.mixture is not None
    assert len(second.own_labels.raw) == len(first.mixture.streams[1].sentences) == ENOUGH - HELD_OUT


def test_kept_sentences_are_a_stream_of_the_same_head_in_proportion_to_their_number() -> None:
    stage = plan(TEXT, kind="self_training", kept_weight=0.5, source_weight=3.0).stages[1]
    assert labelled(stage) == NEWS
    full = with_own_labels(stage, KEPT)
    assert full.mixture is not None
    labelled_stream, kept = full.mixture.streams
    assert (kept.domain, kept.objective, kept.sentences, kept.of_source) == ("news", "tags", KEPT, False)
    assert (kept.batch_scale, kept.sets_pace) == (0.5, False)
    assert kept.weight == pytest.approx(0.5 * 0.5 * 3.0)  # kept_weight x share x weight of the labelled ones
    assert labelled_stream.weight == 3.0
    assert with_own_labels(stage, ()) == stage


def test_where_batches_are_scaled_those_of_kept_sentences_are_too() -> None:
    """One labelled sentence beside four of the source has quarter batches, and two kept ones twice as much."""
    streams = ["source/tags", "target/tags"]
    stage = plan(TEXT, MUSIC, kind="self_training", streams=streams, pace="scaled").stages[1]
    full = with_own_labels(stage, KEPT)
    assert full.mixture is not None
    assert [(one.domain, one.batch_scale) for one in full.mixture.streams] == [
        ("news", 1.0),
        ("music", 0.25),
        ("music", 0.5),
    ]


def test_with_labels_of_the_target_its_own_head_learns_from_kept_sentences() -> None:
    streams = ["source/tags", "target/tags"]
    stage = plan(TEXT, MUSIC, kind="self_training", streams=streams).stages[1]
    assert stage.own_labels is not None
    assert stage.own_labels.domain == "music"
    assert labelled(stage) == MUSIC


def test_labels_that_the_default_leaves_aside_are_said_with_the_way_to_learn_them() -> None:
    left = "zero-shot: the labels of 1 training sentence of music are left aside; "
    way = '--set \'transfer.streams=["source/tags","target/tags"]\' learns them'
    assert f"{left}{way}" in plan(TEXT, MUSIC, kind="self_training").notes
    named = plan(TEXT, MUSIC, kind="self_training", streams=["source/tags"]).notes
    unlabelled = plan(TEXT, (sentence("it rained"),), kind="self_training").notes
    assert not [note for notes in (named, unlabelled) for note in notes if "left aside" in note]


def test_self_training_without_raw_text_is_refused() -> None:
    with pytest.raises(TrainingError) as caught:
        plan(RawTexts(), kind="self_training")
    assert str(caught.value) == (
        "there is no raw text of music to label\n"
        "  where: music\n"
        "  expected: raw text of the target for self-training\n"
        "  hint: --set 'transfer.target_raw=[\"FILE\"]'; without it the words of the target's training set are read"
    )


def test_a_discriminator_has_streams_of_raw_text_that_nothing_else_reads() -> None:
    streams = ["source/tags", "source/domain", "target/domain"]
    found = mixture(plan(TEXT, kind="multi_task", streams=streams, adversary={"kind": "dann"}))
    assert [(one.name, one.of_source, one.sets_pace) for one in found.streams] == [
        ("news/tags", True, True),
        ("news/domain", True, False),
        ("music/domain", False, False),
    ]
    assert [len(one.sentences) for one in found.streams] == [4, 4, 2]
    assert found.objectives == ("tags",)  # their states are those for tags
    assert found.adversary.kind == "dann"
    assert found.spaces.keys() == {"news"}


def test_a_stream_of_the_discriminator_without_text_is_refused() -> None:
    with pytest.raises(TrainingError) as caught:
        plan(RawTexts(), kind="multi_task", streams=["source/tags", "target/domain"], adversary={"kind": "dann"})
    assert str(caught.value) == (
        "the stream 'music/domain' has no sentence\n"
        "  where: music\n"
        "  expected: raw text, or a training set whose words are read\n"
        "  hint: give raw text: transfer.target_raw, or --raw FILE of `nerbridge adapt`"
    )


def test_a_discriminator_reads_labelled_streams_too() -> None:
    found = mixture(
        plan(TEXT, MUSIC, kind="multi_task", streams=["source/tags", "target/tags"], adversary={"kind": "grad"})
    )
    assert [(one.name, one.of_source) for one in found.streams] == [("news/tags", True), ("music/tags", False)]
