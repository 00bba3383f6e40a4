"""The whole chain on public data: a row of the grid, trained by the bench with a tiny encoder, becomes a page."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from crossner_cells import ROOT

from builders import tiny_folder


def script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benchmarks" / f"{name}.py"), *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.data
def test_bench_and_tables_on_public_data(tmp_path: Path, data_root: Path) -> None:
    encoder, runs = tiny_folder(tmp_path / "encoder"), tmp_path / "runs"
    rows = "direct-label-aware=direct-label-aware@ai;broken=direct-crf@cbs_scitech"
    places = ["--encoder", str(encoder), "--data-root", str(data_root), "--jobs", "2", "--seeds", "1"]
    command = [str(runs), "--recipes", rows, *places, "--set", "training.max_steps=2"]
    done = script("crossner_bench", *command)
    assert done.returncode == 1, done.stdout + done.stderr  # cbs_scitech has nothing to train on
    assert done.stderr == "1 of 2 cells finished\n"
    lines = {line["row"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert sorted(lines) == ["broken", "direct-label-aware"]
    assert lines["broken"]["failed"] == 2
    assert "cbs_scitech" in lines["broken"]["stderr"]
    assert not list(runs.glob("*/*/*/model/model.safetensors"))

    wanted = ["--predictions", str(runs), "--name", "tiny", "--seeds", "1", "--output", str(tmp_path), "--rounds", "50"]
    made = script("label_aware_tables", str(runs / "cells.jsonl"), *wanted)
    assert made.returncode == 0, made.stderr
    page = (tmp_path / "label-aware-quality-tiny.md").read_text(encoding="utf-8")
    score = f"{100 * lines['direct-label-aware']['test']['f1']:.2f}"
    assert f"| label-aware | - | - | - | - | {score} | - | - | - | - | - | - | 1 of 5 |" in page
    assert "- data, crossner/ai test: 431 sentences, `aa192a03436d`" in page
