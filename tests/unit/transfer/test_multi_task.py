"""Multi-task transfer: which streams a strategy asks for, with which text, weight and pace, and what is said."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from builders import sentence
from nerbridge.config.loading import parse_experiment
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Annotation, Origin, Sentence, labels_of
from nerbridge.errors import ConfigError, TrainingError
from nerbridge.transfer.plan import plan_stages
from nerbridge.transfer.raw_text import ENOUGH, HELD_OUT
from nerbridge.transfer.stage import DomainData, Mixture, Plan, RawTexts

NEWS = (
    sentence("ada sang in london", (0, 1, "PER"), (3, 4, "LOC")),
    sentence("bob wrote to ada", (0, 1, "PER"), (3, 4, "PER")),
    sentence("london sang", (0, 1, "LOC")),
    sentence("ada slept", (0, 1, "PER")),
)
NEWS_DEV = (sentence("bob slept", (0, 1, "PER")),)
MUSIC = (sentence("bob sang", (0, 1, "band")), sentence("ada wrote", (0, 1, "person")))
DEV = (sentence("the band sang", (1, 2, "band")),)
ZERO_SHOT = ["source/tags", "source/words", "target/words"]


def domain(name: str, train: Sequence[Sentence], dev: Sequence[Sentence] = ()) -> DomainData:
    return DomainData(name, LabelSet.of(labels_of([*train, *dev])), tuple(train), tuple(dev))


def raw(*texts: str) -> tuple[Sentence, ...]:
    return tuple(sentence(text, annotation=Annotation.NONE) for text in texts)


def plan(target: DomainData | None = None, texts: RawTexts | None = None, **transfer: Any) -> Plan:
    sides = {name.split("/")[0] for name in transfer.get("streams", ["source/tags"])}
    tables = {
        "name": "test",
        "target": {"dataset": "music"},
        "source": [{"datasets": ["news"]}] if "source" in sides else [],
        "encoder": {"kind": "word_char"},
        "transfer": {"kind": "multi_task", **transfer},
    }
    sources = [[domain("news", NEWS, NEWS_DEV)]] if "source" in sides else []
    return plan_stages(parse_experiment(tables, where="test"), sources, target or domain("music", MUSIC, DEV), texts)


def mixture(found: Plan) -> Mixture:
    (stage,) = found.stages
    assert stage.mixture is not None
    return stage.mixture


def names(found: Plan) -> list[str]:
    return [stream.name for stream in mixture(found).streams]


def test_all_four_streams_by_default_each_with_its_training_set() -> None:
    found = plan()
    (stage,) = found.stages
    assert (stage.name, stage.kind, stage.domain, stage.dev) == ("multi-task", "joint", "music", DEV)
    assert names(found) == ["news/tags", "news/words", "music/tags", "music/words"]
    sizes = [len(stream.sentences) for stream in mixture(found).streams]
    assert sizes == [4, 4, 2, 2]
    assert mixture(found).spaces["news"].names == ("LOC", "person")
    assert mixture(found).spaces["music"].names == ("band", "person")
    assert (mixture(found).tagged_by, mixture(found).selected_on) == ("music", "music")
    assert mixture(found).domains == ("news", "music")
    assert mixture(found).objectives == ("tags", "words")
    assert found.notes == ("news: label 'PER' is read as 'person'",)


@pytest.mark.parametrize(
    ("streams", "expected"),
    [
        (["source/tags", "target/tags"], ["news/tags", "music/tags"]),  # MULTITASK(NER), CO-NER
        (["target/words", "target/tags"], ["music/tags", "music/words"]),  # CO-LM
        (["source/tags"], ["news/tags"]),  # STM-SOURCE
    ],
)
def test_the_systems_of_the_paper_are_choices_of_streams(streams: list[str], expected: list[str]) -> None:
    assert names(plan(streams=streams)) == expected


def test_weights_are_those_of_equation_9() -> None:
    found = plan(source_weight=0.5, target_weight=2.0, words_weight=0.1)
    assert [stream.weight for stream in mixture(found).streams] == pytest.approx([0.5, 0.05, 2.0, 0.2])


@pytest.mark.parametrize(
    ("pace", "scales", "leading"),
    [
        ("tags", [1, 1, 1, 1], [True, False, True, False]),
        ("longest", [1, 1, 1, 1], [True, True, True, True]),
        ("scaled", [1, 1.5, 0.5, 0.5], [True, False, False, False]),
    ],
)
def test_the_pace_of_an_epoch(pace: str, scales: list[float], leading: list[bool]) -> None:
    texts = RawTexts(source=raw("a b", "a c", "a d", "a e", "a f", "a g"))
    streams = mixture(plan(pace=pace, texts=texts)).streams
    assert [stream.batch_scale for stream in streams] == scales
    assert [stream.sets_pace for stream in streams] == leading


def test_raw_text_takes_the_place_of_the_training_words_and_leaks_are_left_out() -> None:
    texts = RawTexts(target=raw("pixies sang", "the band sang", "blur slept"))
    found = plan(texts=texts)
    streams = {stream.name: stream for stream in mixture(found).streams}
    assert [one.words for one in streams["music/words"].sentences] == [("pixies", "sang"), ("blur", "slept")]
    assert streams["news/words"].sentences == plan().stages[0].mixture.streams[1].sentences  # type: ignore[union-attr]
    assert "music: 1 raw sentence left out, equal to a dev or test sentence of music" in found.notes
    kept = plan(texts=texts, drop_leaks=False)
    assert [len(stream.sentences) for stream in mixture(kept).streams] == [4, 4, 2, 3]


def test_mixed_raw_text_is_the_same_for_both_language_models() -> None:
    found = plan(texts=RawTexts(target=raw("pixies sang")), mix_raw=True)
    streams = {stream.name: stream for stream in mixture(found).streams}
    assert streams["news/words"].sentences == streams["music/words"].sentences
    assert len(streams["news/words"].sentences) == 5
    assert "mixed raw text: every language model learns from the same 5 sentences" in found.notes


def test_raw_text_that_several_sources_share_is_mixed_in_once() -> None:
    tables = {
        "name": "test",
        "target": {"dataset": "music"},
        "source": [{"datasets": ["news"]}, {"datasets": ["wire"]}],
        "encoder": {"kind": "word_char"},
        "transfer": {"kind": "multi_task", "mix_raw": True},
    }
    sources = [[domain("news", NEWS, NEWS_DEV)], [domain("wire", NEWS[:2], NEWS_DEV)]]
    texts = RawTexts(source=raw("a b", "a c"), target=raw("pixies sang"))
    experiment = parse_experiment(tables, where="test")
    streams = mixture(plan_stages(experiment, sources, domain("music", MUSIC, DEV), texts)).streams
    read = {stream.name: [one.words for one in stream.sentences] for stream in streams if stream.name.endswith("words")}
    assert [*read.values()] == 3 * [[("a", "b"), ("a", "c"), ("pixies", "sang")]]
    own = mixture(plan_stages(experiment, sources, domain("music", MUSIC, DEV), RawTexts())).streams
    assert {len(one.sentences) for one in own if one.name.endswith("words")} == {4 + 2 + 2}


def test_much_raw_text_spares_some_sentences_to_be_watched() -> None:
    texts = RawTexts(target=raw(*(f"word {number}" for number in range(ENOUGH))))
    stream = mixture(plan(texts=texts)).streams[-1]
    assert (len(stream.sentences), len(stream.watched)) == (ENOUGH - HELD_OUT, HELD_OUT)
    assert not set(stream.sentences) & set(stream.watched)
    blind = mixture(plan(texts=texts, watch=False)).streams
    assert [len(one.watched) for one in blind] == [0, 0, 0, 0]
    assert len(blind[-1].sentences) == ENOUGH


def test_with_little_raw_text_the_note_tells_what_is_watched_instead() -> None:
    texts = RawTexts(target=raw("pixies sang", "ada sang"))
    found = plan(texts=texts)
    assert mixture(found).streams[-1].watched == DEV
    assert (
        "music: its perplexity is watched on 1 labelled dev sentence, not on raw text: to hold out 200 of that, 2,000 "
        "raw sentences are needed, and there are 2"
    ) in found.notes
    many = domain("music", MUSIC, [sentence(f"the band {number}", (1, 2, "band")) for number in range(HELD_OUT + 1)])
    assert any("on 200 labelled dev sentences, not" in note for note in plan(many, texts).notes)
    without = plan(DomainData("music", LabelSet.of(("PER",)), (), ()), texts, streams=ZERO_SHOT)
    assert mixture(without).streams[-1].watched == ()
    assert (
        "music: its perplexity is not watched: for that 2,000 raw sentences are needed, 200 of which are held out, and "
        "there are 2"
    ) in without.notes
    assert not any("perplexity" in note for note in plan(texts=texts, watch=False).notes)


def test_without_target_labels_the_source_tags_and_selects() -> None:
    target = DomainData("music", LabelSet.of(("band", "person")), (), DEV)
    found = plan(target, RawTexts(target=raw("pixies sang")), streams=ZERO_SHOT)
    (stage,) = found.stages
    assert (stage.domain, [one.words for one in stage.dev]) == ("music", [("bob", "slept")])
    assert stage.labels.names == ("LOC", "person")
    assert stage.decodable is not None
    assert stage.decodable.names == ("person",)
    assert (mixture(found).tagged_by, mixture(found).selected_on) == ("news", "news")
    assert mixture(found).spaces.keys() == {"news"}
    assert found.notes[-4:] == (
        "zero-shot: no labelled sentence of music is learnt; its text is tagged by the head of news, the weights are "
        "chosen on its 1 dev sentence",
        "zero-shot: no weights are chosen on the 1 dev sentence of music, only scores come from there",
        "zero-shot: news lacks 1 label of music, whose entities can only be missed: band",
        "zero-shot: decoding uses the labels of music alone: person",
    )


def test_a_stream_without_text_is_refused() -> None:
    target = DomainData("music", LabelSet.of(()), ())
    with pytest.raises(TrainingError) as caught:
        plan(target, streams=ZERO_SHOT)
    assert str(caught.value) == (
        "the stream 'music/words' has no sentence\n"
        "  where: music\n"
        "  expected: raw text, or a training set whose words are read\n"
        "  hint: give raw text: transfer.target_raw, or --raw FILE of `nerbridge adapt`"
    )


@pytest.mark.parametrize("streams", [ZERO_SHOT, ["source/tags", "target/tags", "source/words", "target/words"]])
@pytest.mark.parametrize("mix_raw", [False, True])
def test_raw_text_of_nothing_but_test_sentences_is_refused(streams: list[str], mix_raw: bool) -> None:
    with pytest.raises(TrainingError) as caught:
        plan(texts=RawTexts(target=raw("the band sang", "the band sang")), streams=streams, mix_raw=mix_raw)
    assert str(caught.value) == (
        "music: 2 raw sentences left out, and none is left: all are equal to a dev or test sentence of music\n"
        "  where: music\n"
        "  expected: raw text that is not what the tagger is scored on\n"
        "  hint: give other raw text, or leave it out: the words of the training set are read then"
    )


def test_domains_of_one_name_are_told_apart() -> None:
    found = plan(domain("news", MUSIC, DEV))
    assert names(found) == ["news-source/tags", "news-source/words", "news/tags", "news/words"]


@pytest.mark.parametrize(("label", "one_cell", "said"), [("zebra", False, 1), ("zebra", True, 0), ("person", False, 0)])
def test_domains_that_share_no_cell_are_pointed_out(label: str, one_cell: bool, said: int) -> None:
    tables = {
        "name": "test",
        "target": {"dataset": "zoo"},
        "source": [{"datasets": ["news"]}],
        "encoder": {"kind": "word_char"},
        "context": {"kind": "multi_cell", "one_cell": one_cell},
        "transfer": {"kind": "multi_task", "streams": ["source/tags", "target/tags"]},
    }
    zoo = domain("zoo", (sentence("bob slept", (0, 1, label)),), DEV)
    found = plan_stages(parse_experiment(tables, where="test"), [[domain("news", NEWS, NEWS_DEV)]], zoo, None)
    assert [note for note in found.notes if note.startswith("cells")] == said * [
        "cells: zoo shares no label with news, and no cell but that of O; labels that mean the same must have the same "
        "name"
    ]


@pytest.mark.parametrize("kind", ["multi_task", "self_training"])
def test_sources_of_one_name_are_refused(kind: str) -> None:
    """They would share a head, and one would have the text of the other."""
    tables = {
        "name": "test",
        "target": {"dataset": "music"},
        "source": [{"datasets": ["news"]}, {"datasets": ["news"]}],
        "encoder": {"kind": "word_char"},
        "transfer": {"kind": kind, "streams": ["source/tags", "target/tags"]},
    }
    origins = [replace(NEWS[0], origin=Origin(f"{name}/train.txt", 1)) for name in "AB"]
    sources = [[domain("news", [first, *NEWS[1:]])] for first in origins]
    with pytest.raises(ConfigError) as caught:
        plan_stages(parse_experiment(tables, where="test"), sources, domain("music", MUSIC, DEV))
    assert str(caught.value) == (
        "two source tables have the domain 'news'\n"
        "  where: [[source]]: A/train.txt:1 and B/train.txt:1\n"
        "  expected: a name of its own for each [[source]], by which its head and its text are told apart\n"
        '  hint: domain = "news-2" in [[source.files]] of the second, or both files in one [[source]]'
    )
    music = [[domain("music", NEWS)], [domain("music-source", NEWS)]]
    with pytest.raises(ConfigError, match="two source tables have the domain 'music-source'"):
        plan_stages(parse_experiment(tables, where="test"), music, domain("music", MUSIC, DEV))
