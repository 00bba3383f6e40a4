"""A stage is trained once: found again by other targets and other folders, made again when it is damaged."""

import json
import multiprocessing
import time
from pathlib import Path
from typing import Any

import pytest
from running import Runner, weights

from nerbridge.config.encoder import ConcatenatedSettings, TransformerSettings
from nerbridge.pipeline.data import load_data
from nerbridge.pipeline.keys import _encoder_content, stage_key
from nerbridge.pipeline.processes import held
from nerbridge.transfer.plan import plan_stages
from tiny_project import MUSIC, draw, recipe, write_columns


@pytest.fixture
def runner(project: Path) -> Runner:
    return Runner(project)


ALL_TRAINED = {"source-1": "trained", "source-2": "trained", "target": "trained"}
SOURCES_REUSED = {"source-1": "reused", "source-2": "reused", "target": "trained"}


def test_another_folder_reuses_the_source_stages_and_ends_with_the_same_weights(runner: Runner) -> None:
    first = runner.run("one")
    assert runner.stages() == ALL_TRAINED
    second = runner.run("two")
    assert runner.stages() == SOURCES_REUSED
    assert weights(first.folder) == weights(second.folder)
    assert first.summaries == second.summaries


def test_another_target_reuses_the_source_stages(runner: Runner) -> None:
    runner.run("one")
    write_columns(runner.project / "train.txt", draw(12, MUSIC, seed=9))
    runner.run("two")
    assert runner.stages() == SOURCES_REUSED
    assert len(runner.cached()) == 2


def test_a_changed_second_source_keeps_the_first(runner: Runner) -> None:
    runner.run("one")
    write_columns(runner.project / "bands.txt", draw(12, MUSIC, seed=9))
    runner.run("two")
    assert runner.stages() == {"source-1": "reused", "source-2": "trained", "target": "trained"}


def test_a_finished_run_is_not_trained_again(runner: Runner) -> None:
    first = runner.run()
    before = weights(first.folder)
    again = runner.run()
    assert runner.stages() == dict.fromkeys(ALL_TRAINED, "reused")
    assert (weights(again.folder), again.summaries) == (before, first.summaries)
    assert again.stages == first.stages


@pytest.mark.parametrize("damage", ["cut", "changed", "removed", "other form", "no json", "deep json"])
def test_a_damaged_cached_stage_is_said_and_trained_again(runner: Runner, damage: str) -> None:
    first = runner.run("one")
    for stage in runner.cached():
        model = stage / "model" / "model.safetensors"
        match damage:
            case "cut":
                model.write_bytes(model.read_bytes()[:-8])
            case "changed":
                model.write_bytes(model.read_bytes()[:-1] + b"\x77")
            case "removed":
                model.unlink()
            case "other form":
                record = json.loads((stage / "stage.json").read_text())
                (stage / "stage.json").write_text(json.dumps({**record, "result": {"colour": "red"}}))
            case "no json":
                (stage / "stage.json").write_text("{")
            case "deep json":
                (stage / "stage.json").write_text("[" * 100_000)
    second = runner.run("two")
    assert runner.stages() == ALL_TRAINED
    said = [line for line in runner.said if "is damaged and trained again (" in line]
    assert [line.split(":")[0] for line in said] == ["source-1", "source-2"]
    assert all("\n" not in line for line in said)
    assert weights(first.folder) == weights(second.folder)


def test_no_checkpoint_and_no_half_bundle_stays_behind(runner: Runner) -> None:
    runner.run()
    left = [path.name for path in runner.project.rglob("*.safetensors") if path.parent.name not in ("model", "encoder")]
    assert left == []
    assert not list(runner.project.rglob(".model-*"))


def test_what_a_killed_save_left_behind_is_removed(runner: Runner) -> None:
    (runner.project / "run").mkdir()
    (runner.project / "run" / ".model-killed").mkdir()
    (runner.project / "run" / ".experiment.json.killed").write_text("{")
    result = runner.run()
    assert not (result.folder / ".model-killed").exists()


def keys(runner: Runner, *, seed: int = 1, hardware: str = "cpu x 1", **tables: Any) -> list[str]:
    """The keys of all stages of a recipe."""
    experiment = runner.experiment(**tables)
    data = load_data(experiment, None)
    key: str | None = None
    found = []
    for stage in plan_stages(experiment, data.sources, data.target).stages:
        key = stage_key(stage, experiment, parent=key, seed=seed, hardware=hardware)
        found.append(key)
    return found


def training(**values: Any) -> dict[str, Any]:
    return {"learning_rate": 1e-3, "batch_sentences": 4, "source": {"epochs": 1}, "target": {"epochs": 3}, **values}


def test_what_changes_no_weight_changes_no_key(runner: Runner) -> None:
    project = runner.project
    expected = keys(runner, training=training())
    files = {**recipe(project)["target"]["files"], "domain": "another"}
    assert keys(runner, training=training(), name="other", description="other", target={"files": files}) == expected
    assert keys(runner, training=training(checkpoint_seconds=1.0)) == expected
    described = {"files": recipe(project)["target"]["files"], "descriptions": {"band": "people who play"}}
    assert keys(runner, training=training(), target=described) == expected
    sources = recipe(project)["source"]
    sources[0]["files"][0]["domain"] = "papers"
    assert keys(runner, training=training(), source=sources) == expected


def test_descriptions_count_where_the_tagger_starts_from_them(runner: Runner) -> None:
    files = recipe(runner.project)["target"]["files"]
    tagger = {"kind": "label_aware", "label_width": 4, "initialise": "names"}
    meanings = ({}, {"band": "people who play"}, {"band": "a strip of cloth"})
    found = [
        keys(runner, training=training(), tagger=tagger, target={"files": files, "descriptions": meaning})
        for meaning in meanings
    ]
    assert len({tuple(stages[:-1]) for stages in found}) == 1
    assert len({stages[-1] for stages in found}) == 3


CHANGES: dict[str, dict[str, Any]] = {
    "optimizer": {"optimizer": "sgd"},
    "learning rate": {"learning_rate": 1e-4},
    "head learning rate": {"head_learning_rate": 1e-4},
    "decay": {"weight_decay": 0.1},
    "momentum": {"momentum": 0.5},
    "schedule": {"schedule": "cosine"},
    "warm-up": {"warmup": 0.1},
    "clipping": {"clip_norm": "none"},
    "steps": {"max_steps": 3},
    "sentences": {"batch_sentences": 8},
    "pieces": {"batch_pieces": 100},
    "evaluations": {"evaluate_every": 3.0},
    "patience": {"patience": 2},
    "precision": {"precision": "bf16"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_setting_of_training_changes_every_key(runner: Runner, change: dict[str, Any]) -> None:
    before, after = keys(runner, training=training()), keys(runner, training=training(**change))
    assert not set(before) & set(after)


@pytest.mark.parametrize(
    "tables",
    [
        {"tagger": {"kind": "crf"}},
        {"tagger": {"kind": "linear", "dropout": 0.3}},
        {"tagger": {"kind": "linear", "scheme": "BIOES"}},
        {"tagger": {"kind": "linear", "constrained": False}},
        {"seed": 2},
        {"hardware": "cuda x 1"},
        {"hardware": "cpu x 2"},
    ],
    ids=str,
)
def test_model_seed_and_hardware_change_every_key(runner: Runner, tables: dict[str, Any]) -> None:
    assert not set(keys(runner)) & set(keys(runner, **tables))


@pytest.mark.parametrize("encoder", [{"pooling": "mean"}, {"max_pieces": 32}, {"window_overlap": 4}, {"freeze": True}])
def test_encoder_settings_change_every_key(runner: Runner, encoder: dict[str, Any]) -> None:
    given = {**recipe(runner.project)["encoder"], **encoder}
    assert not set(keys(runner)) & set(keys(runner, encoder=given))


def test_recording_counts_unless_it_is_off_which_leaves_older_keys_as_they_are(runner: Runner) -> None:
    plain = recipe(runner.project)["encoder"]
    off, on = ({**plain, "record": record} for record in (False, True))
    several = [set(keys(runner)), set(keys(runner, encoder=off)), set(keys(runner, encoder=on))]
    assert len(set.union(*several)) == sum(map(len, several))
    assert "record" not in _encoder_content(TransformerSettings(record=False))
    both = ConcatenatedSettings(parts=(TransformerSettings(record=False), TransformerSettings(record=True)))
    assert [part.get("record") for part in _encoder_content(both)["parts"]] == [None, True]


def test_other_encoder_weights_in_the_same_place_change_every_key(runner: Runner) -> None:
    before = keys(runner)
    config = runner.project / "encoder" / "config.json"
    config.write_text(config.read_text() + "\n")
    assert not set(before) & set(keys(runner))


def test_a_key_hangs_on_the_stages_before_not_on_those_behind(runner: Runner) -> None:
    before = keys(runner)
    source, second, target = keys(runner, training={**training(), "target": {"epochs": 9}})
    assert [source, second] == keys(runner, training=training())[:2]
    write_columns(runner.project / "news.txt", draw(41, MUSIC, seed=1))
    assert not set(before) & set(keys(runner))
    assert target not in before


def test_labels_map_and_dev_change_the_targets_key_alone(runner: Runner) -> None:
    before = keys(runner)
    mapped = keys(runner, transfer={"kind": "sequential", "bridge": {"band": "person"}})
    write_columns(runner.project / "dev.txt", draw(5, MUSIC, seed=44))
    other_dev = keys(runner)
    assert before[:2] == mapped[:2] == other_dev[:2]
    assert len({before[2], mapped[2], other_dev[2]}) == 3


def _hold(folder: Path, ready: Any, release: Any) -> None:
    with held(folder, print):
        ready.set()
        release.wait(600)


def test_a_second_run_waits_for_the_first_and_finds_the_stage_finished(runner: Runner) -> None:
    """A process holds the stage; the run says that it waits, and goes on as soon as the holder is gone."""
    runner.run("one")
    stage = runner.cached()[0]
    context = multiprocessing.get_context("spawn")
    ready, release = context.Event(), context.Event()
    holder = context.Process(target=_hold, args=(stage, ready, release))
    holder.start()
    try:
        assert ready.wait(600)
        said: list[str] = []

        def say(text: str) -> None:
            said.append(text)
            holder.kill()  # the system drops the hold of a process that dies

        start = time.monotonic()
        with held(stage, say):
            assert time.monotonic() - start < 300
        assert said == [f"another run is training this stage; waiting for it to finish ({stage})"]
    finally:
        holder.kill()
        holder.join()


def test_damaged_lines_of_a_stage_journal_are_left_out_and_counted(
    runner: Runner, caplog: pytest.LogCaptureFixture
) -> None:
    """As a power cut leaves them; the cached stage itself is sound."""
    runner.run("one")
    journal = runner.cached()[0] / "journal.jsonl"
    journal.write_bytes(journal.read_bytes() + b"\xff\n[]\n" + b"[" * 100_000 + b'\n\0\0\n{"torn')
    folder = runner.run("two").folder
    assert f"{journal}: 5 damaged lines left out" in caplog.text
    lines = (folder / "journal.jsonl").read_bytes().splitlines()
    assert {json.loads(line)["stage"] for line in lines} == {"source-1", "source-2", "target"}


def test_a_damaged_key_of_a_killed_stage_starts_it_anew(runner: Runner) -> None:
    work = runner.project / "run" / "stage" / "work"
    runner.run()
    (work.parent / "stage.json").unlink()
    (work / "key").write_bytes(b"\xff" * 64)
    runner.run()
    assert runner.stages() == SOURCES_REUSED
