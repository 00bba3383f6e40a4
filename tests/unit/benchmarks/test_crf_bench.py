"""The bench of CRFs runs on a CPU, and says where the bounds of the choice are wrong."""

import json
import sys
from pathlib import Path

import pytest
from crf_bench import main, verdict


def test_a_small_case_is_measured_both_ways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = ["--tags", "3", "40", "--words", "17", "--batch", "2", "--steps", "1", "--repetitions", "1"]
    places = ["--device", "cpu", "--most-cells", "100000", "--output", str(tmp_path), "--name", "tiny"]
    monkeypatch.setattr(sys, "argv", ["crf_bench.py", *sizes, *places])
    assert main() == 0
    about, *found = map(json.loads, (tmp_path / "crf-tiny.jsonl").read_text(encoding="utf-8").splitlines())
    assert about["device"] == "cpu"
    assert [(one["task"], one["tags"], one["words"], one["batch"]) for one in found] == [
        ("loss", 3, 17, 2),
        ("decoding", 3, 17, 2),
    ]
    for one in found:
        assert one["loop"]["operations"] > 2 * one["tree"]["operations"] > 100
        assert one["cells_of_a_step"] == {"loss": 4, "decoding": 2}[one["task"]] * 27
        assert one["chosen_on_a_gpu"] == "tree"
    printed = capsys.readouterr()
    assert printed.err == "cases left out, above --most-cells: 1\n"
    assert (tmp_path / "crf-tiny.md").read_text(encoding="utf-8") in printed.out


def test_scaled_products_are_measured_for_the_loss_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = ["--tags", "5", "--words", "9", "--batch", "2", "--steps", "1", "--repetitions", "1", "--against", "scaled"]
    monkeypatch.setattr(sys, "argv", ["crf_bench.py", *sizes, "--device", "cpu", "--output", str(tmp_path)])
    assert main() == 0
    _, *found = map(json.loads, (tmp_path / "crf-cpu.jsonl").read_text(encoding="utf-8").splitlines())
    assert [one["task"] for one in found] == ["loss"]
    assert found[0]["loop"]["operations"] > found[0]["scaled"]["operations"]
    assert found[0]["times_as_fast_by_scaled"] > 0
    assert "times as fast by scaled products" in (tmp_path / "crf-cpu.md").read_text(encoding="utf-8")


def test_the_verdict_names_the_slower_ways_that_are_chosen() -> None:
    def case(tags: int, cells: int, times: float, chosen: str) -> dict[str, object]:
        sizes = {"tags": tags, "words": 25, "batch": 16, "cells_of_a_step": cells}
        return {"task": "loss", **sizes, "times_as_fast_by_tree": times, "chosen_on_a_gpu": chosen}

    found = [case(9, 100, 3.0, "tree"), case(33, 2000, 0.8, "tree"), case(57, 9000, 0.4, "loop")]
    assert verdict(found) == (
        "The slower way is chosen in 1 of 3 cases.\n\n"
        "- loss, 33 tags, 25 words, 16 sentences: tree, but 0.8 times as fast by tree\n"
        "- loss: most cells of a step where the tree is faster 100, fewest where not 2,000\n"
        "- decoding: most cells of a step where the tree is faster 0, fewest where not none\n"
    )
