"""A moved project goes on where it was; a run folder whose data changed is refused."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from running import Runner, weights

from nerbridge.config.experiment import Experiment
from nerbridge.config.loading import load_experiment
from nerbridge.data.fingerprint import file_sha256, fingerprint
from nerbridge.data.reading import read_sentences
from nerbridge.errors import ConfigError
from nerbridge.pipeline.adapting import adapt_experiment
from nerbridge.pipeline.files import write_json
from nerbridge.pipeline.run import RunResult, read_experiment, run_experiment
from nerbridge.pipeline.same_data import changed_splits, refuse_other_text
from nerbridge.training.evaluation import Evaluation
from nerbridge.training.progress import Moment, PlainProgress
from tiny_project import MUSIC, draw, write_columns

DIRECT: dict[str, Any] = {"source": [], "transfer": {"kind": "direct"}, "training": {"max_steps": 2}}


@pytest.fixture
def runner(project: Path) -> Runner:
    return Runner(project)


def moved(runner: Runner, name: str = "elsewhere") -> Runner:
    """The project under another name, its cache left behind."""
    shutil.move(runner.project, runner.project.with_name(name))
    return Runner(runner.project.with_name(name))


def adapted(project: Path) -> Experiment:
    return adapt_experiment(
        target_train=str(project / "train.txt"),
        target_test=str(project / "test.txt"),
        source=(),
        encoder=str(project / "encoder"),
        overrides=("training.target.max_steps=2",),
    )


def reused(runner: Runner, experiment: Experiment, folder: Path) -> RunResult:
    """Runs `experiment`; nothing may be trained."""
    runner.said.clear()
    result = run_experiment(experiment, folder, runner.surroundings)
    assert set(runner.stages().values()) == {"reused"}
    return result


def test_a_project_moved_with_its_runs_goes_on_with_the_recipe_of_a_run(runner: Runner) -> None:
    first = runner.run("runs/a", **DIRECT)
    there = moved(runner)
    folder = there.project / "runs" / "a"
    experiment = load_experiment(folder / "recipe.toml")
    assert experiment.target.files is not None
    assert experiment.target.files.train == str(there.project / "train.txt")
    assert experiment.encoder.checkpoint == str(there.project / "encoder")
    assert reused(there, experiment, folder).summaries == first.summaries


def test_adapting_again_in_a_renamed_project_goes_on(runner: Runner) -> None:
    folder = runner.project / "runs" / "a"
    first = run_experiment(adapted(runner.project), folder, runner.surroundings)
    there = moved(runner)
    experiment, folder = adapted(there.project), there.project / "runs" / "a"
    assert experiment.name == "adapt-elsewhere"
    for _ in range(2):  # the folder was written again by the first
        assert reused(there, experiment, folder).summaries == first.summaries
    record = read_experiment(folder)
    assert (record["name"], record["target"]["files"]["domain"]) == ("adapt-project", "project")
    assert record["target"]["files"]["train"] == str(there.project / "train.txt")


class StopsAtDev(PlainProgress):
    """Ctrl-C at the second evaluation."""

    def evaluated(self, moment: Moment, evaluation: Evaluation, *, improved: bool) -> None:
        if moment.epoch >= 2:
            raise KeyboardInterrupt


def test_a_stopped_run_in_a_renamed_project_continues_from_its_checkpoint(runner: Runner) -> None:
    def tables(project: Path) -> dict[str, Any]:
        files = {split: str(project / f"{split}.txt") for split in ("train", "dev", "test")}
        training = {"epochs": 2, "evaluate_every": 1.0, "checkpoint_seconds": 0.0}
        return {**DIRECT, "training": training, "target": {"files": files}}  # the domain is called after the folder

    whole = weights(runner.run("whole", **tables(runner.project)).folder)
    stopping = replace(runner.surroundings, progress=StopsAtDev())
    with pytest.raises(KeyboardInterrupt):
        run_experiment(runner.experiment(**tables(runner.project)), runner.project / "run", stopping)
    there = moved(runner)
    assert any((there.project / "run" / "stage" / "work").iterdir())
    again = there.run("run", **tables(there.project))
    assert read_experiment(again.folder)["target"]["files"]["domain"] == "project"
    assert weights(again.folder) == whole
    assert set(there.stages().values()) == {"trained"}


def test_files_of_other_names_that_say_the_same_are_the_same(runner: Runner) -> None:
    first = runner.run()
    (runner.project / "train.txt").rename(runner.project / "sentences.txt")
    files = {"train": "sentences.txt", "dev": "dev.txt", "test": "test.txt"}
    target = {"files": {split: str(runner.project / name) for split, name in files.items()} | {"domain": "music"}}
    assert runner.run(target=target).summaries == first.summaries
    assert set(runner.stages().values()) == {"reused"}


def test_another_given_domain_is_another_experiment(runner: Runner) -> None:
    folder = runner.run(**DIRECT).folder
    files = runner.experiment().model_dump(mode="json")["target"]["files"]
    with pytest.raises(ConfigError) as caught:
        runner.run(**DIRECT, target={"files": {**files, "domain": "songs"}})
    assert caught.value.what == (
        f"'{folder}' holds another experiment: target.files.domain is 'music' there, 'songs' here"
    )
    with pytest.raises(ConfigError) as caught:
        runner.run(**DIRECT, target={"files": files, "num_train": 8})
    assert caught.value.what == f"'{folder}' holds another experiment: target.num_train is not set there, 8 here"


def test_an_encoder_from_elsewhere_is_another_experiment(runner: Runner) -> None:
    folder = runner.run(**DIRECT).folder
    other = shutil.copytree(runner.project / "encoder", runner.project / "other")
    with pytest.raises(ConfigError, match=f"'{folder}' holds another experiment: encoder.checkpoint is "):
        runner.run(**DIRECT, encoder={"kind": "transformer", "checkpoint": str(other)})


@pytest.mark.parametrize("finished", [True, False])
def test_changed_data_are_refused_and_nothing_is_written(runner: Runner, finished: bool) -> None:
    folder = runner.run(**DIRECT).folder
    if not finished:
        (folder / "scores.json").unlink()
        (folder / "stage" / "stage.json").unlink()
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    old = fingerprint(read_sentences(runner.project / "train.txt").sentences)[:8]
    write_columns(runner.project / "train.txt", draw(18, MUSIC, seed=77))
    new = fingerprint(read_sentences(runner.project / "train.txt").sentences)[:8]
    with pytest.raises(ConfigError) as caught:
        runner.run(**DIRECT)
    assert str(caught.value) == (
        f"'{folder}' was made from other data: music train 16 sentences, 32 entities ({old}) then, "
        f"18 sentences, 36 entities ({new}) now\n"
        f"  where: {folder / 'data.json'}\n"
        "  expected: the data that the run was made from (in brackets: their fingerprints), or a new folder\n"
        "  hint: choose another --output, or remove the folder"
    )
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("finished", [True, False])
def test_a_changed_encoder_is_refused_and_nothing_is_written(runner: Runner, finished: bool) -> None:
    vectors = runner.project / "vectors.txt"
    vectors.write_text("the 1 2\nsang 3 4\n")
    tables = {**DIRECT, "encoder": {"kind": "word_char", "vectors": str(vectors), "character_hidden": 4}}
    folder = runner.run(**tables).folder
    if not finished:
        (folder / "scores.json").unlink()
        (folder / "stage" / "stage.json").unlink()
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    old = file_sha256(vectors)[:8]
    vectors.write_text("the 1 2\nsang 3 5\n")
    with pytest.raises(ConfigError) as caught:
        runner.run(**tables)
    assert str(caught.value) == (
        f"'{folder}' was made from other data: the encoder's files ({old}) then, ({file_sha256(vectors)[:8]}) now\n"
        f"  where: {folder / 'data.json'}\n"
        "  expected: the data that the run was made from (in brackets: their fingerprints), or a new folder\n"
        "  hint: choose another --output, or remove the folder"
    )
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_data_that_changed_before_anything_was_learnt_are_not_spoken_of(runner: Runner) -> None:
    absent = str(runner.project / "absent")
    with pytest.raises(ConfigError, match="is not a folder on this machine"):
        runner.run(**DIRECT, encoder={"kind": "transformer", "checkpoint": absent})
    write_columns(runner.project / "train.txt", draw(18, MUSIC, seed=77))
    assert runner.run(**DIRECT).stages["target"].steps == 2
    assert not [line for line in runner.said if "other data" in line or "made from" in line]


def test_changed_raw_text_is_refused(tmp_path: Path) -> None:
    before, now = "ab" * 32, "cd" * 32
    refuse_other_text(now, tmp_path)  # nothing was learnt there
    write_json(tmp_path / "raw_text.json", {"corpus": {"folder": f"/cache/corpora/{before[:32]}"}})
    refuse_other_text(before, tmp_path)
    with pytest.raises(ConfigError) as caught:
        refuse_other_text(now, tmp_path)
    assert caught.value.what == f"'{tmp_path}' was made from other data: raw text abababab then, cdcdcdcd now"
    assert caught.value.where == str(tmp_path / "raw_text.json")


def test_splits_that_came_or_went_are_named() -> None:
    counts = {"sentences": 8, "words": 40, "entities": 3, "fingerprint": "f" * 64}
    before = {"domains": [{"domain": "music", "splits": {"train": counts, "dev": counts}}]}
    now = {"domains": [{"domain": "songs", "splits": {"train": counts, "test": counts}}]}
    assert changed_splits(before, now) == [
        "songs test nothing then, 8 sentences, 3 entities (ffffffff) now",
        "songs dev 8 sentences, 3 entities (ffffffff) then, nothing now",
    ]
    assert changed_splits(before, before) == []
