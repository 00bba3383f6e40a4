"""What a stopped command tells of: stages, seeds, the last checkpoint."""

from pathlib import Path

import pytest
import torch

from nerbridge.pipeline.interruption import Stopped, checkpoint_step, keeping_checkpoint, keeping_finished
from nerbridge.training.checkpoint import FILE
from nerbridge.training.tensor_file import write_tensors


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


def test_ctrl_c_outside_any_stage_tells_of_seeds() -> None:
    with pytest.raises(Stopped) as caught, keeping_finished(["seed 1"], "seed 2"):
        raise KeyboardInterrupt
    assert caught.value.kept == ("seed 1 (finished)",)
