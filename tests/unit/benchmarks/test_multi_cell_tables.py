"""Pages of the multi-cell experiments from made-up runs: whole, in part, none."""

import json
import sys
from pathlib import Path

import pytest
from crossner_cells import recipe_path
from grid_results import Results, read_results
from label_aware_grid import Row, merged
from light_page import Section, write
from light_rows import Places
from multi_cell_grid import NAMES
from multi_cell_published import TABLE_2, TABLE_3, TABLE_5
from multi_cell_rows import ABLATIONS, SYSTEMS, TARGETS, ZERO_SHOT
from multi_cell_tables import LOOK, grid, main, sections
from whole_runs import WholeRuns

from nerbridge.data.sentence import Span
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import write_predictions
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.evaluation.summary import summarize, write_scores

ROWS = grid(Places("texts"), "integrated-span")
ALL = merged([row for several in ROWS.values() for row in several])
BEST, MIDDLE = ("MULTI-CELL LSTM", "MULTI-CELL LSTM+LM+DICT"), ("MULTI-TASK (LSTM)", "BILSTM+LM+DICT")


def finds(row: Row) -> int:
    """Of forty entities; multi-cell finds most."""
    return 36 if row.said.startswith("multi-cell") or row.said in BEST else 24 if row.said in MIDDLE else 12


class Runs(WholeRuns):
    """Runs that find so many of forty entities, half of a label that the source has."""

    def add_finding(self, row: Row, domain: str, seed: int, found: int) -> None:
        spans = [(Span(0, 1, "person" if number % 2 else "field"),) for number in range(40)]
        answers = [
            Prediction((f"a{number}", "b"), one, one if number < found else ()) for number, one in enumerate(spans)
        ]
        place = self.add(row, domain, seed)
        write_predictions(predictions_path(place, "test"), answers)
        summary = summarize(answers, rounds=10)
        write_scores(place / "scores.json", {"test": summary})
        *before, last = self.path.read_text().splitlines()
        line = {**json.loads(last), "test": {"f1": summary.f1}}
        self.path.write_text("".join(f"{one}\n" for one in (*before, json.dumps(line))))


def read(runs: WholeRuns, seeds: tuple[int, ...] = (1, 2, 3)) -> Results:
    return read_results([runs.path], [runs.folder], seeds, ALL)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Results, list[Section]]:
    runs = Runs(tmp_path_factory.mktemp("whole") / "runs")
    for row in ALL:
        for domain in row.domains:
            for seed in (1, 2):
                runs.add_finding(row, domain, seed, finds(row) + seed)
    results = read(runs)
    return results, list(sections(results, ROWS, 100))


def test_every_section_is_there_in_the_order_of_its_title(whole: tuple[Results, list[Section]]) -> None:
    names = [section.name for section in whole[1]]
    assert sorted(names) == sorted(LOOK.titles)
    tables = [section.table for section in whole[1] if section.table]
    assert {len(line) - len(table.header) for table in tables for line in table.rows} == {0}


def test_the_whole_page(whole: tuple[Results, list[Section]], tmp_path: Path) -> None:
    results, found = whole
    path, *others = write(results, found, tmp_path, "test", "A note.", LOOK)
    text = path.read_text()
    assert text.startswith("# The multi-cell LSTM: quality\n\nA note.\n")
    assert "| *paper: MULTI-TASK (LSTM)* | 81.06 |  |  | 309K |  |  |  |  |" in text
    assert "| MULTI-TASK (LSTM) | 77.86 | 1.32 | " in text
    assert " | 7 (context 5) | +18.91 | 0." in text
    for domain in ("bionlp13cg", "broad_twitter", "twitter2017"):
        for worse in ("MULTI-TASK (LSTM)", "MULTI-CELL LSTM, target only", "BILSTM, target only"):
            assert f"MULTI-CELL LSTM is above {worse} ({domain}: +" in text
    assert "MULTI-CELL LSTM+LM+DICT is above BILSTM+LM+DICT (cbs_scitech: +" in text
    assert "BILSTM+LM+DICT is above BILSTM+LM (cbs_scitech: +" in text
    assert "multi-cell LSTM, frozen is above BiLSTM-CRF, frozen (together: +" in text
    assert "| 7 (context 5) | 58,000 sentences | 1.33 % of words | " in text
    assert "Dictionary: 9 names in raw text, person 9; 12 of 900 words are known by them." in text
    assert "| *paper: - L_ent* | 82.71 | -0.44 |  | 73.97 | -0.85 |  |  |  |  | 74.95 | -0.24 |  |  |" in text
    assert "| **in the source** | 20 |" in text
    assert "| **not in the source** | 20 |" in text
    assert "| *paper: Multi-Cell LSTM + DAPT* | 71.45 |" in text
    assert "| *paper: MULTI-TASK (LSTM)[REPRO]* | 81.45 |" in text
    assert "No runs yet" not in text
    assert all(path.exists() for path in others)
    assert {path.name for path in others if path.suffix == ".png"} == {
        f"multi-cell-quality-test-tasks-{target.short}.png" for target in TARGETS
    }


def test_a_single_cell_is_a_page(tmp_path: Path) -> None:
    runs = Runs(tmp_path / "runs")
    runs.add_finding(ROWS["supervised"][-1], "twitter2017", 2, 5)
    results = read(runs)
    path, *_ = write(results, list(sections(results, ROWS, 50)), tmp_path, "one", "", LOOK)
    text = path.read_text()
    assert "Not told yet: MULTI-CELL LSTM above MULTI-TASK (LSTM) (twitter2017)." in text
    assert "| 1 of 3 |" in text
    assert "No runs yet: BioNLP13CG, source BioNLP13PC (table 2); Broad Twitter (table 2); F1 by label" in text


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", [0, -1])
def test_any_row_may_be_the_only_one(name: str, place: int, tmp_path: Path) -> None:
    runs = WholeRuns(tmp_path / "runs")
    row = ROWS[name][place]
    runs.add(row, row.domains[0], 1)
    assert list(sections(read(runs, (1,)), ROWS, 20))


def test_runs_without_their_folders_are_a_page(tmp_path: Path) -> None:
    runs = WholeRuns(tmp_path / "runs")
    for row in ALL:
        runs.add(row, row.domains[0], 1)
    results = read_results([runs.path], [], [1], ALL)
    found = {section.name for section in sections(results, ROWS, 20)}
    assert found == {name for name in LOOK.titles if not name.startswith(("labels", "tasks"))}


def tried(runs: WholeRuns, row: Row, **dev: float) -> None:
    """Cells of `row`, seed by seed, with this F1 on dev."""
    for seed, f1 in dev.items():
        runs.add(row, row.domains[0], int(seed.removeprefix("seed")))
        *before, last = runs.path.read_text().splitlines()
        line = {**json.loads(last), "dev": {"f1": f1}}
        runs.path.write_text("".join(f"{one}\n" for one in (*before, json.dumps(line))))


def test_settings_are_chosen_at_the_seeds_that_all_of_them_have(tmp_path: Path) -> None:
    runs = WholeRuns(tmp_path / "runs")
    rows = {(row.domains[0], row.said): row for row in ROWS["tuning"]}
    for target in ("broad_twitter", "twitter2017"):
        tried(runs, rows[target, "multi-cell, base"], seed1=0.7, seed2=0.9)
        tried(runs, rows[target, "multi-cell, sgd"], seed1=0.8)
        tried(runs, rows[target, "multitask, base"], seed2=0.6)
    found = {section.name: section.table for section in sections(read(runs), ROWS, 20)}
    table = found["tuning"]
    assert table is not None
    lines = {line[0]: line[1:] for line in table.rows}
    assert lines["multi-cell, base"] == ["70.00", "70.00", "70.00"]
    assert lines["multi-cell, sgd"] == ["80.00 *", "80.00 *", "80.00 *"]
    assert lines["multitask, base"] == ["60.00 *", "60.00 *", "60.00 *"]
    assert lines["multitask, sgd"] == ["-", "-", "-"]


def script(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", ["multi_cell_tables.py", *map(str, arguments)])
    main()


def test_rows_for_the_page_of_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = WholeRuns(tmp_path / "runs")
    chosen = [ROWS["supervised"][0], ROWS["zero-shot"][2], ROWS["ablations"][1]]
    for row in (*chosen, ROWS["mit"][0]):
        runs.add(row, row.domains[0], 1)
    asked = ("--predictions", runs.folder, "--name", "x", "--rounds", "20", "--output", tmp_path)
    script(monkeypatch, runs.path, "--corpora", "texts", *asked)
    rows = {
        ending: [
            (row["row"], row["encoder"], row["tagger"])
            for row in json.loads((tmp_path / f"rows-multi-cell-x{ending}.json").read_text())["rows"]
        ]
        for ending in ("", "-features")
    }
    assert rows[""] == [
        ("multicell-bionlp-target-bilstm", "GloVe 50d", "bilstm 200, crf"),
        ("multicell-scitech-bilstm-lm", "GloVe 50d", "bilstm 200, crf"),
    ]
    assert rows["-features"] == [("multicell-mit-bilstm", "minilm", "bilstm 200, crf")]


def test_no_run_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cells.jsonl").write_text("")
    with pytest.raises(SystemExit) as stop:
        script(monkeypatch, tmp_path / "cells.jsonl", "--name", "none", "--output", tmp_path)
    assert "no line belongs to a row of the grid" in str(stop.value)


def test_printed_numbers_are_of_rows_of_the_grid() -> None:
    assert {target.dataset for target in TARGETS} == set(TABLE_2)
    assert all(set(printed) == set(SYSTEMS) - {"stacked", "expanded"} for printed in TABLE_2.values())
    assert set(TABLE_3) <= set(ZERO_SHOT)
    assert set(ABLATIONS) <= set(TABLE_5)
    assert set(ROWS) == set(NAMES)
    assert all(recipe_path(row.recipe).is_file() for row in ALL)
