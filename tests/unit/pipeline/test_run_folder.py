"""What a run leaves behind, what may be run in its folder, and that its recipe is the same experiment."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from running import Runner, weights

from nerbridge.config.loading import load_experiment
from nerbridge.errors import BundleError, ConfigError
from nerbridge.evaluation.predictions import read_predictions
from nerbridge.pipeline.processes import held_run
from nerbridge.pipeline.run import RunResult, read_experiment, run_experiment
from nerbridge.pipeline.seeds import run_seeds
from nerbridge.training.journal import read_journal
from tiny_project import draw, recipe, write_columns


@pytest.fixture
def runner(project: Path) -> Runner:
    return Runner(project)


def test_a_run_leaves_everything_that_says_what_it_was(runner: Runner) -> None:
    result = runner.run()
    folder = result.folder
    assert sorted(path.name for path in folder.iterdir() if not path.name.startswith(".")) == [
        "data.json",
        "environment.json",
        "experiment.json",
        "journal.jsonl",
        "model",
        "predictions",
        "recipe.toml",
        "report.html",
        "scores.json",
        "stage",
    ]
    scores = json.loads((folder / "scores.json").read_text())
    assert {split: entry["f1"] for split, entry in scores.items()} == {
        split: summary.f1 for split, summary in result.summaries.items()
    }
    assert len(read_predictions(folder / "predictions" / "test.jsonl")) == 10
    events = [(event["stage"], event["event"]) for event in read_journal(folder / "journal.jsonl")]
    assert list(dict.fromkeys(stage for stage, _ in events)) == ["source-1", "source-2", "target"]
    assert events.count(("target", "evaluation")) == 3
    data = json.loads((folder / "data.json").read_text())
    assert [(d["domain"], {s: c["sentences"] for s, c in d["splits"].items()}) for d in data["domains"]] == [
        ("news", {"train": 40}),
        ("bands", {"train": 20}),
        ("music", {"train": 16, "dev": 8, "test": 10}),
    ]
    assert "news: label 'PER' is read as 'person'" in data["plan"]
    assert json.loads((folder / "environment.json").read_text())["device"] == "cpu"


def test_what_is_said_is_short_ordered_and_whole(runner: Runner) -> None:
    runner.run()
    assert [line for line in runner.said if ": trained (" not in line] == [
        "data     news: 40 training sentences; 2 labels: LOC, PER",
        "data     bands: 20 training sentences; 3 labels: band, location, person",
        "data     music: 16 training, 8 dev, 10 test sentences; 3 labels: band, location, person",
        "note     music: the weights are chosen on 8 dev sentences with 16 entities, fewer than 30, so mostly by "
        "chance; label more dev sentences, or train a fixed number of epochs (--set training.target.selection=last "
        "--set training.target.epochs=20, or 60 with word vectors)",
        "plan     1. source-1: news, 40 sentences per epoch, 1 epoch, keeps the last weights",
        "plan     2. source-2: bands, 20 sentences per epoch, 1 epoch, keeps the last weights",
        "plan     3. target: music, 16 sentences per epoch, at most 3 epochs, keeps the weights with the best dev F1",
        "note     news: label 'LOC' is read as 'location'",
        "note     news: label 'PER' is read as 'person'",
        "note     source-2: 2 of 3 labels start from the stage before: location, person",
        "note     target: 3 of 3 labels start from the stage before: band, location, person",
        "source-1: 8,933 parameters, all trained: encoder 8,848, context 0, heads 85",
        "source-2: 8,967 parameters, all trained: encoder 8,848, context 0, heads 119",
        "target: 8,967 parameters, all trained: encoder 8,848, context 0, heads 119",
        "tagging  8 sentences of dev, 10 sentences of test",
    ]


RECIPES: list[dict[str, Any]] = [
    {},
    {"tagger": {"kind": "crf", "scheme": "BIOES"}, "seed": 7, "description": "what it is"},
    {"transfer": {"kind": "joint", "upsample": 2}, "training": {"clip_norm": "none", "joint": {"max_steps": 3}}},
    {"transfer": {"kind": "sequential", "bridge": {"band": "person"}, "carry_labels": False}},
    {"transfer": {"kind": "direct"}, "source": [], "training": {"selection": "last", "max_steps": 2}},
]


@pytest.mark.parametrize("tables", RECIPES, ids=lambda tables: ",".join(tables) or "plain")
def test_the_recipe_in_the_folder_is_the_experiment_and_can_be_run_again(
    runner: Runner, tables: dict[str, Any]
) -> None:
    result = runner.run(**tables)
    again = load_experiment(result.folder / "recipe.toml")
    assert again == runner.experiment(**tables)
    assert runner.run(**tables).summaries == result.summaries


def test_a_source_stages_own_training_keys_survive_the_recipe(runner: Runner) -> None:
    source = [{"files": [{"train": str(runner.project / "news.txt")}], "training": {"max_steps": 2}}]
    result = runner.run(source=source)
    assert result.stages["source-1"].steps == 2
    assert load_experiment(result.folder / "recipe.toml") == runner.experiment(source=source)


def test_another_experiment_in_the_folder_is_refused(runner: Runner) -> None:
    folder = runner.run().folder
    before, training = weights(folder), recipe(runner.project)["training"]
    with pytest.raises(ConfigError) as caught:
        runner.run(seed=2, tagger={"kind": "crf"})
    assert str(caught.value) == (
        f"'{folder}' holds another experiment: seed is 1 there, 2 here; tagger.kind is 'linear' there, 'crf' here\n"
        f"  where: {folder / 'experiment.json'}\n"
        "  expected: the same recipe, settings and seed, or a new folder\n"
        "  hint: choose another --output, or remove the folder"
    )
    assert weights(folder) == before
    with pytest.raises(ConfigError) as caught:  # a key that is not set there is named beside others, too
        runner.run(seed=2, training={**training, "target": {**training["target"], "batch_sentences": 2}})
    assert caught.value.what.endswith(
        "holds another experiment: seed is 1 there, 2 here; training.target.batch_sentences is not set there, 2 here"
    )
    with pytest.raises(ConfigError) as caught:  # a table of one side alone is named once
        runner.run(seed=2, corpus={"files": [str(runner.project / "train.txt")]})
    assert caught.value.what.endswith(
        "holds another experiment: seed is 1 there, 2 here; corpus is not set there, set here"
    )


def test_a_run_that_never_began_to_learn_leaves_its_folder_to_another(runner: Runner) -> None:
    source: list[dict[str, Any]] = []
    direct = {"source": source, "transfer": {"kind": "direct"}, "training": {"max_steps": 1}}
    absent = str(runner.project / "absent")
    with pytest.raises(ConfigError, match=f"encoder checkpoint '{absent}' is not a folder on this machine"):
        runner.run(**direct, encoder={"kind": "transformer", "checkpoint": absent})
    assert (runner.project / "run" / "experiment.json").exists()
    assert runner.run(**direct).stages["target"].steps == 1
    with pytest.raises(ConfigError, match="holds another experiment"):
        runner.run(**direct, seed=2)


def test_many_differences_are_counted(runner: Runner) -> None:
    runner.run()
    tagger = {"kind": "crf", "scheme": "BIOES", "dropout": 0.2, "constrained": False}
    with pytest.raises(ConfigError, match=r"name is 'tiny' there, 'other' here; .*; 2 more\n"):
        runner.run(seed=2, name="other", tagger=tagger)


def test_a_new_description_or_checkpoint_time_is_no_other_experiment(runner: Runner) -> None:
    training = {"max_steps": 2, "checkpoint_seconds": 60.0}
    first = runner.run(training=training)
    again = runner.run(training={**training, "checkpoint_seconds": 0.0}, description="said better")
    assert (again.summaries, set(runner.stages().values())) == (first.summaries, {"reused"})


def test_a_run_of_a_version_with_other_defaults_for_raw_text_goes_on(runner: Runner) -> None:
    """What has no effect is no difference; with raw text it is one."""
    first = runner.run()
    path = first.folder / "experiment.json"
    tables = json.loads(path.read_text())
    tables["pretraining"]["precision"], tables["selection"]["min_entities"] = "float32", 3
    path.write_text(json.dumps(tables))
    assert runner.run().summaries["test"].f1 == first.summaries["test"].f1
    assert json.loads(path.read_text())["pretraining"]["precision"] == "auto"
    tables["seed"] = 7
    path.write_text(json.dumps(tables))
    with pytest.raises(ConfigError, match="holds another experiment: seed is 7 there, 1 here"):
        runner.run()


def test_a_folder_with_other_files_is_refused(runner: Runner) -> None:
    (runner.project / "run").mkdir()
    (runner.project / "run" / "thesis.tex").write_text("")
    with pytest.raises(ConfigError) as caught:
        runner.run()
    assert str(caught.value) == (
        f"'{runner.project / 'run'}' is not empty and no run folder\n"
        f"  where: {runner.project / 'run'}\n"
        "  expected: a new folder, or one of an earlier run of the same experiment\n"
        "  hint: choose another --output"
    )


def test_a_file_in_the_place_of_the_folder_is_refused(runner: Runner) -> None:
    (runner.project / "run").write_text("")
    with pytest.raises(ConfigError) as caught:
        runner.run()
    assert str(caught.value) == (
        f"'{runner.project / 'run'}' is a file\n"
        f"  where: {runner.project / 'run'}\n"
        "  expected: a new folder, or one of an earlier run of the same experiment\n"
        "  hint: choose another --output"
    )
    with pytest.raises(ConfigError, match=r"run' is a file"):
        run_seeds(runner.experiment(), [1], runner.project / "run", runner.surroundings)


def test_a_folder_whose_name_is_not_utf_8_is_refused_at_once(runner: Runner) -> None:
    with pytest.raises(UnicodeEncodeError):
        runner.run("caf\udce9")
    assert runner.said == []


def test_a_damaged_experiment_file_is_said(runner: Runner) -> None:
    folder = runner.run().folder
    (folder / "experiment.json").write_text("{")
    with pytest.raises(BundleError) as caught:
        runner.run()
    assert str(caught.value).splitlines()[1:] == [
        f"  where: {folder / 'experiment.json'}",
        "  expected: a folder that `nerbridge train` or `adapt` wrote",
        "  hint: choose another --output, or remove the folder",
    ]


def test_what_is_missing_in_a_finished_run_is_restored(runner: Runner) -> None:
    result = runner.run()
    for name in ("scores.json", "report.html", "predictions/test.jsonl", "journal.jsonl"):
        (result.folder / name).unlink()
    assert runner.run().summaries == result.summaries
    assert (result.folder / "report.html").exists()


def test_seeds_are_run_one_by_one_and_scored_together(runner: Runner) -> None:
    folder = runner.project / "seeds"
    result = run_seeds(runner.experiment(), [1, 3], folder, runner.surroundings)
    f1 = [run.summaries["test"].f1 for run in result.runs]
    together = json.loads((folder / "scores.json").read_text())
    assert together["test"]["seeds"] == [1, 3]
    assert together["test"]["f1"]["mean"] == pytest.approx(sum(f1) / 2)
    assert together["test"]["f1"]["deviation"] == pytest.approx(abs(f1[0] - f1[1]) / 2**0.5)
    assert together["test"]["interval"]["low"] <= sum(f1) / 2 <= together["test"]["interval"]["high"]
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "scores.json", "seed-1", "seed-3"]
    assert weights(folder / "seed-1") != weights(folder / "seed-3")
    assert [line for line in runner.said if line.startswith("seed ")] == ["seed 1", "seed 3"]


def test_seeds_in_the_folder_of_a_single_run_are_refused(runner: Runner) -> None:
    folder = runner.run().folder
    with pytest.raises(ConfigError) as caught:
        run_seeds(runner.experiment(), [1], folder, runner.surroundings)
    assert str(caught.value) == (
        f"'{folder}' holds a run of one seed\n"
        f"  where: {folder}\n"
        "  expected: a new folder, or one of an earlier run with --seeds\n"
        "  hint: choose another --output"
    )


def test_long_label_sets_are_shortened_for_sources_and_whole_for_the_target(runner: Runner) -> None:
    names = {f"label{number:02}": ("ada",) for number in range(9)}
    for file in ("news.txt", "train.txt"):
        write_columns(runner.project / file, draw(60, names, seed=1))
    runner.run(training={"max_steps": 1})
    data = [line for line in runner.said if line.startswith("data ")]
    first = ", ".join(f"label{number:02}" for number in range(6))
    assert data[0] == f"data     news: 60 training sentences; 9 labels: {first}, ..."
    assert data[2].endswith("; 12 labels: band, " + ", ".join(sorted(names)) + ", location, person")
    assert (
        "plan     1. source-1: news, 60 sentences per epoch, 2 epochs or 1 step, keeps the last weights" in runner.said
    )
    assert [line for line in runner.said if line.startswith("source-1: trained (1 step) in ")]


def test_a_stage_that_patience_ended_says_so(runner: Runner) -> None:
    runner.run(training={"target": {"epochs": 40, "evaluate_every": 1.0, "patience": 2}})
    ended = [line for line in runner.said if "ended early" in line]
    assert ended == ["target: ended early, after 2 evaluations without a better dev F1 (training.target.patience)"]


def test_of_two_experiments_that_begin_at_one_moment_one_is_refused(runner: Runner) -> None:
    """Threads stand for commands; both have read their data when the folder becomes free."""
    folder = runner.project / "run"
    said: list[str] = []
    waiting = f"another command is at work in '{folder}'; waiting for it to finish"

    def begin(seed: int) -> RunResult | ConfigError:
        try:
            return run_experiment(runner.experiment(seed=seed), folder, replace(runner.surroundings, say=said.append))
        except ConfigError as fault:
            return fault

    with ThreadPoolExecutor(2) as pool:
        with held_run(folder, said.append):
            both = [pool.submit(begin, seed) for seed in (1, 2)]
            deadline = time.monotonic() + 600
            while said != [waiting] * 2 and time.monotonic() < deadline:
                time.sleep(0.01)
            assert said == [waiting] * 2
            assert not (folder / "experiment.json").exists()
        results = [one.result(60) for one in both]
    (finished,) = (one for one in results if isinstance(one, RunResult))
    (refused,) = (one for one in results if isinstance(one, ConfigError))
    assert read_experiment(folder)["seed"] == finished.seed
    assert f"'{folder}' holds another experiment: seed is {finished.seed} there" in str(refused)
