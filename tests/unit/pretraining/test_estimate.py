"""How long a pre-training should take: what is said of it, and a trial that other programs disturb."""

from pathlib import Path

import pytest
from tiny_text import small_settings, text_file

import nerbridge.pretraining.estimate as estimate_module
from builders import tiny_folder
from nerbridge.config.encoder import TransformerSettings
from nerbridge.pretraining import Corpus, estimate_pretraining
from nerbridge.pretraining.estimate import Estimate


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            Estimate(1177, 2423, 15, 1015),
            "about 19:37: learning 2:42 (2,423 pieces, 15 per second on cpu), held-out text 16:55",
        ),
        (Estimate(162, 2423, 15), "about 2:42 for 2,423 pieces, 15 per second on cpu"),
    ],
)
def test_the_parts_of_the_time_are_said(found: Estimate, said: str) -> None:
    assert found.describe("piece", "cpu") == said


def test_what_slows_down_one_of_two_trials_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = TransformerSettings(checkpoint=str(tiny_folder(tmp_path / "encoder")))
    corpora = [Corpus(text_file(tmp_path / "own.txt"), "own")]
    found = []
    for one, two in ((1.0, 1.0), (7.0, 1.0), (1.0, 7.0)):
        seconds = iter([one, two] * 100)
        monkeypatch.setattr(estimate_module, "_seconds", lambda *_, seconds=seconds: next(seconds))
        found.append(estimate_pretraining(small_settings(), corpora, encoder=encoder, say=lambda text: None))
    assert found[0] == found[1] == found[2]
    assert 0 < found[0].held_out_seconds < found[0].seconds
