"""Pre-training in several processes learns what one learns; killed at any moment, it ends as an undisturbed one."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from builders import WORDS, tiny_folder
from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.pretraining import Corpus, pretrain

# Padded batches, several parts per process, a new head.
SETTINGS: dict[str, Any] = {
    "length": 32,
    "batch_rows": 5,
    "rows_at_once": 2,
    "max_steps": 6,
    "head_steps": 2,
    "evaluate_every": 3,
    "held_out_pieces": 60,
    "learning_rate": 1e-3,
    "checkpoint_seconds": 0,
}

SCRIPT = """
SETTINGS = {settings}
import os, signal, sys
from pathlib import Path
import torch
torch.set_num_threads(1)
from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.pretraining import Corpus, pretrain
from nerbridge.pretraining.learner import Learner
import nerbridge.pretraining.output as output_module
import nerbridge.training.tensor_file as tensor_module

folder, moment = Path(sys.argv[1]), sys.argv[2]
rank = int(os.environ.get("RANK", 0))
die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)

if moment.startswith("step "):
    plain = Learner.learn
    def learn(self, batch, step):
        if step == int(moment.split()[1]):
            die()
        plain(self, batch, step)
    Learner.learn = learn
elif moment == "checkpoint":
    save, calls = tensor_module.save_file, []
    def torn(tensors, path, metadata=None):
        save(tensors, path, metadata=metadata)
        calls.append(path)
        if len(calls) == 5:
            os.truncate(path, path.stat().st_size // 2)
            die()
    tensor_module.save_file = torn
elif moment == "encoder":
    output_module.write_provenance = die

settings = PretrainingSettings(**SETTINGS)
encoder = TransformerSettings(checkpoint=str(folder / "encoder"))
result = pretrain(settings, [Corpus(folder / "own.txt", "own")], folder / "out", encoder=encoder)
assert result.steps == 6
"""


def prepare(folder: Path, *, dropout: bool) -> Path:
    """A folder with an encoder and a text."""
    import random

    draw = random.Random(3)
    tiny_folder(folder / "encoder")
    if not dropout:
        path = folder / "encoder" / "config.json"
        config = json.loads(path.read_text())
        path.write_text(json.dumps(config | {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}))
    text = "\n".join(" ".join(draw.choices(WORDS, k=draw.randint(1, 50))) for _ in range(60))
    (folder / "own.txt").write_text(text)
    (folder / "script.py").write_text(SCRIPT.replace("{settings}", repr(SETTINGS)))
    return folder


def launch(folder: Path, processes: int = 1, moment: str = "never") -> subprocess.CompletedProcess[str]:
    launcher = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}"] if processes > 1 else []
    command = [sys.executable, *launcher, str(folder / "script.py"), str(folder), moment]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def undisturbed(folder: Path) -> None:
    """The same pre-training in this process."""
    encoder = TransformerSettings(checkpoint=str(folder / "encoder"))
    pretrain(PretrainingSettings(**SETTINGS), [Corpus(folder / "own.txt", "own")], folder / "out", encoder=encoder)


def outcome(folder: Path) -> tuple[list[dict[str, Any]], dict[str, torch.Tensor]]:
    content = json.loads((folder / "out" / "pretraining.json").read_text())
    return content["result"]["evaluations"], load_file(folder / "out" / "model.safetensors")


@pytest.mark.slow
def test_two_processes_learn_what_one_learns_even_when_killed(tmp_path: Path) -> None:
    undisturbed(prepare(tmp_path / "one", dropout=False))
    assert launch(prepare(tmp_path / "two", dropout=False), 2, "step 5").returncode != 0
    two = launch(tmp_path / "two", 2)
    assert two.returncode == 0, two.stderr
    (expected, weights), (found, others) = outcome(tmp_path / "one"), outcome(tmp_path / "two")
    for now, then in zip(found, expected, strict=True):
        assert now["step"] == then["step"]
        assert now["token"] == pytest.approx(then["token"], rel=1e-4)
    for name, tensor in weights.items():
        torch.testing.assert_close(others[name], tensor, rtol=1e-4, atol=1e-4, msg=name)


@pytest.mark.slow
def test_killed_at_any_moment_it_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    undisturbed(prepare(tmp_path / "whole", dropout=True))
    folder = prepare(tmp_path / "killed", dropout=True)
    for moment in ("step 1", "checkpoint", "encoder"):
        assert launch(folder, moment=moment).returncode == -9, moment
        assert not (folder / "out" / "pretraining.json").exists()
    last = launch(folder)
    assert last.returncode == 0, last.stderr
    (expected, weights), (found, others) = outcome(tmp_path / "whole"), outcome(folder)
    assert found == expected
    for name, tensor in weights.items():
        assert torch.equal(others[name], tensor), name
    journal = (folder / "out" / "journal.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in journal if '"evaluation"' in line] == [0, 2, 5, 8]
    assert sum('"resumed"' in line for line in journal) >= 1
