"""Several processes learn what one process learns, up to rounding."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

TINY = Path(__file__).parents[1] / "unit" / "training"

SCRIPT = """
import json, os, sys
from pathlib import Path
sys.path.insert(0, {tiny!r})
import torch
torch.set_num_threads(1)
from safetensors.torch import save_file
from tiny_tagger import evaluate, make_model, make_settings, make_stream, train
from nerbridge.data.sentence import Annotation, Sentence
from nerbridge.batching.streams import Stream
from nerbridge.training.learner import Learner

folder, kill_at = Path(sys.argv[1]), int(sys.argv[2])
rank = int(os.environ.get("RANK", 0))
model = make_model(dropout=0.0, domains=("news", "music"))
if rank == 1:  # the main process's weights count
    torch.nn.init.zeros_(model.encoder.mix.weight)
streams = [make_stream(model, 9), make_stream(model, 5, domain="music", weight=0.5)]
first = streams[0].sentences[0]  # knows fewer words than others: shares must be weighted by what is known
partial = Sentence(first.words, first.spans[:1], Annotation.PARTIAL, (True, *[False] * (len(first) - 1)))
sentences = [partial, *streams[0].sentences[1:]]
streams[0] = Stream("news", "news", sentences, model.encoder.vectorizer, streams[0].vocabulary)
asked = []

def watched(model):
    asked.append(1)
    return evaluate(model)

plain = Learner.learn
def learn(self, parts, *, step, done):
    if step == kill_at:
        os._exit(9)
    plain(self, parts, step=step, done=done)
Learner.learn = learn

settings = make_settings(optimizer="sgd", checkpoint_seconds=0)
_, result = train(folder, settings, model=model, streams=streams, evaluate=watched)
weights = {{name: tensor.contiguous() for name, tensor in model.state_dict().items()}}
save_file(weights, folder / f"final-{{rank}}.safetensors")
scores = [result.best_f1, result.best_step, result.steps, result.stopped, len(asked)]
(folder / f"result-{{rank}}.json").write_text(json.dumps(scores))
"""


def launch(folder: Path, processes: int, kill_at: int = -1) -> subprocess.CompletedProcess[str]:
    folder.mkdir(exist_ok=True)
    script = folder / "script.py"
    script.write_text(SCRIPT.format(tiny=str(TINY)))
    launcher = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}"] if processes > 1 else []
    command = [sys.executable, *launcher, str(script), str(folder), str(kill_at)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def outcome(folder: Path, rank: int) -> tuple[list[Any], dict[str, torch.Tensor]]:
    return json.loads((folder / f"result-{rank}.json").read_text()), load_file(folder / f"final-{rank}.safetensors")


@pytest.mark.slow
def test_two_processes_learn_what_one_learns_even_when_interrupted(tmp_path: Path) -> None:
    one = launch(tmp_path / "one", 1)
    assert one.returncode == 0, one.stderr
    killed = launch(tmp_path / "two", 2, kill_at=5)
    assert killed.returncode != 0
    two = launch(tmp_path / "two", 2)
    assert two.returncode == 0, two.stderr
    expected, weights = outcome(tmp_path / "one", 0)
    main, main_weights = outcome(tmp_path / "two", 0)
    other, other_weights = outcome(tmp_path / "two", 1)
    assert main[:4] == other[:4] == expected[:4]
    assert expected[4] == 6
    assert 0 < main[4] < 6, "the interrupted run must go on, not start anew"
    assert other[4] == 0, "only the main process evaluates"
    for name, tensor in weights.items():
        torch.testing.assert_close(main_weights[name], tensor, msg=lambda text, name=name: f"{name}: {text}")
        assert torch.equal(main_weights[name], other_weights[name]), name
