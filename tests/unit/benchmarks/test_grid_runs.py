"""The whole chain on public data: the grid's rows, trained by the bench with a tiny encoder, become a page."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from crossner_cells import ROOT

from builders import tiny_folder

SHORT = ("training.source.max_steps=2", "training.target.max_steps=4", "training.batch_sentences=8")


def script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benchmarks" / f"{name}.py"), *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )


@pytest.mark.slow
@pytest.mark.data
def test_bench_and_tables_on_public_data(tmp_path: Path, data_root: Path) -> None:
    encoder, runs = tiny_folder(tmp_path / "encoder"), tmp_path / "runs"
    recipe = "sequential-label-aware@ai"
    rows = f"label-aware={recipe};width-10={recipe} tagger.label_width=10;linear=sequential-linear@ai"
    sets = [part for one in SHORT for part in ("--set", one)]
    places = ["--encoder", str(encoder), "--data-root", str(data_root), "--jobs", "2", "--seeds", "1"]
    done = script("crossner_bench", str(runs), "--recipes", rows, *places, *sets)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == "3 of 3 cells finished\n"
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted((line["row"], line["domain"], line["seed"]) for line in lines) == [
        ("label-aware", "ai", 1),
        ("linear", "ai", 1),
        ("width-10", "ai", 1),
    ]
    assert len(list((runs / "cache" / "stages").glob("*/stage.json"))) == 3
    assert script("crossner_bench", str(runs), "--recipes", rows, *places, *sets).stderr == "0 of 0 cells finished\n"

    wanted = ["--predictions", str(runs), "--name", "tiny", "--seeds", "1", "--output", str(tmp_path), "--rounds", "50"]
    made = script("label_aware_tables", str(runs / "cells.jsonl"), *wanted)
    assert made.returncode == 0, made.stderr
    page = (tmp_path / "label-aware-quality-tiny.md").read_text(encoding="utf-8")
    assert "| width-10 |" not in page
    assert "| label-aware | 10 |" in page
    assert "conll2003 train: 14041 sentences" in page
