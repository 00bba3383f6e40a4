"""The page of a sweep: its table, from sweep.json alone."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from sweeping import fake, plan_in

from nerbridge.cli import main
from nerbridge.errors import BundleError, ConfigError
from nerbridge.pipeline.sweep.outcome import SweepResult, gather
from nerbridge.pipeline.sweep.page import write_sweep_page
from nerbridge.pipeline.sweep.plan import SweepPlan
from nerbridge.pipeline.sweep.sweep import write_result


class Rows(HTMLParser):
    """The cells of every table row, and the addresses of links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.links: list[str] = []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag in ("td", "th") or (self._inside and tag in ("a", "span"))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.rows[-1][-1] = (self.rows[-1][-1] + data).strip()


def finish(plan: SweepPlan, *dev: int, failures: int = 0) -> SweepResult:
    for cell, right in zip(plan.cells, dev, strict=False):
        fake(cell, dev=right, test=5)
    result = gather(plan, "dev", [(cell, "no\nroom") for cell in plan.cells[len(plan.cells) - failures :]])
    write_result(result, lambda text: None)
    return result


def test_a_sweep_writes_its_page_and_report_builds_it_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25", seeds=(1, 2))
    finish(plan, 5, 7, 9, 9)
    text = (plan.folder / "report.html").read_text(encoding="utf-8")
    found = Rows(text)
    assert found.rows[0] == [
        "num_train", "dev F1 ± deviation", "95 % interval", "test F1 ± deviation", "95 % interval",
        "training sentences", "seconds",
    ]  # fmt: skip
    assert found.rows[1][:2] == ["10seed 2", "74.51 ± 11.09"]
    assert found.rows[2][:2] == ["25seed 2", "94.74 ± 0.00"]
    assert re.findall(r'<tr class="lead"><td><a [^>]*>(\d+)</a>', text) == ["25"]
    assert found.links[:2] == ["num_train%3D10/seed-1/report.html", "num_train%3D10/seed-2/report.html"]
    assert not re.search(r"https?://|<script|url\(", text)
    (plan.folder / "report.html").unlink()
    assert main(["report", str(plan.folder)]) == 0
    assert capsys.readouterr().out == f"{plan.folder}/report.html\n"
    assert (plan.folder / "report.html").read_text(encoding="utf-8") == text
    assert main(["report", str(plan.folder), "--split", "test"]) == 0
    assert "test F1, mean over seeds" in (plan.folder / "report.html").read_text(encoding="utf-8")


def test_averages_failures_and_what_waits_are_told(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.dataset=crossner/ai,crossner/music", "tagger.kind=linear,crf", seeds=(1,))
    finish(plan, 5, 7, 9, failures=1)
    text = (plan.folder / "report.html").read_text(encoding="utf-8")
    assert "failed: dataset=crossner/music, tagger.kind=crf, seed 1: no<" in text
    assert Rows(text).rows[-1][:3] == ["linear", "66.67", "94.74"]
    assert Rows(text).rows[-2][:3] == ["tagger.kind", "dev F1, crossner/ai", "dev F1, crossner/music"]
    assert re.findall(r'<tr class="lead"><td><a [^>]*>([^<]+)</a></td><td>([^<]+)</td>', text) == [
        ("crossner/ai", "crf"), ("crossner/music", "linear")
    ]  # fmt: skip


def test_a_sweep_without_a_finished_cell_has_a_page_that_says_so(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25", seeds=(1,))
    plan.folder.mkdir()
    (plan.folder / "sweep.json").write_text(json.dumps(gather(plan, "dev").to_json()), encoding="utf-8")
    text = write_sweep_page(plan.folder).read_text(encoding="utf-8")
    assert "No run is finished yet." in text
    assert "2 of 2 runs are not finished; the same command continues." in text


def test_another_split_and_a_damaged_file_are_answered(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25", seeds=(1,))
    finish(plan, 5, 7)
    with pytest.raises(ConfigError) as caught:
        write_sweep_page(plan.folder, metric="train")
    assert str(caught.value) == (
        f"the sweep in '{plan.folder}' has no train scores\n"
        "  where: --split\n  expected: one of dev, test\n  hint: choose another --split"
    )
    (plan.folder / "sweep.json").write_text('{"rows": [1], "cells": [], "vary": {}, "seeds": [], "metric": "dev"}')
    with pytest.raises(BundleError) as damaged:
        write_sweep_page(plan.folder)
    assert str(damaged.value).splitlines() == [
        "'sweep.json' is of another form (TypeError: 'int' object is not subscriptable)",
        f"  where: {plan.folder}/sweep.json",
        "  expected: the file as the sweep wrote it",
        "  hint: run the command of the sweep again: what is finished is not trained again",
    ]
