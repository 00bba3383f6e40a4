"""An experiment and its data become stages: what each learns, from whom it starts, and what the user is told."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from builders import sentence
from nerbridge.cli import main
from nerbridge.config.experiment import Experiment
from nerbridge.config.loading import parse_experiment
from nerbridge.data.labels import LabelSet
from nerbridge.data.reading import read_sentences
from nerbridge.data.sentence import Sentence, labels_of
from nerbridge.errors import ConfigError, LabelError, TrainingError
from nerbridge.transfer.plan import plan_stages
from nerbridge.transfer.stage import DomainData, Plan

NEWS = (
    sentence("ada sang in london", (0, 1, "PER"), (3, 4, "LOC")),
    sentence("bob wrote to ada", (0, 1, "PER"), (3, 4, "PER")),
    sentence("the royal society sang", (1, 3, "ORG")),
    sentence("london sang", (0, 1, "LOC")),
)
BANDS = (sentence("the band sang with bob", (0, 2, "band"), (4, 5, "person")),)
TARGET = (sentence("bob sang", (0, 1, "singer")), sentence("ada wrote", (0, 1, "person")))
DEV = (sentence("the singer sang", (1, 2, "singer")),)


def domain(name: str, train: Sequence[Sentence], **splits: Sequence[Sentence]) -> DomainData:
    others = {split: tuple(sentences) for split, sentences in splits.items()}
    return DomainData(
        name, LabelSet.of(labels_of([*train, *(s for o in others.values() for s in o)])), tuple(train), **others
    )


def experiment(kind: str, *, sources: int = 1, **tables: Any) -> Experiment:
    source = [{"datasets": [f"source-{number}"]} for number in range(sources)]
    given = {"name": "test", "target": {"dataset": "music"}, "source": source, "transfer": {"kind": kind}}
    return parse_experiment({**given, **tables}, where="test")


def music(**splits: Sequence[Sentence]) -> DomainData:
    return domain("music", TARGET, **(splits or {"dev": DEV}))


def plan_one_source(kind: str, source: DomainData, target: DomainData, **transfer: Any) -> Plan:
    return plan_stages(experiment(kind, transfer={"kind": kind, **transfer}), [[source]], target)


def test_direct_learns_the_target_alone() -> None:
    target = music()
    plan = plan_stages(experiment("direct", sources=0), [], target)
    (stage,) = plan.stages
    assert (stage.name, stage.kind, stage.domain) == ("target", "target", "music")
    assert (stage.train, stage.dev, stage.labels) == (target.train, target.dev, target.labels)
    assert (stage.decodable, stage.bridge, plan.notes, plan.aliases) == (None, {}, (), {})


def test_sequential_learns_source_then_target_and_carries_labels_of_one_meaning() -> None:
    plan = plan_one_source("sequential", domain("news", NEWS), music())
    source, target = plan.stages
    assert (source.name, source.kind, source.domain, source.bridge) == ("source-1", "source", "news", {})
    assert source.labels.names == ("LOC", "ORG", "person")
    assert source.train[0].spans == sentence("ada sang in london", (0, 1, "person"), (3, 4, "LOC")).spans
    assert (target.name, target.kind, target.bridge) == ("target", "target", {"person": "person"})
    assert target.labels.names == ("person", "singer")
    assert plan.aliases == {"PER": "person"}
    assert plan.notes == (
        "news: label 'PER' is read as 'person'",
        "target: 1 of 2 labels starts from the stage before: person",
    )


def test_stages_have_the_settings_of_their_kind_and_a_source_its_own() -> None:
    asked = experiment(
        "sequential",
        source=[{"datasets": ["news"]}, {"datasets": ["bands"], "training": {"epochs": 12}}],
        training={"batch_sentences": 4, "target": {"epochs": 7}},
    )
    plan = plan_stages(asked, [[domain("news", NEWS)], [domain("bands", BANDS)]], music())
    assert [(stage.settings.epochs, stage.settings.selection) for stage in plan.stages] == [
        (2, "last"),
        (12, "last"),
        (7, "dev"),
    ]
    assert {stage.settings.batch_sentences for stage in plan.stages} == {4}


def test_two_source_stages_carry_from_neighbour_to_neighbour() -> None:
    plan = plan_stages(experiment("sequential", sources=2), [[domain("news", NEWS)], [domain("bands", BANDS)]], music())
    assert [stage.name for stage in plan.stages] == ["source-1", "source-2", "target"]
    assert [dict(stage.bridge) for stage in plan.stages] == [{}, {"person": "person"}, {"person": "person"}]
    assert plan.notes[-2:] == (
        "source-2: 1 of 2 labels starts from the stage before: person",
        "target: 1 of 2 labels starts from the stage before: person",
    )


def test_rows_come_from_the_stage_directly_before() -> None:
    target = domain("music", [sentence("the band sang in london", (1, 2, "band"), (4, 5, "LOC"))])
    plan = plan_stages(experiment("sequential", sources=2), [[domain("news", NEWS)], [domain("bands", BANDS)]], target)
    assert plan.stages[2].bridge == {"band": "band"}


def test_a_map_is_for_the_target_alone() -> None:
    asked = experiment("sequential", sources=2, transfer={"kind": "sequential", "bridge": {"singer": "band"}})
    plan = plan_stages(asked, [[domain("news", NEWS)], [domain("bands", BANDS)]], music())
    assert [dict(stage.bridge) for stage in plan.stages[1:]] == [
        {"person": "person"},
        {"person": "person", "singer": "band"},
    ]


def test_two_sources_agree_on_a_spelling_that_the_target_lacks() -> None:
    target = domain("music", [sentence("bob sang", (0, 1, "singer"))])
    plan = plan_stages(experiment("sequential", sources=2), [[domain("news", NEWS)], [domain("bands", BANDS)]], target)
    assert plan.stages[1].labels.names == ("PER", "band")
    assert plan.notes == (
        "bands: label 'person' is read as 'PER'",
        "source-2: 1 of 2 labels starts from the stage before: PER",
        "target: no label starts from the stage before",
    )


def test_data_sets_of_one_stage_are_one_stage_over_the_label_union() -> None:
    plan = plan_stages(experiment("sequential"), [[domain("news", NEWS), domain("bands", BANDS)]], music())
    source, _ = plan.stages
    assert (source.domain, source.labels.names) == ("news+bands", ("LOC", "ORG", "band", "person"))
    assert [s.words for s in source.train] == [s.words for s in (*NEWS, *BANDS)]


def test_a_map_lets_new_labels_start_from_others() -> None:
    plan = plan_one_source("sequential", domain("news", NEWS), music(), bridge={"singer": "person"})
    assert plan.stages[1].bridge == {"person": "person", "singer": "person"}
    assert plan.notes[-1] == "target: 2 of 2 labels start from the stage before: person, singer <- person"


def test_without_carrying_only_the_map_counts() -> None:
    news = domain("news", NEWS)
    plan = plan_one_source("sequential", news, music(), bridge={"singer": "ORG"}, carry_labels=False)
    assert plan.stages[1].bridge == {"singer": "ORG"}
    assert plan_one_source("sequential", news, music(), carry_labels=False).stages[1].bridge == {}


@pytest.mark.parametrize(
    ("bridge", "missing", "labels"),
    [({"singer": "PER"}, "PER", "LOC, ORG, person"), ({"drummer": "person"}, "drummer", "person, singer")],
)
def test_a_map_to_labels_that_do_not_exist_is_refused(bridge: dict[str, str], missing: str, labels: str) -> None:
    ((new, old),) = bridge.items()
    with pytest.raises(ConfigError) as caught:
        plan_one_source("sequential", domain("news", NEWS), music(), bridge=bridge)
    assert str(caught.value) == (
        f"the label bridge '{new}' <- '{old}' names '{missing}', which does not exist\n"
        "  where: transfer.bridge\n"
        f"  expected: one of {labels}\n"
        "  hint: the left side is a label of the target, the right side one of the stage before"
    )


def test_a_data_set_with_two_spellings_of_one_label_is_refused() -> None:
    torn = domain("news", [sentence("ada sang with bob", (0, 1, "PER"), (3, 4, "person"))])
    target = domain("music", [sentence("ada sang", (0, 1, "people"))])
    with pytest.raises(LabelError) as caught:
        plan_one_source("sequential", torn, target)
    assert str(caught.value) == (
        "labels 'person' and 'PER' both mean 'people'\n"
        "  where: news\n"
        "  expected: one spelling per label inside a data set\n"
        "  hint: make them one with `nerbridge data convert FILE NEW --rename person=PER`, "
        "and name the new file instead"
    )


def test_two_spellings_in_files_are_named_with_a_whole_command(tmp_path: Path) -> None:
    file = tmp_path / "the news.txt"
    file.write_text("Ada\tB-PER\n\nACM\tB-organization\n\nIEEE\tB-organisation\n", encoding="utf-8")
    torn = domain("news", read_sentences(file).sentences)
    target = domain("music", [sentence("ada sang", (0, 1, "organisation"))])
    with pytest.raises(LabelError) as caught:
        plan_one_source("sequential", torn, target)
    new = tmp_path / "renamed-the news.txt"
    command = f"nerbridge data convert '{file}' '{new}' --rename organization=organisation"
    assert str(caught.value) == (
        "labels 'organization' and 'organisation' both mean 'organisation'\n"
        f"  where: news: 'organization' in the sentence at {file}:3, 'organisation' in the sentence at {file}:5\n"
        "  expected: one spelling per label inside a data set\n"
        f"  hint: make them one with `{command}`, and name the new file instead"
    )
    assert main(shlex.split(command)[1:]) == 0
    mended = domain("news", read_sentences(new).sentences)
    assert plan_one_source("sequential", mended, target).stages[0].labels.names == ("PER", "organisation")


def test_source_sentences_that_the_target_is_scored_on_are_counted_and_left_out() -> None:
    news = domain("news", NEWS, dev=[sentence("bob wrote to ada", (0, 1, "PER"))])
    target = music(dev=[sentence("london sang")], test=[sentence("bob wrote to ada")])
    plan = plan_one_source("sequential", news, target)
    assert [s.words for s in plan.stages[0].train] == [s.words for s in (NEWS[0], NEWS[2])]
    assert plan.stages[0].dev == ()
    assert "news: 2 training and 1 dev sentence are left out, equal to a dev or test sentence of music" in plan.notes
    kept = plan_one_source("sequential", news, target, drop_leaks=False)
    assert len(kept.stages[0].train) == 4
    assert not any("left out" in note for note in kept.notes)


def test_joint_leaves_them_out_too_and_balances_what_is_left() -> None:
    target = music(dev=DEV, test=[sentence("bob wrote to ada"), sentence("london sang")])
    plan = plan_one_source("joint", domain("news", NEWS), target)
    assert [s.words for s in plan.stages[0].train] == [s.words for s in (NEWS[0], NEWS[2], *TARGET)]
    assert "news: 2 training sentences are left out, equal to a dev or test sentence of music" in plan.notes


def test_one_leak_is_said_in_the_singular() -> None:
    plan = plan_one_source("sequential", domain("news", NEWS), music(dev=[sentence("london sang")]))
    assert "news: 1 training sentence is left out, equal to a dev or test sentence of music" in plan.notes


def test_the_target_keeps_its_own_sentences_whatever_its_test_holds() -> None:
    target = music(test=TARGET)
    assert plan_one_source("sequential", domain("news", NEWS), target).stages[1].train == TARGET


def test_joint_is_one_stage_over_all_labels_that_decodes_the_targets() -> None:
    plan = plan_one_source("joint", domain("news", NEWS), music())
    (stage,) = plan.stages
    assert (stage.name, stage.kind, stage.domain) == ("joint", "joint", "music")
    assert stage.labels.names == ("LOC", "ORG", "person", "singer")
    assert stage.decodable is not None
    assert stage.decodable.names == ("person", "singer")
    assert stage.dev == DEV


def test_joint_repeats_the_target_until_both_sides_balance_and_says_how_often() -> None:
    plan = plan_one_source("joint", domain("news", NEWS), music())
    assert len(plan.stages[0].train) == 4 + 2 * 2
    assert plan.stages[0].train.count(TARGET[0]) == 2
    assert plan.notes[-1] == "joint: each of 2 target sentences is seen 2 times per epoch beside 4 source sentences"


@pytest.mark.parametrize(("num_source", "factor"), [(1, 1), (2, 1), (3, 2), (4, 2), (9, 4), (11, 6)])
def test_the_balance_is_the_nearest_whole_number_and_at_least_one(num_source: int, factor: int) -> None:
    source = domain("news", [sentence(f"ada sang {number}", (0, 1, "PER")) for number in range(num_source)])
    plan = plan_one_source("joint", source, music())
    assert len(plan.stages[0].train) == num_source + 2 * factor


def test_joint_repeats_as_often_as_the_recipe_says() -> None:
    plan = plan_one_source("joint", domain("news", NEWS), music(), upsample=50)
    assert len(plan.stages[0].train) == 4 + 2 * 50


def test_joint_unites_all_source_stages() -> None:
    plan = plan_stages(experiment("joint", sources=2), [[domain("news", NEWS)], [domain("bands", BANDS)]], music())
    assert plan.stages[0].labels.names == ("LOC", "ORG", "band", "person", "singer")
    assert sum(sentence in NEWS[2:] for sentence in plan.stages[0].train) == 2
    assert sum(sentence in BANDS for sentence in plan.stages[0].train) == 1


@pytest.mark.parametrize("empty", ["news", "music"])
def test_a_data_set_without_training_sentences_is_refused(empty: str) -> None:
    news = domain("news", () if empty == "news" else NEWS, test=NEWS)
    target = domain("music", () if empty == "music" else TARGET, test=TARGET)
    with pytest.raises(TrainingError) as caught:
        plan_stages(experiment("sequential"), [[domain("bands", BANDS), news]], target)
    assert str(caught.value) == (
        f"{empty} has no training sentence\n"
        f"  where: {empty}\n"
        "  expected: at least one labelled sentence\n"
        "  hint: a test-only data set can be evaluated with `nerbridge evaluate`, not trained on"
    )


def test_a_source_that_is_all_leaks_is_refused() -> None:
    with pytest.raises(TrainingError) as caught:
        plan_one_source("sequential", domain("bands", BANDS), music(test=BANDS))
    assert str(caught.value) == (
        "every training sentence of bands equals a dev or test sentence of music\n"
        "  where: bands\n"
        "  expected: a source with sentences that the target is neither selected nor scored on\n"
        "  hint: give another source; with --set transfer.drop_leaks=false they are learnt, and the scores flatter"
    )
