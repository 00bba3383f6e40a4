"""The model of one run in the folder of another: whole, so that no checksum differs, but not what was trained there."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from running import Runner, weights

from nerbridge.cli import main
from nerbridge.errors import BundleError
from tiny_project import write_project

DIRECT: dict[str, Any] = {"source": [], "transfer": {"kind": "direct"}}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the finished runs `one` and `two`; the tests work on copies."""
    project: Path = write_project(tmp_path_factory.mktemp("swapped") / "project")
    for seed, name in enumerate(("one", "two")):
        Runner(project).run(name, **DIRECT, seed=seed)
    return project


@pytest.fixture
def run(trained: Path) -> Path:
    """`swapped`: the run `one` with the model of `two`."""
    shutil.rmtree(trained / "swapped", ignore_errors=True)
    shutil.copytree(trained / "one", trained / "swapped")
    shutil.rmtree(trained / "swapped" / "model")
    return Path(shutil.copytree(trained / "two" / "model", trained / "swapped" / "model")).parent


def key(run: Path) -> str:
    return str(json.loads((run / "stage" / "stage.json").read_text(encoding="utf-8"))["key"])[:8]


def refusal(run: Path) -> str:
    return (
        f"'{run / 'model'}' is the model of another run (key {key(run.parent / 'two')})\n"
        f"  where: {run / 'model' / 'bundle.json'}\n"
        f"  expected: the model that the run has trained, with the key {key(run)} of {run / 'stage' / 'stage.json'}\n"
        f"  hint: copy the run's own model back, or move '{run / 'model'}' away: the training command then trains it "
        "again"
    )


def test_training_refuses_it_and_trains_again_once_it_is_moved_away(run: Path) -> None:
    runner = Runner(run.parent)
    before = weights(run)
    with pytest.raises(BundleError) as caught:
        runner.run("swapped", **DIRECT, seed=0)
    assert str(caught.value) == refusal(run)
    assert weights(run) == before
    shutil.move(run / "model", run.parent / "kept")
    runner.run("swapped", **DIRECT, seed=0)
    assert runner.stages() == {"target": "trained"}
    assert weights(run) == weights(run.parent / "one")
    shutil.rmtree(run.parent / "kept")


@pytest.mark.parametrize(
    "command",
    [
        ["plot", "RUN"],
        ["plot", "RUN", "--data", "FILE"],
        ["report", "RUN"],
        ["compare", "RUN", "OTHER"],
        ["predict", "RUN", "FILE", "--input-format", "conll"],
        ["evaluate", "RUN", "FILE"],
    ],
)
def test_what_reads_a_run_refuses_it(
    run: Path, command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    places = {"RUN": run, "OTHER": run.parent / "two", "FILE": run.parent / "test.txt"}
    assert main([str(places.get(word, word)) for word in command]) == 2
    assert f"error: {refusal(run)}\n" in capsys.readouterr().err


def test_a_model_that_is_named_itself_is_used(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(run / "model"), str(run.parent / "test.txt")]) == 0
    assert "error" not in capsys.readouterr().err


def test_a_cached_stage_with_another_model_is_trained_again(trained: Path) -> None:
    runner = Runner(trained)
    first = runner.run("sequential")
    for stage in runner.cached():
        shutil.rmtree(stage / "model")
        shutil.copytree(trained / "two" / "model", stage / "model")
    second = runner.run("another")
    said = [line for line in runner.said if "is damaged and trained again (its model is another stage's)" in line]
    assert [line.split(":")[0] for line in said] == ["source-1", "source-2"]
    assert weights(first.folder) == weights(second.folder)
