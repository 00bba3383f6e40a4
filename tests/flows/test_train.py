"""`nerbridge train` and `evaluate` on a tiny project: what they print, write and answer."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from programs import installed, python

from nerbridge.cli import main
from tiny_project import write_project, write_recipe_file

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with recipe.toml; its source stages are trained once for all tests here."""
    folder = write_project(tmp_path_factory.mktemp("train") / "project")
    write_recipe_file(folder)
    return folder


@pytest.fixture
def run(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in the project: (exit code, stdout, stderr)."""
    monkeypatch.chdir(project)
    monkeypatch.setenv("NERBRIDGE_CACHE", str(project / "cache"))
    monkeypatch.delenv("NERBRIDGE_DATA", raising=False)
    capsys.readouterr()

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


def scores(out: str) -> dict[str, str]:
    """First cell -> F1 of a printed table."""
    return {re.split(r"\s{2,}", line)[0]: re.split(r"\s{2,}", line)[1] for line in out.splitlines()[1:]}


def test_train_prints_scores_to_stdout_and_the_way_to_stderr(run: Run) -> None:
    code, out, err = run("train", "recipe.toml", "--output", "plain")
    assert code == 0
    header, dev, test = out.splitlines()
    assert re.split(r"\s{2,}", header) == [
        "split", "F1", "95 % interval", "precision", "recall", "macro F1", "strict F1", "sentences", "entities",
    ]  # fmt: skip
    assert re.fullmatch(r"dev( +\d+\.\d\d){1} +\d+\.\d\d to \d+\.\d\d( +\d+\.\d\d){4} +8 +16", dev)
    assert re.fullmatch(r"test( +\d+\.\d\d){1} +\d+\.\d\d to \d+\.\d\d( +\d+\.\d\d){4} +10 +20", test)
    lines = err.splitlines()
    assert lines[0] == "run      plain, seed 1"
    assert [line.split()[0] for line in lines[1:12]] == ["data"] * 3 + ["note"] + ["plan"] * 3 + ["note"] * 4
    assert lines[-3:] == [
        "report   plain/report.html",
        "use it   nerbridge predict plain - <<< 'Your text.'",
        "compare  nerbridge compare plain OTHER_RUN",
    ]
    assert [line for line in lines if ", dev F1 " in line and ": step " in line], "the learning curve is told"


def test_train_as_json(run: Run) -> None:
    code, out, err = run("train", "recipe.toml", "--output", "as-json", "--json")
    result = json.loads(out)
    assert code == 0
    assert list(result) == ["folder", "seed", "stages", "scores"]
    assert (result["folder"], result["seed"]) == ("as-json", 1)
    assert list(result["stages"]) == ["source-1", "source-2", "target"]
    assert set(result["stages"]["target"]) == {"dev_f1", "steps", "seconds", "parameters"}
    assert result["stages"]["target"]["parameters"].keys() == {"all", "trainable", "encoder", "context", "heads"}
    assert list(result["scores"]) == ["dev", "test"]
    assert list(result["scores"]["test"]) == ["f1", "interval", "mistakes", "conlleval", "strict"]
    assert result["scores"] == json.loads(Path("as-json/scores.json").read_text())
    assert "report   as-json/report.html" in err


def test_train_again_says_that_it_is_done(run: Run) -> None:
    _, first, _ = run("train", "recipe.toml", "--output", "twice")
    code, second, err = run("train", "recipe.toml", "--output", "twice")
    assert (code, second) == (0, first)
    assert len(re.findall(r"^\S+: already trained \(\d+ steps.*\), taken from ", err, re.M)) == 3


def test_settings_are_overridden_and_the_folder_named_by_the_recipe(run: Run) -> None:
    code, out, err = run("train", "recipe.toml", "--set", "training.target.max_steps=2", "--set", "name=short")
    assert code == 0
    assert set(scores(out)) == {"dev", "test"}
    assert "at most 3 epochs or 2 steps, keeps the weights with the best dev F1" in err
    assert Path("runs/short/scores.json").exists()


def test_seeds_are_printed_one_by_one_and_together(run: Run) -> None:
    code, out, err = run("train", "recipe.toml", "--seeds", "1,2", "--output", "seeds")
    assert code == 0
    printed = scores(out)
    assert list(printed) == [
        "dev, seed 1", "dev, seed 2", "dev, mean", "test, seed 1", "test, seed 2", "test, mean",
    ]  # fmt: skip
    mean = (float(printed["test, seed 1"]) + float(printed["test, seed 2"])) / 2
    assert abs(mean - float(printed["test, mean"])) < 0.011
    assert [line for line in err.splitlines() if line.startswith("seed ")] == ["seed 1", "seed 2"]
    _, out, _ = run("train", "recipe.toml", "--seeds", "1,2", "--output", "seeds", "--json")
    together = json.loads(out)
    assert list(together) == ["folder", "dev", "test", "runs"]
    assert together["test"]["seeds"] == [1, 2]
    assert [each["seed"] for each in together["runs"]] == [1, 2]


@pytest.mark.parametrize("seeds", ["one", "1,1", "1,,2", "-1", "1.5"])
def test_seeds_that_cannot_be_read(run: Run, seeds: str) -> None:
    assert run("train", "recipe.toml", "--seeds", seeds) == (
        2,
        "",
        f"error: seeds '{seeds}' cannot be read\n"
        "  where: --seeds\n"
        "  expected: different whole numbers from 0 to 4294967295, separated by commas\n"
        "  hint: --seeds 1,2,3\n",
    )


def test_another_experiment_in_the_folder(run: Run) -> None:
    run("train", "recipe.toml", "--output", "taken")
    code, out, err = run("train", "recipe.toml", "--output", "taken", "--set", "seed=5")
    assert (code, out) == (2, "")
    assert err == (
        "error: 'taken' holds another experiment: seed is 1 there, 5 here\n"
        "  where: taken/experiment.json\n"
        "  expected: the same recipe, settings and seed, or a new folder\n"
        "  hint: choose another --output, or remove the folder\n"
    )


def test_evaluate_gives_both_readings_and_every_label(run: Run) -> None:
    run("train", "recipe.toml", "--output", "plain")
    code, out, err = run("evaluate", "plain", "test.txt")
    assert (code, err) == (0, "")
    readings, labels = (part.splitlines() for part in out.split("\n\n"))
    assert [re.split(r"\s{2,}", line)[0] for line in readings] == ["test.txt", "conlleval", "strict"]
    assert re.split(r"\s{2,}", readings[0])[1:] == [
        "F1", "95 % interval", "precision", "recall", "macro F1", "gold", "predicted",
    ]  # fmt: skip
    assert re.split(r"\s{2,}", readings[2])[2] == "of conlleval alone"
    assert [re.split(r"\s{2,}", line)[0] for line in labels] == [
        "label", "band", "location", "person", "(boundaries only)", "(label, overlapping)",
    ]  # fmt: skip


def test_evaluate_as_json_equals_the_runs_own_scores(run: Run) -> None:
    run("train", "recipe.toml", "--output", "plain")
    code, out, _ = run("evaluate", "plain", "test.txt", "--json")
    assert code == 0
    assert json.loads(out) == json.loads(Path("plain/scores.json").read_text())["test"]


def test_evaluate_says_which_labels_do_not_meet_and_writes_a_report(run: Run) -> None:
    run("train", "recipe.toml", "--output", "plain")
    code, _, err = run("evaluate", "plain", "news.txt", "--output", "scored")
    assert code == 0
    assert err.splitlines()[:2] == [
        "note     label 'LOC' is read as 'location'",
        "note     label 'PER' is read as 'person'",
    ]
    assert err.splitlines()[-1] == "report   scored/report.html"
    assert Path("scored/report.html").exists()
    assert Path("scored/predictions/test.jsonl").exists()
    _, _, err = run("evaluate", "plain", "news.txt", "--output", "scored")
    assert err.splitlines()[-1] == "note     scored: earlier scores and predictions of test were replaced"


def test_evaluate_of_several_seeds_prints_each_and_their_mean(run: Run) -> None:
    run("train", "recipe.toml", "--seeds", "1,2", "--output", "seeds")
    code, out, err = run("evaluate", "seeds", "test.txt", "--output", "scored-seeds")
    assert code == 0
    assert err.splitlines()[-1] == "report   scored-seeds/report.html"
    runs, labels = ([re.split(r"\s{2,}", line) for line in part.splitlines()] for part in out.split("\n\n"))
    assert runs[0] == [
        "test.txt", "F1", "deviation", "95 % interval", "precision", "recall", "macro F1", "strict F1",
    ]  # fmt: skip
    assert [row[0] for row in runs[1:]] == ["seed-1", "seed-2", "mean"]
    first, second = float(runs[1][1]), float(runs[2][1])
    assert float(runs[3][1]) == pytest.approx((first + second) / 2, abs=0.011)
    assert float(runs[3][2]) == pytest.approx(abs(first - second) / 2**0.5, abs=0.011)
    assert re.fullmatch(r"\d+\.\d\d to \d+\.\d\d", runs[3][3])
    assert labels[0] == ["label, mean", "F1", "deviation", "precision", "recall", "gold"]
    assert [row[0] for row in labels[1:]] == [
        "band", "location", "person", "(boundaries only)", "(label, overlapping)",
    ]  # fmt: skip
    _, out, _ = run("evaluate", "seeds", "test.txt", "--json")
    together = json.loads(out)
    own = json.loads(Path("seeds/scores.json").read_text())["test"]
    assert {key: value for key, value in together.items() if key != "runs"} == own
    assert [json.loads(Path(f"seeds/{name}/scores.json").read_text())["test"] for name in together["runs"]] == list(
        together["runs"].values()
    )
    assert 100 * together["f1"]["mean"] == pytest.approx(float(runs[3][1]), abs=0.006)


def test_ctrl_c_with_seeds_says_which_are_finished(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from nerbridge.pipeline import stage_training

    whole = stage_training.fit

    def interrupted(*arguments: Any, **options: Any) -> Any:
        if options["seed"] == 22:
            raise KeyboardInterrupt
        return whole(*arguments, **options)

    monkeypatch.setattr("nerbridge.pipeline.stage_training.fit", interrupted)
    code, out, err = run("train", "recipe.toml", "--output", "stopped-seeds", "--seeds", "21,22")
    assert (code, out) == (130, "")
    assert err.splitlines()[-1] == "stopped; the same command continues; kept: seed 21 (finished)"


def test_ctrl_c_ends_with_130_and_says_how_to_go_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("nerbridge.pipeline.stage_training.fit", interrupted)
    code, out, err = run("train", "recipe.toml", "--output", "stopped", "--set", "seed=11")
    assert (code, out) == (130, "")
    assert err.splitlines()[-1] == "stopped; nothing was kept: the same command begins anew"
    monkeypatch.undo()


def test_python_m_nerbridge_is_the_same_program(project: Path) -> None:
    done = python("-m", "nerbridge", "--version", folder=project)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("nerbridge ")


@pytest.mark.slow
def test_adapt_through_the_installed_command_writes_a_recipe_that_trains_the_same(project: Path) -> None:
    arguments = [
        "adapt", "--target-train", "train.txt", "--target-dev", "dev.txt", "--target-test", "test.txt",
        "--source", "news.txt,bands.txt", "--encoder", "encoder", "--cache", "cache", "--output", "adapted",
        "--set", "training.epochs=1", "--json",
    ]  # fmt: skip
    done = installed(*arguments, folder=project)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    again = installed("train", "adapted/recipe.toml", "--cache", "cache", "--output", "again", "--json", folder=project)
    first, second = json.loads(done.stdout), json.loads(again.stdout)
    assert first["scores"] == second["scores"]
    assert again.stderr.count("already trained") == 2
    assert [line.split(",")[0] for line in done.stderr.splitlines()[:1]] == ["run      adapted"]
