"""`nerbridge quickstart` with a tiny encoder in place of the packaged one: what it prints, writes and goes on from."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from builders import tiny_folder
from nerbridge.cli import main
from nerbridge.config.experiment import Experiment
from nerbridge.config.loading import load_experiment
from nerbridge.pipeline import quickstart

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in an empty folder: (exit code, stdout, stderr)."""
    tiny_folder(tmp_path / "encoder")
    original = quickstart.sample_experiment

    def tiny(sample: Path, kind: Literal["direct", "sequential"]) -> Experiment:
        experiment = original(sample, kind)
        encoder = experiment.encoder.model_copy(update={"checkpoint": str(tmp_path / "encoder")})
        training = experiment.training.model_copy(update={"base": {"epochs": 1, "selection": "last"}, "source": {}})
        return experiment.model_copy(update={"encoder": encoder, "training": training})

    monkeypatch.setattr(quickstart, "sample_experiment", tiny)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NERBRIDGE_CACHE", str(tmp_path / "cache"))
    capsys.readouterr()

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["quickstart", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


def test_both_ways_stand_side_by_side_and_the_way_on_is_told(run: Run) -> None:
    code, out, err = run("--output", "demo")
    assert code == 0
    header, direct, sequential = out.splitlines()[:3]
    assert re.split(r"\s{2,}", header) == ["transfer", "test F1", "95 % interval", "precision", "recall"]
    number = r" +\d+\.\d\d"
    row = rf"{number}{number} to \d+\.\d\d{number}{number}"
    assert re.fullmatch(rf"direct \(target only\){row}", direct)
    assert re.fullmatch(rf"sequential \(news, then target\){row}", sequential)
    assert quickstart.SENTENCE in out
    assert err.splitlines()[-6:] == [
        "report        demo/sequential/report.html",
        "compare       nerbridge compare demo/direct demo/sequential",
        "tag your text nerbridge predict demo/sequential - <<< 'Your text.'",
        "your domain   nerbridge adapt --target-train YOUR_FILE.txt --source demo/data/source_train.txt",
        "more news     nerbridge data fetch conll2003 --data-root data",
        "              then adapt with --source conll2003 --data-root data",
    ]
    assert "no effect" not in err
    for name in ("direct", "sequential"):
        assert Path(f"demo/{name}/report.html").exists()


def test_all_training_sentences_are_trained_on(run: Run) -> None:
    """Fixed steps select on nothing, so nothing is held out."""
    _, _, err = run("--output", "demo")
    sizes = re.findall(r"^data     target: (\d+) training, (\d+) test sentences;", err, re.M)
    assert sizes == [("40", "120")] * 2


def test_as_json_and_again(run: Run) -> None:
    code, out, _ = run("--output", "demo", "--json")
    result = json.loads(out)
    assert code == 0
    assert list(result) == ["direct", "sequential"]
    assert list(result["sequential"]["stages"]) == ["source-1", "target"]
    code, again, err = run("--output", "demo", "--json")
    assert (code, json.loads(again)) == (0, result)
    assert err.count(": already trained (") == 3


def test_its_recipes_run_from_anywhere_and_move_with_the_demo(run: Run, tmp_path: Path) -> None:
    run("--output", "demo")
    Path("demo").rename("moved")
    Path("elsewhere").mkdir()
    for kind in ("direct", "sequential"):
        experiment = load_experiment(Path("elsewhere/../moved") / kind / "recipe.toml")
        assert experiment.target.files is not None
        assert experiment.target.files.train == str(tmp_path / "moved/data/target_train.txt")


def test_a_sample_file_that_a_killed_run_left_half_is_not_there(tmp_path: Path) -> None:
    """Files appear whole or not at all; those that are there stay as the user has them."""
    quickstart.copy_sample(tmp_path)
    (tmp_path / "raw.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "target_test.txt").unlink()
    quickstart.copy_sample(tmp_path)
    assert (tmp_path / "raw.txt").read_text(encoding="utf-8") == "mine"
    assert len((tmp_path / "target_test.txt").read_text(encoding="utf-8")) > 10_000
