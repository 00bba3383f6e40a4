"""Wrong options are told in one line before a bench starts anything."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import crossner_bench
import dapt_bench
import label_aware_tables
import pytest
import result_rows

TABLE = ("--name", "x")


@pytest.mark.parametrize(
    ("script", "words", "said"),
    [
        (crossner_bench, ["--seeds", "x"], "argument --seeds: 'x' is no whole number"),
        (crossner_bench, ["--seeds", "1,1"], "argument --seeds: '1,1' names one twice"),
        (crossner_bench, ["--seeds", "1,-2"], "argument --seeds: a seed of '1,-2' is below 0"),
        (crossner_bench, ["--jobs", "0"], "argument --jobs: '0' is not above 0"),
        (crossner_bench, ["--devices", "0"], "argument --devices: '0' names no GPU"),
        (crossner_bench, ["--domains", "ai,ai"], "argument --domains: 'ai,ai' names one twice"),
        (dapt_bench, ["prepare", "--share", "x"], "argument --share: 'x' is no whole number"),
        (dapt_bench, ["prepare", "--share", "0"], "argument --share: a share of '0' is not from 1 to 100 percent"),
        (
            dapt_bench,
            ["pretrain", "--levels", "nolevel"],
            "argument --levels: 'nolevel' is none of domain",
        ),
        (dapt_bench, ["pretrain", "--maskings", "no"], "argument --maskings: 'no' is none of span, token"),
        (dapt_bench, ["taggers", "--experiments", "nope"], "argument --experiments: 'nope' is none of ablations"),
        (dapt_bench, ["taggers", "--seeds", ""], "argument --seeds: '' is no whole number"),
        (label_aware_tables, [*TABLE, "--seeds", "x"], "argument --seeds: 'x' is no whole number"),
        (result_rows, [*TABLE, "--encoder", "m", "--seeds", "1,1"], "argument --seeds: '1,1' names one twice"),
    ],
)
def test_a_wrong_option_is_one_line(
    script: ModuleType,
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["script", str(tmp_path), *words])
    with pytest.raises(SystemExit) as ended:
        script.main()
    assert ended.value.code == 2
    assert said in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("script", "words", "said"),
    [
        (crossner_bench, ["--recipes", "direct-crf", "--domains", "ai,nodomain"], "there is no data set 'nodomain'"),
        (crossner_bench, ["--recipes", "direct-crf;x=direct-crf@nowhere"], "there is no data set 'nowhere'"),
        (crossner_bench, ["--recipes", "direct-crf,no-such"], "no-such"),
        (crossner_bench, ["--recipes", "direct-crf,direct-linear nokey=1"], "nokey: there is no such key"),
        (dapt_bench, ["prepare", "--domains", "nodomain"], "there is no data set 'crossner/nodomain'"),
        (dapt_bench, ["pretrain", "--domains", "nodomain"], "there is no data set 'nodomain'"),
        (dapt_bench, ["pretrain", "--set", "nokey=1"], "nokey"),
    ],
)
def test_all_is_checked_before_anything_starts(
    script: Any, words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*_: object, **__: object) -> None:
        raise AssertionError("started")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(sys, "argv", ["script", str(tmp_path), *words])
    with pytest.raises(SystemExit) as ended:
        script.main()
    assert str(ended.value).startswith("error: ")
    assert said in str(ended.value)
