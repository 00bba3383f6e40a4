"""What one step does with the rates and the gradients."""

from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_tagger import make_model, make_settings, train

from nerbridge.training.learner import Learner


def shape(schedule: str, done: float, warmup: float) -> float:
    if done < warmup:
        return done / warmup
    return {"linear": (1 - done) / (1 - warmup), "constant": 1.0}[schedule]


@pytest.mark.parametrize("schedule", ["linear", "constant"])
@pytest.mark.parametrize("warmup", [0.0, 1 / 3])
def test_every_step_has_the_rates_of_its_middle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, schedule: str, warmup: float
) -> None:
    plain, rates = Learner.learn, []

    def learn(self: Learner, *arguments: Any, **options: Any) -> None:
        plain(self, *arguments, **options)
        rates.append(self.rates())

    monkeypatch.setattr(Learner, "learn", learn)
    train(tmp_path, make_settings(schedule=schedule, warmup=warmup, selection="last"))
    factors = [shape(schedule, (step + 0.5) / 9, warmup) for step in range(9)]
    assert rates == [pytest.approx([0.02 * factor, 0.05 * factor]) for factor in factors]


def moved(folder: Path, **values: Any) -> float:
    """How far one step of plain descent with rate 1 moves all weights."""
    model = make_model(dropout=0.0)
    before = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    settings = make_settings(
        optimizer="sgd",
        learning_rate=1.0,
        head_learning_rate=1.0,
        weight_decay=0,
        schedule="constant",
        warmup=0,
        max_steps=1,
        selection="last",
        **values,
    )
    train(folder, settings, model=model, evaluate=None)
    after = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    return float((after - before).norm())


def test_gradients_are_clipped_together_and_before_they_move_anything(tmp_path: Path) -> None:
    free = moved(tmp_path / "free", clip_norm="none")
    assert free > 0.1
    assert moved(tmp_path / "clipped", clip_norm=0.01) == pytest.approx(0.01, rel=1e-3)
    assert moved(tmp_path / "far", clip_norm=100.0) == pytest.approx(free, rel=1e-5)
