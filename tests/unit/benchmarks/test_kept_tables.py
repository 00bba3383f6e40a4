"""Pages made of kept cells are, byte for byte, those made of the runs."""

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import crossner_table
import dapt_tables
import keep_cells
import label_aware_tables
import light_tables
import multi_cell_tables
import pytest
import result_rows
from dapt_grid import recipe
from label_aware_grid import Row, merged
from label_aware_grid import rows_of as label_aware_rows
from label_gains import gains
from light_grid import rows_of as light_rows
from multi_cell_grid import rows_of as multi_cell_rows
from whole_runs import WholeRuns

Run = Callable[..., dict[str, bytes]]


@pytest.fixture
def runs(tmp_path: Path) -> WholeRuns:
    return WholeRuns(tmp_path / "runs")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a script; returns what it wrote, by name."""

    def run(script: ModuleType, *arguments: object, output: str = "") -> dict[str, bytes]:
        place = tmp_path / "results"
        place.mkdir()
        monkeypatch.setattr(sys, "argv", ["script", *map(str, arguments), "--output", str(place / output)])
        script.main()
        written = {path.name: path.read_bytes() for path in place.iterdir()}
        shutil.rmtree(place)
        return written

    return run


def keep(monkeypatch: pytest.MonkeyPatch, output: Path, *runs: Path) -> Path:
    monkeypatch.setattr(sys, "argv", ["keep", "pack", *map(str, runs), "--output", str(output)])
    assert keep_cells.main() == 0
    return output


def fill(runs: WholeRuns, rows: Sequence[Row], *, seeds: Sequence[int] = (1, 2), domains: Sequence[str] = ()) -> None:
    for row in rows:
        for domain in domains or row.domains:
            for seed in seeds:
                runs.add(row, domain, seed)


GRID = {row.name: row for row in label_aware_rows("main") + label_aware_rows("options") + label_aware_rows("sizes")}
ASKED = ("--name", "tiny", "--seeds", "1,2", "--rounds", "50")


def some_label_aware() -> list[Row]:
    return [GRID[name] for name in ("sequential-linear", "sequential-label-aware", "noise-0.1", "label-aware-10")]


def test_the_label_aware_page(runs: WholeRuns, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(runs, some_label_aware(), domains=("ai", "music"))
    before = run(label_aware_tables, runs.path, "--predictions", runs.folder, *ASKED)
    kept = keep(monkeypatch, tmp_path / "k.jsonl.gz", runs.folder)
    shutil.rmtree(runs.folder)
    assert run(label_aware_tables, kept, "--predictions", kept, *ASKED) == before
    assert run(label_aware_tables, kept, *ASKED) == before  # its predictions come with it
    assert b"| person |" in before["label-aware-quality-tiny.md"]
    assert {f"label-aware-quality-tiny-{name}" for name in ("main.csv", "labels.png", "sizes.png")} <= set(before)


def test_kept_cells_beside_newer_runs(
    runs: WholeRuns, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = some_label_aware()
    fill(runs, rows, domains=("ai", "music"))
    before = run(label_aware_tables, runs.path, "--predictions", runs.folder, *ASKED)
    first, second = WholeRuns(tmp_path / "first"), WholeRuns(tmp_path / "second")
    fill(first, rows, seeds=(1,), domains=("ai", "music"))
    fill(second, rows, seeds=(2,), domains=("ai", "music"))
    kept = keep(monkeypatch, tmp_path / "k.jsonl.gz", first.folder)
    mixed = run(label_aware_tables, kept, second.path, "--predictions", second.folder, "--predictions", kept, *ASKED)
    assert mixed == before
    alone = (runs.path, "--predictions", keep(monkeypatch, tmp_path / "all.jsonl.gz", runs.folder))
    assert run(label_aware_tables, *alone, *ASKED) == before  # lines of the runs, predictions of the file
    fill(second, rows[:1], seeds=(1,), domains=("ai", "music"))
    again = keep(monkeypatch, tmp_path / "again.jsonl.gz", first.folder)
    mixed = run(label_aware_tables, second.path, kept, again, "--predictions", second.folder, *ASKED)
    page = mixed["label-aware-quality-tiny.md"].decode()
    assert "- cells that both runs and kept files have, taken from the runs: 4\n" in page
    assert "- cells that several kept files have, the last taken: 6\n" in page
    assert page.startswith(before["label-aware-quality-tiny.md"].decode().rstrip())


def test_the_page_of_pre_trained_encoders(
    runs: WholeRuns, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taggers = WholeRuns(runs.folder / "taggers")
    line = {"level": "integrated", "masking": "span", "share": 100, "suffix": "", "steps": 1000, "head_steps": 150}
    line |= {"epochs": 1.5, "pieces": 16e6, "pieces_per_second": 54321.4, "waiting_share": 0.012, "seconds": 200.0}
    line |= {"wall_seconds": 222.2, "folder": "/secret/encoders/x"}
    line |= {"evaluations": [{"step": step, "token": 9 - step / 500, "span": 9.0} for step in (0, 150, 1150)]}
    lines = [{"domain": "ai", "level": "task", "masking": "span", "failed": 1, "log": "/secret/log"}]
    lines += [{"domain": domain, **line} for domain in ("music", "ai")]
    (runs.folder / "encoders.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    for kind in ("none", "integrated-span"):
        for name in ("sequential-linear", "sequential-label-aware", "direct-linear"):
            tagger = recipe(name)
            checkpoint = "/secret/mpnet" if kind == "none" else f"/secret/encoders/{{domain}}-{kind}"
            for domain, seed in (("ai", 1), ("ai", 2), ("music", 1), ("music", 2)):
                taggers.add(
                    Row(f"{kind}-{name}", tagger.recipe, tagger.settings), domain, seed, encoder=f"{checkpoint}"
                )
    before = run(dapt_tables, runs.folder, *ASKED)
    kept = keep(monkeypatch, tmp_path / "k.jsonl.gz", runs.folder)
    assert run(dapt_tables, kept, *ASKED) == before
    assert b"| span, integrated | 2 domains |" in before["dapt-tiny.md"]
    rows = before["rows-dapt-tiny.json"].decode()
    assert '"seconds": 260.2' in rows
    assert "2 of 3 cells. Perplexities" in before["dapt-tiny.md"].decode()
    asked = ("--name", "tiny", "--encoder", "mpnet", "--seeds", "1,2")
    assert run(result_rows, taggers.folder, *asked) == run(result_rows, kept, *asked)
    alone = keep(monkeypatch, tmp_path / "alone.jsonl.gz", taggers.folder)  # finds the encoders above
    assert alone.read_bytes() == kept.read_bytes()


def test_the_page_of_light_taggers(runs: WholeRuns, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [row for row in light_rows("bionlp") if row.said in ("STM-TARGET", "MULTITASK(NER)", "FINAL")]
    wanted += [light_rows("scitech")[0], light_rows("scitech")[-1]]
    fill(runs, merged(wanted))
    fill(runs, [row for row in light_rows("crossner") if "coach-char" in row.name], domains=("ai",))
    before = run(light_tables, runs.path, "--predictions", runs.folder, *ASKED)
    kept = keep(monkeypatch, tmp_path / "k.jsonl.gz", runs.folder)
    shutil.rmtree(runs.folder)
    assert run(light_tables, kept, "--predictions", kept, *ASKED) == before
    there = {name.removeprefix("light-quality-tiny-") for name in before}
    assert {"bionlp.csv", "bionlp-watched.csv", "scitech.csv", "scitech-found.csv", "crossner-coach.csv"} <= there
    assert {"tasks-perplexity.png", "curves-bionlp13cg.png", "labels-bionlp13pc.png"} <= there
    assert b",12.50,2\n" in before["light-quality-tiny-crossner-coach.csv"]


def test_the_page_of_the_multi_cell_lstm(
    runs: WholeRuns, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = [row for row in multi_cell_rows("supervised") if row.domains == ("bionlp13cg",)]
    wanted += [row for name in ("zero-shot", "mit") for row in multi_cell_rows(name)]
    fill(runs, wanted)
    before = run(multi_cell_tables, runs.path, "--predictions", runs.folder, *ASKED)
    kept = keep(monkeypatch, tmp_path / "k.jsonl.gz", runs.folder)
    shutil.rmtree(runs.folder)
    assert run(multi_cell_tables, kept, "--predictions", kept, *ASKED) == before
    there = {name.removeprefix("multi-cell-quality-tiny-") for name in before}
    assert {"systems-bionlp.csv", "labels-bionlp.csv", "tasks-bionlp.png", "zero-shot.csv", "mit.csv"} <= there
    assert b"Dictionary: 9 names in raw text" in before["multi-cell-quality-tiny.md"]
    assert {"rows-multi-cell-tiny.json", "rows-multi-cell-tiny-features.json"} <= set(before)


def test_the_crossner_table(runs: WholeRuns, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [GRID["sequential-linear"], GRID["sequential-crf"]]
    fill(runs, rows)
    asked = ("--note", "Made up.", "--compare", "sequential-linear:sequential-crf")
    before = run(crossner_table, runs.folder, *asked, output="tiny")
    first, second = WholeRuns(tmp_path / "first"), WholeRuns(tmp_path / "second")
    fill(first, rows, seeds=(1,))
    fill(second, rows, seeds=(2,))
    halves = [keep(monkeypatch, tmp_path / f"{one.folder.name}.jsonl.gz", one.folder) for one in (first, second)]
    assert run(crossner_table, *halves, *asked, output="tiny") == before
    assert run(crossner_table, halves[0], second.folder, *asked, output="tiny") == before
    assert sorted(before) == ["tiny.json", "tiny.md"]
    joined = keep(monkeypatch, tmp_path / "joined.jsonl.gz", *halves)
    assert joined.read_bytes() == keep(monkeypatch, tmp_path / "whole.jsonl.gz", runs.folder).read_bytes()


def test_gains_by_label_of_runs_that_are_written_back(
    runs: WholeRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(runs, [GRID["sequential-linear"], GRID["sequential-crf"]], domains=("ai",))
    kept = keep(monkeypatch, tmp_path / "k.jsonl.gz", runs.folder)
    monkeypatch.setattr(sys, "argv", ["keep", "unpack", str(kept), str(tmp_path / "back")])
    assert keep_cells.main() == 0
    found = []
    for folder in (runs.folder, tmp_path / "back"):
        systems = {name: sorted(folder.glob(f"sequential-{name}/ai/seed-*")) for name in ("linear", "crf")}
        found.append(gains(systems))
    assert found[0] == found[1]
