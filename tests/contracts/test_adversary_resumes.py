"""Training against a discriminator, killed in any step, ends with the same bits: lambda follows from the step alone."""

from pathlib import Path
from typing import Any

import pytest
import torch
from killed_steps import assert_same_when_killed
from tiny_tagger import TAGS, TinyEncoder, evaluate, make_sentences

from nerbridge.assembly.build import compose
from nerbridge.batching.streams import Stream
from nerbridge.config.adversary import DannSettings
from nerbridge.config.context import BiLstmSettings
from nerbridge.config.tagger import CrfSettings


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
    model = assert_same_when_killed(tmp_path, parts, kill, steps=9)
    assert model.discriminator is not None
    assert model.discriminator.done == pytest.approx(8.5 / 9)


def test_every_parameter_gets_a_gradient_but_the_head_of_the_source_from_raw_text() -> None:
    model, streams = (parts()[name] for name in ("model", "streams"))
    model.at_share(1.0)
    model(streams[1].batch(range(4))).backward()
    without = {name.split(".")[0] for name, one in model.named_parameters() if one.grad is None}
    assert without == {"heads"}
    assert all(one.grad is not None for one in model.discriminator.parameters())
    assert all(one.grad is None for one in model.head("news").parameters())
