"""Ctrl-C in a pre-training: the step is kept, and the end is that of an undisturbed one."""

import signal
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from tiny_text import small_settings, text_file

from builders import tiny_folder
from nerbridge.config.encoder import TransformerSettings
from nerbridge.pipeline.interruption import checkpoint_step
from nerbridge.pretraining import Corpus, PretrainingResult, pretrain
from nerbridge.pretraining.held_out import HeldOut
from nerbridge.pretraining.learner import Learner

pytestmark = pytest.mark.usefixtures("hears_ctrl_c")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    tiny_folder(tmp_path / "encoder")
    text_file(tmp_path / "own.txt")
    return tmp_path


def run(place: Path, name: str, **changes: Any) -> PretrainingResult:
    encoder = TransformerSettings(checkpoint=str(place / "encoder"))
    corpora = [Corpus(place / "own.txt", "own")]
    return pretrain(small_settings(**changes), corpora, place / name, encoder=encoder, say=lambda text: None)


def assert_ends_like_an_undisturbed_one(place: Path) -> None:
    stopped, whole = run(place, "stopped"), run(place, "whole")
    assert stopped.evaluations == whole.evaluations
    assert stopped.pieces == whole.pieces
    one, two = (load_file(place / name / "model.safetensors") for name in ("stopped", "whole"))
    assert one.keys() == two.keys()
    assert all(torch.equal(one[name], two[name]) for name in one)


def at_step(monkeypatch: pytest.MonkeyPatch, number: int, times: int = 1) -> None:
    """Let the user press Ctrl-C in the middle of the `number`-th step (from 0)."""
    plain = Learner.learn

    def pressed(self: Learner, batch: Any, step: int) -> None:
        for _ in range(times if step == number else 0):
            signal.raise_signal(signal.SIGINT)
        plain(self, batch, step)

    monkeypatch.setattr(Learner, "learn", pressed)


@pytest.mark.parametrize("number", [0, 1, 3, 4, 7])  # 1: the head's last step; 4: then evaluated; 7: the last
def test_the_step_is_ended_and_kept(place: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    with monkeypatch.context() as patch:
        at_step(patch, number)
        with pytest.raises(KeyboardInterrupt):
            run(place, "stopped")
    assert checkpoint_step(place / "stopped" / "work") == number + 1
    assert_ends_like_an_undisturbed_one(place)


@pytest.mark.parametrize(("step", "kept"), [(0, None), (5, 5), (8, 8)])
def test_held_out_text_is_not_waited_for(
    place: Path, monkeypatch: pytest.MonkeyPatch, step: int, kept: int | None
) -> None:
    plain = HeldOut.evaluate

    def pressed(self: HeldOut, model: Any, now: int, device: torch.device) -> Any:
        if now == step:
            signal.raise_signal(signal.SIGINT)
        return plain(self, model, now, device)

    with monkeypatch.context() as patch:
        patch.setattr(HeldOut, "evaluate", pressed)
        with pytest.raises(KeyboardInterrupt):
            run(place, "stopped")
    assert checkpoint_step(place / "stopped" / "work") == kept
    assert_ends_like_an_undisturbed_one(place)


def test_a_second_ctrl_c_ends_at_once_and_keeps_nothing_torn(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        at_step(patch, 4, times=2)
        with pytest.raises(KeyboardInterrupt):
            run(place, "stopped", checkpoint_seconds=0)
    assert checkpoint_step(place / "stopped" / "work") == 4
    assert_ends_like_an_undisturbed_one(place)
