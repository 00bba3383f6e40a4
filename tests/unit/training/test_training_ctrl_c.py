"""Ctrl-C while a stage trains: the step is kept, nothing is torn, and the end is that of an undisturbed stage."""

import logging
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_tagger import evaluate, make_settings, train

import nerbridge.training.interruption as interruption_module
from nerbridge.assembly.tagger import Tagger
from nerbridge.pipeline.interruption import checkpoint_step
from nerbridge.training.evaluation import Evaluation
from nerbridge.training.interruption import Interruption
from nerbridge.training.journal import read_journal
from nerbridge.training.learner import Learner

pytestmark = pytest.mark.usefixtures("hears_ctrl_c")

WAITS = "stops when this step is done and kept; Ctrl-C again ends at once, without it"


def at_step(monkeypatch: pytest.MonkeyPatch, number: int, times: int = 1) -> None:
    """Let the user press Ctrl-C in the middle of the `number`-th step (from 0)."""
    plain = Learner.learn

    def pressed(self: Learner, *arguments: Any, step: int, **options: Any) -> None:
        for _ in range(times if step == number else 0):
            signal.raise_signal(signal.SIGINT)
        plain(self, *arguments, step=step, **options)

    monkeypatch.setattr(Learner, "learn", pressed)


def in_evaluation(number: int) -> Callable[[Tagger], Evaluation]:
    """`evaluate`, whose `number`-th call is interrupted."""
    calls = 0

    def pressed(model: Tagger) -> Evaluation:
        nonlocal calls
        calls += 1
        if calls == number:
            signal.raise_signal(signal.SIGINT)
        return evaluate(model)

    return pressed


def assert_ends_like_an_undisturbed_one(folder: Path, whole: Path) -> None:
    model, result = train(folder)
    other, expected = train(whole)
    assert all(map(torch.equal, model.state_dict().values(), other.state_dict().values()))
    assert (result.f1, result.best_step, result.steps) == (expected.f1, expected.best_step, expected.steps)
    told = [
        [(e["step"], e["loss"], e["f1"]) for e in read_journal(place / "journal.jsonl") if e["event"] == "evaluation"]
        for place in (folder, whole)
    ]
    assert told[0] == told[1]


@pytest.mark.parametrize("number", [0, 1, 2, 5, 8])  # behind some of them dev is evaluated, behind 8 comes the end
def test_the_step_is_ended_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    with monkeypatch.context() as patch:
        at_step(patch, number)
        with pytest.raises(KeyboardInterrupt):
            train(tmp_path / "stopped")
    assert checkpoint_step(tmp_path / "stopped" / "work") == number + 1
    assert_ends_like_an_undisturbed_one(tmp_path / "stopped", tmp_path / "whole")


@pytest.mark.parametrize("number", [1, 4, 6])
def test_an_evaluation_is_not_waited_for_and_made_later(tmp_path: Path, number: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "stopped", evaluate=in_evaluation(number))
    told = [e["event"] for e in read_journal(tmp_path / "stopped" / "journal.jsonl")]
    assert told.count("evaluation") == number - 1
    assert checkpoint_step(tmp_path / "stopped" / "work") is not None
    assert_ends_like_an_undisturbed_one(tmp_path / "stopped", tmp_path / "whole")


def test_a_second_ctrl_c_ends_at_once_and_keeps_nothing_torn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = make_settings(checkpoint_seconds=0.0)
    with monkeypatch.context() as patch:
        at_step(patch, 4, times=2)
        with pytest.raises(KeyboardInterrupt):
            train(tmp_path / "stopped", settings)
    assert checkpoint_step(tmp_path / "stopped" / "work") == 4
    assert_ends_like_an_undisturbed_one(tmp_path / "stopped", tmp_path / "whole")


def test_a_long_step_says_what_it_waits_for(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    for seconds, said in ((60.0, []), (0.01, [WAITS])):
        monkeypatch.setattr(interruption_module, "SAID_AFTER", seconds)
        interruption = Interruption(alone=True)
        with caplog.at_level(logging.INFO), pytest.raises(KeyboardInterrupt), interruption.held_back():
            long_step(caplog, number=len(said))
        assert caplog.messages == said
        assert interruption.whole


def long_step(caplog: pytest.LogCaptureFixture, number: int) -> None:
    """One in which Ctrl-C is pressed, and that ends when so many lines were said."""
    signal.raise_signal(signal.SIGINT)
    deadline = time.monotonic() + 60
    while len(caplog.messages) < number and time.monotonic() < deadline:
        time.sleep(0.01)


def test_several_processes_stop_at_once() -> None:
    interruption = Interruption(alone=False)
    with pytest.raises(KeyboardInterrupt), interruption.held_back():
        signal.raise_signal(signal.SIGINT)
    assert not interruption.whole


def test_what_the_user_lets_be_ignored_is_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    interruption = Interruption(alone=True)
    with interruption.held_back():
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert interruption.whole
    signal.signal(signal.SIGINT, signal.default_int_handler)
