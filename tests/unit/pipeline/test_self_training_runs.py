"""Self-training and discriminators from settings to a tagger: what is kept, resumed, reported."""

import json
from pathlib import Path
from typing import Any

import pytest
from running import Runner, weights

from nerbridge.assembly.bundle import load_bundle
from nerbridge.data.sentence import Sentence
from nerbridge.pipeline import keys, own_labels, sequence, stages
from nerbridge.pipeline.data import load_data
from nerbridge.pipeline.stages import run_stage
from nerbridge.training.journal import read_journal
from nerbridge.transfer.plan import plan_stages
from nerbridge.transfer.stage import Stage
from tiny_project import NEWS, draw, write_project

TRUTH = draw(30, NEWS, seed=9)  # of the raw text
TEXT = {"streams": ["source/tags"], "threshold": 0.5}
KEEPS = {"rounds": 2, "threshold": 0.1, "without_entity": 1.0}  # something in every round, however short


class Killed(BaseException):
    """Nothing in the product catches this, as nothing catches a SIGKILL."""


def make_runner(folder: Path) -> Runner:
    write_project(folder)
    text = "\n\n".join(" ".join(word for word, _ in rows) for rows in TRUTH)
    (folder / "raw.txt").write_text(text, encoding="utf-8")
    return Runner(folder)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return make_runner(tmp_path / "project")


def tables(
    runner: Runner, context: str = "bilstm", *, encoder: str = "word_char", epochs: int = 3, **transfer: Any
) -> dict[str, Any]:
    files = {"train": str(runner.project / "news.txt"), "dev": str(runner.project / "news.txt"), "domain": "news"}
    sizes = {"word_width": 12, "character_width": 6, "character_hidden": 6, "dropout": 0.1}
    encoders = {
        "word_char": {"kind": "word_char", "vectors": "none", **sizes},
        "transformer": {"kind": "transformer", "checkpoint": str(runner.project / "encoder")},
    }
    return {
        "source": [{"files": [files]}],
        "encoder": encoders[encoder],
        "context": {"kind": context, **({} if context == "none" else {"hidden": 16})},
        "tagger": {"kind": "crf"},
        "transfer": {"target_raw": [str(runner.project / "raw.txt")], **transfer},
        "training": {"learning_rate": 0.03, "head_learning_rate": 0.03, "joint": {"epochs": epochs}},
    }


def self_training(runner: Runner, **options: Any) -> dict[str, Any]:
    return tables(runner, kind="self_training", **{**TEXT, **options})


def test_a_tagger_learns_from_what_it_is_sure_of(runner: Runner) -> None:
    result = runner.run(**self_training(runner, epochs=16, rounds=2))
    assert list(result.stages) == ["round-0", "round-1", "round-2"]
    truth = {tuple(word for word, _ in rows): [tag for _, tag in rows] for rows in TRUTH}
    (first, _) = [folder for folder in (runner.project / "cache" / "labels").iterdir() if folder.is_dir()]
    kept = [json.loads(line) for line in (first / "kept.jsonl").read_text(encoding="utf-8").splitlines()]
    right = 0
    for one in kept:
        tags = ["O"] * len(one["words"])
        for start, end, label in one["spans"]:
            known = {"person": "PER", "location": "LOC"}[label]
            tags[start:end] = [f"B-{known}", *[f"I-{known}"] * (end - start - 1)]
        right += tags == truth[tuple(one["words"])]
    assert len(kept) >= 20
    assert right >= 0.9 * len(kept)
    facts = result.facts["round-1"]
    assert facts["own_labels"]["read"] == 30
    assert facts["own_labels"]["kept"] + facts["own_labels"]["dropped"] == 30
    assert set(facts["own_labels"]["labels"]) == {"location", "person"}
    events = [(one["stage"], one["event"]) for one in read_journal(result.folder / "journal.jsonl")]
    assert [stage for stage, event in events if event == "own_labels"] == ["round-1", "round-2"]
    assert events.index(("round-1", "own_labels")) < events.index(("round-1", "started"))
    assert any("sentences kept" in line for line in runner.said)
    report = (result.folder / "report.html").read_text(encoding="utf-8")
    assert "sentences kept without entity" in report
    assert "person kept / dropped" in report
    assert load_bundle(result.folder / "model").model.domains == ("music",)


def test_where_nothing_is_kept_the_rounds_end_with_the_tagger_of_round_0(runner: Runner) -> None:
    asked = self_training(runner, threshold=1.0, rounds=3)
    result = runner.run(**asked)
    assert runner.stages() == {"round-0": "trained"}
    first = next(folder for folder in runner.cached() if '"round-0"' in (folder / "stage.json").read_text())
    before = (first / "model" / "model.safetensors").read_bytes()
    assert (result.folder / "model" / "model.safetensors").read_bytes() == before
    assert json.loads((result.folder / "model" / "bundle.json").read_text())["details"]["stage"] == "round-3"
    assert len([line for line in runner.said if "labels 30 sentences" in line]) == 1
    (line,) = [line for line in runner.said if "no effect" in line]
    assert line.startswith(
        "round-1: self-training has no effect, the tagger is that of round-0: no sentence with an entity is surer than "
        "1, the surest is 0."
    )
    assert result.facts["round-1"]["own_labels"]["kept"] == 0
    assert [facts.get("repeats") for facts in result.facts.values()] == [None, *["round-0"] * 3]
    assert {stage.f1 for stage in result.stages.values()} == {result.stages["round-0"].f1}
    assert "tagger of" in (result.folder / "report.html").read_text(encoding="utf-8")
    again = runner.run(**asked)
    assert runner.stages() == {"round-0": "reused"}
    assert line in runner.said
    assert (again.facts, again.stages) == (result.facts, result.stages)


def test_a_round_trained_on_nothing_but_the_labelled_sentences_is_round_0(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What makes it exact to take the tagger of round 0."""
    monkeypatch.setattr(sequence, "repeat_stage", lambda run, *_, of: run_stage(run))
    result = runner.run(**self_training(runner, threshold=1.0))
    (first,) = runner.cached()
    before = (first / "model" / "model.safetensors").read_bytes()
    assert runner.stages() == {"round-0": "trained", "round-1": "trained"}
    assert (result.folder / "model" / "model.safetensors").read_bytes() == before


def test_killed_while_the_tagger_of_round_0_is_taken_it_ends_all_the_same(tmp_path: Path) -> None:
    calm, disturbed = make_runner(tmp_path / "calm"), make_runner(tmp_path / "disturbed")
    expected = calm.run(**self_training(calm, threshold=1.0))

    def kill(*arguments: Any, **options: Any) -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stages, "load_bundle", kill)
        with pytest.raises(Killed):
            disturbed.run(**self_training(disturbed, threshold=1.0))
    result = disturbed.run(**self_training(disturbed, threshold=1.0))
    assert disturbed.stages() == {"round-0": "reused"}
    assert weights(result.folder) == weights(expected.folder)
    assert result.facts == expected.facts


def test_a_later_round_that_keeps_nothing_ends_with_the_tagger_of_round_0(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first_alone(stage: Stage, *arguments: Any) -> tuple[list[Sentence], Path]:
        found, folder = own_labels.own_sentences(stage, *arguments)
        return (found if stage.name == "round-1" else []), folder

    monkeypatch.setattr(sequence, "own_sentences", first_alone)
    result = runner.run(**self_training(runner, epochs=16, rounds=3))
    assert runner.stages() == {"round-0": "trained", "round-1": "trained"}
    assert [facts.get("repeats") for facts in result.facts.values()] == [None, None, "round-0", "round-0"]
    taken = {name: one.f1 for name, one in result.stages.items()}
    assert taken["round-3"] == taken["round-2"] == taken["round-0"]


def test_labels_of_the_target_are_learnt_beside(runner: Runner) -> None:
    streams = ["source/tags", "target/tags"]
    result = runner.run(**self_training(runner, streams=streams, threshold=0.1, keep="spans", without_entity=1.0))
    assert result.facts["round-1"]["own_labels"]["kept"] > 0
    assert load_bundle(result.folder / "model").model.head("music").vocabulary.labels.names == (
        "band",
        "location",
        "person",
    )
    assert set(result.summaries) == {"dev", "test"}


def test_rounds_that_none_can_have_ended_before_have_the_keys_that_they_had(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = runner.experiment(**self_training(runner, rounds=3))
    data = load_data(experiment, None)
    plan = plan_stages(experiment, data.sources, data.target, data.raw)
    now = sequence.stage_keys(experiment, plan)
    monkeypatch.setattr(keys, "ENDED_FORMAT", 99)
    assert [one == other for one, other in zip(now, sequence.stage_keys(experiment, plan), strict=True)] == [
        *[True] * 3,
        False,
    ]


@pytest.mark.parametrize("moment", ["before", pytest.param("after", marks=pytest.mark.slow)])
def test_killed_between_rounds_it_ends_like_an_undisturbed_run(tmp_path: Path, moment: str) -> None:
    calm, disturbed = make_runner(tmp_path / "calm"), make_runner(tmp_path / "disturbed")
    expected = calm.run(**self_training(calm, **KEEPS))
    owner, name = (own_labels, "write_json") if moment == "before" else (sequence, "with_own_labels")

    def kill(*arguments: Any) -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, kill)
        with pytest.raises(Killed):
            disturbed.run(**self_training(disturbed, **KEEPS))
    result = disturbed.run(**self_training(disturbed, **KEEPS))
    assert disturbed.stages() == {"round-0": "reused", "round-1": "trained", "round-2": "trained"}
    assert weights(result.folder) == weights(expected.folder)
    assert result.facts == expected.facts
    again = disturbed.run(**self_training(disturbed, **KEEPS))
    assert disturbed.stages() == dict.fromkeys(("round-0", "round-1", "round-2"), "reused")
    assert again.facts == expected.facts
    assert not [line for line in disturbed.said if "labels 30 sentences" in line]


@pytest.mark.parametrize("mark", ["\u0085", "\u2028"])
def test_words_may_hold_characters_that_elsewhere_end_lines(runner: Runner, mark: str) -> None:
    with (runner.project / "train.txt").open("a", encoding="utf-8") as stream:
        stream.write(f"\nada\tB-person\nsang{mark}to\tO\n")
    result = runner.run(**self_training(runner, epochs=16, target_raw=[]))
    assert result.facts["round-1"]["own_labels"]["kept"] > 0


def test_damaged_labels_are_found_anew(runner: Runner) -> None:
    expected = runner.run(**self_training(runner)).facts
    (folder,) = [one for one in (runner.project / "cache" / "labels").iterdir() if one.is_dir()]
    kept = (folder / "kept.jsonl").read_bytes()
    (folder / "kept.jsonl").write_bytes(kept[: len(kept) // 2])
    assert runner.run("other", **self_training(runner)).facts == expected
    assert (folder / "kept.jsonl").read_bytes() == kept


@pytest.mark.slow
def test_other_settings_are_other_stages(runner: Runner) -> None:
    found = set()
    for number, change in enumerate(({}, {"threshold": 0.4}, {"kept_weight": 0.5}, {"keep": "spans"}, {"most": 3})):
        folder = runner.run(f"run-{number}", **self_training(runner, **change)).folder
        found.add(json.loads((folder / "stage" / "stage.json").read_text())["key"])
    assert len(found) == 5
    assert len(runner.cached()) == 1  # all share the tagger of round 0


ADVERSARIES: list[Any] = [
    ("dann", {}, ["source/tags", "target/domain"], "bilstm", "word_char"),
    pytest.param(
        "dann",
        {"pooling": "words"},
        ["source/tags", "source/domain", "target/domain"],
        "bilstm",
        "word_char",
        marks=pytest.mark.slow,
    ),
    pytest.param(
        "dann", {"reads": "vectors"}, ["source/tags", "target/domain"], "none", "transformer", marks=pytest.mark.slow
    ),
    pytest.param(
        "dann",
        {},
        ["source/tags", "source/words", "target/words"],
        "parameter_generation",
        "word_char",
        marks=pytest.mark.slow,
    ),
    pytest.param("grad", {}, ["source/tags", "target/tags"], "bilstm", "word_char", marks=pytest.mark.slow),
    ("grad", {"reads": "vectors", "hidden": 4}, ["source/tags", "target/tags"], "parameter_generation", "word_char"),
    ("grad", {"pooling": "mean"}, ["source/tags", "target/tags"], "none", "transformer"),
    ("dann", {}, ["source/tags", "target/domain"], "multi_cell", "word_char"),
    pytest.param("grad", {}, ["source/tags", "target/tags"], "multi_cell", "word_char", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("kind", "options", "streams", "context", "encoder"), ADVERSARIES)
def test_discriminators_with_every_encoder_and_context(
    runner: Runner, kind: str, options: dict[str, Any], streams: list[str], context: str, encoder: str
) -> None:
    raw = [] if "target/tags" in streams else [str(runner.project / "raw.txt")]
    transfer = {"kind": "multi_task", "streams": streams, "adversary": {"kind": kind, **options}, "target_raw": raw}
    result = runner.run(**tables(runner, context, encoder=encoder, **transfer))
    model = load_bundle(result.folder / "model").model
    assert model.domains == ("music",)
    assert model.discriminator is None
    events = [one for one in read_journal(result.folder / "journal.jsonl") if one["event"] == "evaluation"]
    assert all(0 <= event["discriminator_accuracy"] <= 1 for event in events)
    facts = result.facts["multi-task"]
    kept = next(event for event in events if event["step"] == result.stages["multi-task"].best_step)
    assert facts["discriminator_accuracy"] == kept["discriminator_accuracy"]
    assert facts["parameters"]["heads"] > sum(one.numel() for one in model.heads.parameters())
    assert "discriminator accuracy (%)" in (result.folder / "report.html").read_text(encoding="utf-8")


def test_words_that_a_discriminator_alone_reads_are_not_learnt(runner: Runner) -> None:
    """Else their vectors would move by the adversary's gradients alone."""
    (runner.project / "raw.txt").write_text("qwerty sang to asdf\n\nuiop wrote\n", encoding="utf-8")
    known = {}
    for number, streams in enumerate((["source/tags", "target/domain"], ["source/tags", "target/words"])):
        asked = tables(runner, kind="multi_task", streams=streams, adversary={"kind": "dann"})
        runner.run(f"run-{number}", **asked)
        (line,) = [one for one in runner.said if "distinct words of the stage" in one]
        known[number] = int(line.split()[1])
    assert known[1] - known[0] == 3


def test_a_discriminator_without_reversal_and_weight_leaves_the_tagger_alone(runner: Runner) -> None:
    """Its own gradients never reach what it reads unless reversed."""
    streams = ["source/tags", "target/tags"]
    kept = {}
    for number, adversary in enumerate(({"kind": "dann", "reversal": 0.0}, {"kind": "dann"})):
        asked = tables(runner, kind="multi_task", streams=streams, adversary=adversary, target_raw=[])
        asked["training"]["clip_norm"] = "none"
        kept[number] = weights(runner.run(f"run-{number}", **asked).folder)
    asked = tables(runner, kind="multi_task", streams=streams, target_raw=[])
    asked["training"]["clip_norm"] = "none"
    plain = weights(runner.run("plain", **asked).folder)
    assert kept[0] == plain
    assert kept[1] != plain
