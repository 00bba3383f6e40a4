"""What a stopped command tells of: stages, seeds, the last checkpoint."""

from pathlib import Path

import pytest
import torch
from running import Runner

from nerbridge.pipeline import ablation
from nerbridge.pipeline.interruption import Stopped, checkpoint_step, keeping_checkpoint, keeping_finished
from nerbridge.training.checkpoint import FILE
from nerbridge.training.tensor_file import write_tensors
from raw_project import raw_tables, write_raw
from tiny_project import write_project


def checkpoint(workdir: Path, state: object) -> Path:
    workdir.mkdir(exist_ok=True)
    write_tensors(workdir / FILE, {"weight": torch.zeros(2)}, {"digest": "x", "best": None, "state": state})
    return workdir


def stopped_in(workdir: Path, *, finished: list[str], seeds: list[str]) -> tuple[str, ...]:
    with (
        pytest.raises(KeyboardInterrupt) as caught,
        keeping_finished(seeds, "seed 3"),
        keeping_finished(finished),
        keeping_checkpoint("target", workdir),
    ):
        raise KeyboardInterrupt
    assert isinstance(caught.value, Stopped)
    return caught.value.kept


def test_everything_that_was_kept_is_told(tmp_path: Path) -> None:
    workdir = checkpoint(tmp_path / "work", {"step": 1200})
    assert stopped_in(workdir, finished=["source-1"], seeds=["seed 1", "seed 2"]) == (
        "seed 1 (finished)",
        "seed 2 (finished)",
        "seed 3: source-1 (finished), target (checkpoint of step 1200)",
    )
    assert stopped_in(workdir, finished=[], seeds=[]) == ("seed 3: target (checkpoint of step 1200)",)


def test_nothing_is_invented(tmp_path: Path) -> None:
    assert stopped_in(tmp_path, finished=[], seeds=[]) == ()
    assert checkpoint_step(tmp_path) is None
    assert checkpoint_step(checkpoint(tmp_path / "other", {"epoch": 1})) is None
    (tmp_path / FILE).write_bytes(b"damaged")
    assert checkpoint_step(tmp_path) is None


def test_what_is_known_to_begin_anew_is_told_apart_from_what_is_not_known(tmp_path: Path) -> None:
    with pytest.raises(Stopped) as caught, keeping_finished([]), keeping_checkpoint("target", tmp_path):
        raise KeyboardInterrupt
    assert caught.value.anew
    with pytest.raises(Stopped) as caught, keeping_finished(["source-1"]), keeping_checkpoint("target", tmp_path):
        raise KeyboardInterrupt
    assert not caught.value.anew
    with pytest.raises(Stopped) as caught, keeping_finished([]):
        raise KeyboardInterrupt
    assert not caught.value.anew


def pressed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("moment", "kept"),
    [
        (1, ("the run (finished)",)),
        (2, ("the run (finished)", "ablation 1 of 3 (finished)")),
        (3, ("the run (finished)", "ablation 1 of 3 (finished)", "ablation 2 of 3 (finished)")),
        (4, ("the run (finished)", *(f"ablation {number} of 3 (finished)" for number in (1, 2, 3)))),
    ],
)
def test_a_stopped_ablation_tells_of_its_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int, kept: tuple[str, ...]
) -> None:
    monkeypatch.setattr(ablation, "_specialised", lambda *_: ())
    monkeypatch.setattr(ablation, "not_done", lambda *_: {})
    monkeypatch.setattr(ablation, "_compared", pressed)
    runs: list[Path] = []

    def run(experiment: object, place: Path, surroundings: object) -> None:
        runs.append(place)
        if len(runs) == moment:
            raise KeyboardInterrupt

    monkeypatch.setattr(ablation, "run_experiment", run)
    runner = Runner(write_raw(write_project(tmp_path / "project")))
    experiment = runner.experiment(**raw_tables(runner.project))
    with pytest.raises(Stopped) as caught:
        ablation.run_ablation(experiment, tmp_path / "run", runner.surroundings)
    assert caught.value.kept == kept


def test_behind_pre_training_and_stages_what_is_finished_is_told(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = Runner(write_raw(project))
    steps = ("corpus (finished)", "level (finished)", "pre-training (finished)")
    stages = ("source-1 (finished)", "source-2 (finished)", "target (finished)")
    for owner, name, kept in (
        ("nerbridge.pretraining.loop.Loop", "run", steps[:2]),
        ("nerbridge.pipeline.stage_training", "fit", steps),
        ("nerbridge.pipeline.run", "score_run", stages),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"{owner}.{name}", pressed)
            with pytest.raises(Stopped) as caught:
                runner.run(**raw_tables(project))
        assert caught.value.kept == kept


def test_ctrl_c_outside_any_stage_tells_of_seeds() -> None:
    with pytest.raises(Stopped) as caught, keeping_finished(["seed 1"], "seed 2"):
        raise KeyboardInterrupt
    assert caught.value.kept == ("seed 1 (finished)",)
