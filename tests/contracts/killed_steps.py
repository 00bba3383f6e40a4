"""Training that is killed in one step and taken up again, beside training that is not."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

TINY = Path(__file__).parents[1] / "unit" / "training"
sys.path.insert(0, str(TINY))

from tiny_tagger import make_settings, train  # noqa: E402

from nerbridge.assembly.tagger import Tagger  # noqa: E402
from nerbridge.training.learner import Learner  # noqa: E402

SETTINGS = make_settings(checkpoint_seconds=0)


class Killed(BaseException):
    """Nothing in the product catches this, as nothing catches a SIGKILL."""


def assert_same_when_killed(tmp_path: Path, parts: Callable[[], dict[str, Any]], kill: int, *, steps: int) -> Tagger:
    """Both end with the same scores and bits after `steps` steps; returns the model. parts: a fresh model, streams."""
    torch.set_num_threads(1)
    undisturbed, expected = train(tmp_path / "undisturbed", SETTINGS, **parts())
    assert expected.steps == steps
    plain = Learner.learn

    def learn(self: Learner, indices: Any, *, step: int, done: float) -> None:
        plain(self, indices, step=step, done=done)
        if step == kill:
            raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Learner, "learn", learn)
        with pytest.raises(Killed):
            train(tmp_path / "disturbed", SETTINGS, **parts())
    model, result = train(tmp_path / "disturbed", SETTINGS, **parts())
    assert (result.f1, result.best_step, result.steps) == (expected.f1, expected.best_step, expected.steps)
    found = model.state_dict()
    for name, tensor in undisturbed.state_dict().items():
        assert torch.equal(found[name], tensor), name
    return undisturbed
