"""Language models whose training is killed at the worst moments end like an undisturbed one, to the bit."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from builders import WORDS

SCRIPT = """
import os, random, signal, sys
from pathlib import Path

import torch
torch.set_num_threads(1)
from nerbridge.config.language_models import ElmoSettings, FlairSettings
from nerbridge.pretraining import Corpus
from nerbridge.pretraining.language_model import pretrain_language_model
from nerbridge.pretraining.learner import Learner
import nerbridge.pretraining.output as output_module
import nerbridge.training.tensor_file as tensor_module

folder, model, moment = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)

if moment == "step":
    plain = Learner.learn
    def learn(self, batch, step):
        if step == 3:
            die()
        plain(self, batch, step)
    Learner.learn = learn
elif moment == "checkpoint":
    save, calls = tensor_module.save_file, []
    def torn(tensors, path, metadata=None):
        save(tensors, path, metadata=metadata)
        calls.append(path)
        if len(calls) == 2:
            os.truncate(path, path.stat().st_size // 2)
            die()
    tensor_module.save_file = torn
elif moment == "model":
    output_module.write_provenance = die

kind = ElmoSettings if model == "elmo" else FlairSettings
settings = kind(hidden=8, batch_rows=2, max_steps=6, evaluate_every=3, held_out_words=60, checkpoint_seconds=0)
result = pretrain_language_model(settings, [Corpus(folder / "own.txt", "own")], folder / "out")
assert (result.steps, len(result.evaluations)) == (6, 3)
"""


def launch(folder: Path, model: str, moment: str) -> int:
    """The exit code of a training that is killed at `moment`."""
    command = [sys.executable, str(folder / "script.py"), str(folder), model, moment]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, env=environment, check=False, capture_output=True, timeout=600).returncode


def prepare(folder: Path) -> Path:
    """A folder with a text and the script."""
    import random

    draw = random.Random(3)
    folder.mkdir()
    (folder / "own.txt").write_text("\n".join(" ".join(draw.choices(WORDS, k=draw.randint(1, 40))) for _ in range(60)))
    (folder / "script.py").write_text(SCRIPT)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("model", ["elmo"])
def test_a_killed_training_ends_like_an_undisturbed_one(tmp_path: Path, model: str) -> None:
    whole = prepare(tmp_path / "whole")
    assert launch(whole, model, "never") == 0
    weights = (whole / "out" / "model.safetensors").read_bytes()
    killed = prepare(tmp_path / "killed")
    for moment in ("step", "checkpoint", "model"):
        assert launch(killed, model, moment) == -signal.SIGKILL
        assert not (killed / "out" / "pretraining.json").exists()
    assert launch(killed, model, "never") == 0
    assert (killed / "out" / "model.safetensors").read_bytes() == weights
    assert not (killed / "out" / "work").exists()
