"""Which finished cells are no answer to what is asked for, and how that is said."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import crossner_bench
import pytest
from cell_differences import differences, refuse_others
from crossner_cells import Cell
from kept_file import read_kept

from nerbridge.errors import ConfigError

CELLS = Path(crossner_bench.__file__).parent / "results" / "cells"
BF16 = "training.precision=bf16"


def cell(*settings: str, recipe: str = "direct-crf", encoder: str = "/home/x/mpnet") -> Cell:
    return Cell("a", recipe, "crossner/ai", 1, settings, encoder)


def line(*settings: str, **more: Any) -> dict[str, Any]:
    return {"row": "a", "recipe": "direct-crf", "domain": "ai", "seed": 1, "settings": list(settings), **more}


@pytest.mark.parametrize(
    ("asked", "found", "said"),
    [
        (cell(BF16), line(BF16, encoder="/home/x/mpnet"), []),
        (cell(BF16), line(BF16, encoder="mpnet"), []),  # a kept cell
        (cell(BF16), line(BF16), []),  # from before encoders were written
        (cell(BF16), line(BF16, encoder="/home/y/mpnet"), ["encoder.checkpoint was /home/y/mpnet, now /home/x/mpnet"]),
        (cell(encoder=""), line(encoder="mpnet"), ["encoder.checkpoint was mpnet, now unset"]),
        (cell(), line(encoder=""), ["encoder.checkpoint was unset, now /home/x/mpnet"]),
        (cell(BF16), line(encoder="mpnet"), ["training.precision was unset, now bf16"]),
        (cell(recipe="direct-linear"), line(), ["recipe was direct-crf, now direct-linear"]),
        (cell("a=1", "b=2", "a=3"), line("a=3", "b=2"), []),
        (cell("a=1"), line("a=2", "b=2"), ["a was 2, now 1", "b was 2, now unset"]),
        (cell(BF16), line(BF16, "encoder.record=true"), []),
        (cell(), line("encoder.record=false"), ["encoder.record was false, now unset"]),
        (cell("encoder.checkpoint=/r/{domain}-span"), line("encoder.checkpoint={domain}-span"), []),
        (cell("encoder.checkpoint=/r/ai", encoder="/o"), line("encoder.checkpoint=/r/ai", encoder="/p"), []),
        (cell(BF16), {"row": "a", "domain": "ai", "seed": 1}, []),
    ],
)
def test_what_differs(asked: Cell, found: dict[str, Any], said: list[str]) -> None:
    assert differences(asked, found) == said


def test_cells_of_other_settings_are_named() -> None:
    with pytest.raises(ConfigError) as caught:
        refuse_others([cell("x=1")], {("a", "ai", 1): line("x=2")}, "runs/cells.jsonl")
    assert str(caught.value) == (
        "1 finished cell was made otherwise than asked for now\n"
        "    a ai seed 1: x was 2, now 1\n"
        "  where: runs/cells.jsonl\n"
        "  expected: lines with the recipe, the settings and the encoder that are asked for\n"
        "  hint: give the row another name (NAME=RECIPE ...), take another folder for these runs, or take the cells as "
        "they are: --accept-other-settings"
    )
    many = [Cell("a", "direct-crf", "crossner/ai", seed, (), "") for seed in range(7)]
    with pytest.raises(ConfigError, match=r"7 finished cells were .*(\n.*){5}\n    \.\.\. and 2 more\n"):
        refuse_others(many, {one.key: line("x=2") for one in many}, "")


@pytest.mark.parametrize("name", sorted(path.name.removesuffix(".jsonl.gz") for path in CELLS.glob("*.jsonl.gz")))
def test_kept_cells_are_taken_by_a_bench_that_goes_on_behind_them(name: str) -> None:
    lines = {key: found for key, (found, _) in read_kept(CELLS / f"{name}.jsonl.gz").cells.items()}
    for (row, domain, seed), found in lines.items():
        settings = [one for one in found["settings"] if one != "encoder.record=true"]
        folder = f"/home/x/{found['encoder']}" if found.get("encoder") else ""
        asked = Cell(row, found["recipe"], domain, seed, tuple(settings), folder)
        assert differences(asked, found) == []


def test_a_bench_refuses_them_before_anything_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        started.append(command)
        return subprocess.CompletedProcess(command, 0, json.dumps({"stages": {}, "scores": {}}), "")

    def bench(*more: str) -> int:
        words = ["bench", str(tmp_path), "--recipes", "direct-crf", "--domains", "ai", "--seeds", "1", *more]
        monkeypatch.setattr(sys, "argv", words)
        return crossner_bench.main()

    monkeypatch.setattr(subprocess, "run", run)
    assert bench("--encoder", "/home/x/mpnet") == 0
    assert json.loads((tmp_path / "cells.jsonl").read_text())["encoder"] == "/home/x/mpnet"
    with pytest.raises(SystemExit, match="error: 1 finished cell was made otherwise"):
        bench("--encoder", "minilm", "--set", BF16)
    assert bench("--encoder", "minilm", "--set", BF16, "--accept-other-settings") == 0
    assert bench("--encoder", "/home/x/mpnet") == 0
    assert len(started) == 1
