"""Training against a discriminator, killed in any step, ends with the same bits: lambda follows from the step alone."""

import sys
from pathlib import Path
from typing import Any

import pytest
import torch

TINY = Path(__file__).parents[1] / "unit" / "training"
sys.path.insert(0, str(TINY))

from tiny_tagger import TAGS, TinyEncoder, evaluate, make_sentences, make_settings, train  # noqa: E402

from nerbridge.assembly.build import compose  # noqa: E402
from nerbridge.batching.streams import Stream  # noqa: E402
from nerbridge.config.adversary import DannSettings  # noqa: E402
from nerbridge.config.context import BiLstmSettings  # noqa: E402
from nerbridge.config.tagger import CrfSettings  # noqa: E402
from nerbridge.training.learner import Learner  # noqa: E402

SETTINGS = make_settings(checkpoint_seconds=0)


class Killed(BaseException):
    """Nothing in the product catches this, as nothing catches a SIGKILL."""


def parts() -> dict[str, Any]:
    """A fresh model with a discriminator, a labelled source and raw text of the target."""
    torch.manual_seed(5)
    spaces = {"news": TAGS}
    model = compose(TinyEncoder(), BiLstmSettings(hidden=8), CrfSettings(), spaces, 5, opposed=(DannSettings(), (1, 1)))
    vectorizer = model.encoder.vectorizer
    raw = make_sentences(14, domain="music", first=50)
    streams = [
        Stream("news", "news", make_sentences(10, domain="news"), vectorizer, TAGS, of_source=True),
        Stream("music", "music", raw, vectorizer, None, sets_pace=False, of_source=False),
    ]
    return {"model": model, "streams": streams, "evaluate": evaluate}


@pytest.mark.parametrize("kill", [pytest.param(n, marks=[] if n == 4 else [pytest.mark.slow]) for n in range(9)])
def test_killed_in_any_step(tmp_path: Path, kill: int) -> None:
    torch.set_num_threads(1)
    undisturbed, expected = train(tmp_path / "undisturbed", SETTINGS, **parts())
    assert expected.steps == 9
    assert undisturbed.discriminator is not None
    assert undisturbed.discriminator.done == pytest.approx(8.5 / 9)
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


def test_every_parameter_gets_a_gradient_but_the_head_of_the_source_from_raw_text() -> None:
    model, streams = (parts()[name] for name in ("model", "streams"))
    model.at_share(1.0)
    model(streams[1].batch(range(4))).backward()
    without = {name.split(".")[0] for name, one in model.named_parameters() if one.grad is None}
    assert without == {"heads"}
    assert all(one.grad is not None for one in model.discriminator.parameters())
    assert all(one.grad is None for one in model.head("news").parameters())
