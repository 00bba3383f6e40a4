"""`nerbridge pretrain`: whole output, JSON, messages, and an encoder that `train` can use."""

import json
import random
import re
import signal
from pathlib import Path
from typing import Any

import pytest
import torch

from builders import WORDS, tiny_folder
from nerbridge.cli import main
from nerbridge.pretraining.learner import Learner

SETTINGS = ("length=32", "batch_rows=4", "max_steps=4", "head_steps=2", "evaluate_every=2", "held_out_pieces=60")
SETS = [part for setting in SETTINGS for part in ("--set", setting)]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, now the current one, with an encoder and a text."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NERBRIDGE_CACHE", str(tmp_path / "cache"))
    torch.set_num_threads(1)
    tiny_folder(tmp_path / "encoder")
    draw = random.Random(1)
    text = (" ".join(draw.choices(WORDS, k=draw.randint(1, 40))) for _ in range(60))
    (tmp_path / "own.txt").write_text("\n".join(text))
    return tmp_path


def test_an_encoder_is_made_and_found_again(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["pretrain", "chess=own.txt", "--encoder", "encoder", "--output", "out", *SETS]
    assert main(command) == 0
    out, err = capsys.readouterr()
    number = r"[\d,.]+"
    assert re.fullmatch(
        "step  perplexity, token masks  perplexity, span masks\n" + rf"(   [0246] +{number} +{number}\n)" + "{4}", out
    ), out
    patterns = [
        "start    loading what learns, some seconds",
        "model    reading encoder",
        "pieces   cutting the text into pieces of words",
        "trial    a few batches, to estimate the time",
        rf"text     60 documents of chess, {number} words",
        rf"learns   from {number} documents, {number} pieces in {number} rows",
        rf"held out {number} documents?, {number} pieces",
        "head     new, learns alone for 2 steps first",
        rf"steps    4 of at most 128 pieces \({number} epochs, {number} % padding\), span masking",
        rf"time     about \d+:\d\d: learning \d+:\d\d \({number} pieces, {number} per second on cpu\), "
        r"held-out text \d+:\d\d",
        *[
            rf"pre-training: perplexity after step {step}: {number} with token masks, {number} with span masks"
            for step in (0, 2, 4, 6)
        ],
        rf"warning: held-out text is hardly predicted better than by chance: perplexity {number} with span masks, and "
        rf"the vocabulary has {number} pieces; taggers may lose by this encoder: more steps \(--set max_steps=...\)",
        "encoder  out",
        r"use it   nerbridge adapt --encoder out \.\.\.",
    ]
    lines = err.splitlines()
    assert len(lines) == len(patterns), err
    for line, pattern in zip(lines, patterns, strict=True):
        assert re.fullmatch(pattern, line), line
    assert main(command) == 0
    again = capsys.readouterr()
    assert again.out == out
    assert again.err.splitlines()[1] == "already pre-trained: out"


def test_json_is_the_result(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pretrain", "own.txt", "--encoder", "encoder", "--output", "out", "--json", *SETS]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["folder"], result["steps"], result["head_steps"]) == ("out", 4, 2)
    assert [one["step"] for one in result["evaluations"]] == [0, 2, 4, 6]
    about = json.loads((project / "out" / "pretraining.json").read_text())
    assert about["corpora"][0]["domain"] == "own"
    assert about["result"] == result


def test_a_dry_run_makes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pretrain", "own.txt", "--encoder", "encoder", "--output", "out", "--dry-run", "--json", *SETS]) == 0
    out, err = capsys.readouterr()
    assert set(json.loads(out)) == {"seconds", "pieces", "pieces_per_second", "held_out_seconds"}
    assert err.splitlines()[-1].startswith("time     about 0:0")
    assert not (project / "out").exists()


@pytest.mark.parametrize("model", ["masked", "flair"])
@pytest.mark.parametrize(
    ("step", "said"),
    [
        (2, "stopped; the same command continues; kept: pre-training (checkpoint of step 3)"),
        (None, "stopped; nothing was kept: the same command begins anew"),
    ],
)
def test_ctrl_c_says_what_is_kept(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, model: str, step: int, said: str
) -> None:
    plain = Learner.learn

    def pressed(self: Learner, batch: Any, number: int) -> None:
        for _ in range({None: 2, number: 1}.get(step, 0)):  # None: twice, at once
            signal.raise_signal(signal.SIGINT)
        plain(self, batch, number)

    options = ["--encoder", "encoder", *SETS] if model == "masked" else ["--set", "max_steps=4", "--set", "hidden=8"]
    command = ["pretrain", "chess=own.txt", "--model", model, "--output", "out", *options]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with monkeypatch.context() as patch:
        patch.setattr(Learner, "learn", pressed)
        assert main(command) == 130
    signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err.splitlines()[-1] == said
    assert main(command) == 0
    assert ("goes on from the checkpoint of step 3" in capsys.readouterr().err) == (step is not None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["own.txt", "--set", "masking=word", "--set", "steps=3"],
            "error: 2 settings cannot be used:\n"
            "    masking: should be 'token' or 'span', not 'word'\n"
            "    steps: there is no such key\n"
            "  where: --set\n"
            "  expected: the keys and values listed in docs/pretraining.md\n"
            "  hint: correct them: --set max_steps=500\n",
        ),
        (
            ["=own.txt"],
            "error: '=own.txt' names no domain\n"
            "  where: the corpora of the command\n"
            "  expected: DOMAIN=PATH, or PATH alone\n"
            "  hint: nerbridge pretrain ai=texts.txt.gz --output FOLDER\n",
        ),
        (
            ["nowhere.txt"],
            "error: 'nowhere.txt' is not there\n"
            "  where: nowhere.txt\n"
            "  expected: a folder that `nerbridge corpus build` wrote, or a file .txt or .txt.gz\n"
            "  hint: check the path\n",
        ),
    ],
)
def test_faults_are_one_message(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["pretrain", *arguments, "--encoder", "encoder", "--output", "out"]) == 2
    assert capsys.readouterr() == ("", message)
    assert not (project / "out").exists()
