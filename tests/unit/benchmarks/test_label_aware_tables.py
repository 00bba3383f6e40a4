"""Tables and figures of the grid from made-up cells: what is averaged, what is counted, what is refused."""

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import label_aware_tables
import pytest
from crossner_cells import DOMAINS
from grid_results import Results, read_results
from label_aware_grid import EXPERIMENTS, merged, rows_of
from label_aware_sections import compared, option_table, order_of_averages

from nerbridge.data.sentence import Span
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import write_predictions
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.evaluation.scoring import score

GOLD = (Span(0, 1, "person"), Span(1, 2, "field"))
ROWS = {row.name: row for row in merged([row for name in EXPERIMENTS for row in rows_of(name)])}


class Runs:
    """A folder of runs and their cells.jsonl. Of ten sentences so many are answered right, the others hold nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "cells.jsonl"
        self.rows = dict(ROWS)
        folder.mkdir(exist_ok=True)
        self.path.touch()

    def add(self, name: str, domain: str, seed: int, right: int, **more: Any) -> None:
        place = self.folder / name / domain / f"seed-{seed}"
        scores = {}
        for split, number in (("dev", right - 1), ("test", right)):
            predictions = [Prediction(("Ada", "logic"), GOLD, GOLD if n < number else ()) for n in range(10)]
            write_predictions(predictions_path(place, split), predictions)
            scores[split] = {"f1": score(predictions).f1}
        row = self.rows[name]
        self.write(
            {"row": name, "recipe": row.recipe, "domain": domain, "seed": seed, "settings": ["a=1", *row.settings]}
            | scores
            | more
        )
        environment = {"device": "GPU", "nerbridge": "0.1", "revision": "abc", "torch": "2", "python": "3"}
        (place / "environment.json").write_text(json.dumps(environment))
        experiment = {"encoder": {"checkpoint": "/secret/mpnet"}, "training": {"base": {"precision": "bf16"}}}
        (place / "experiment.json").write_text(json.dumps(experiment))
        split = {"sentences": 10, "fingerprint": "0123456789abcdef"}
        target = {"domain": f"crossner/{domain}", "splits": {"test": split}}
        data = {"domains": [{"domain": "conll2003", "splits": {"train": split}}, target], "notes": []}
        (place / "data.json").write_text(json.dumps(data))

    def fill(
        self, name: str, right: int, *, seeds: tuple[int, ...] = (1, 2), domains: tuple[str, ...] = DOMAINS
    ) -> None:
        for seed in seeds:
            for domain in domains:
                self.add(name, domain, seed, right + seed)

    def write(self, line: dict[str, Any]) -> None:
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def read(self) -> Results:
        return read_results([self.path], [self.folder], (1, 2), list(ROWS.values()))


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path / "runs")


@pytest.fixture
def tables(runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Runs the script with two planned seeds; returns the folder it wrote to."""

    def run(*arguments: str) -> Path:
        output = tmp_path / "results"
        command = ["tables", str(runs.path), "--predictions", str(runs.folder), "--name", "tiny", "--seeds", "1,2"]
        monkeypatch.setattr(sys, "argv", [*command, "--rounds", "100", "--output", str(output), *arguments])
        label_aware_tables.main()
        return output

    return run


def f1(right: int) -> float:
    return 2 * right / (10 + right)


def test_the_average_is_taken_seed_by_seed_over_whole_seeds(runs: Runs) -> None:
    runs.fill("sequential-label-aware", 4)
    runs.fill("noise-0.1", 5, seeds=(1,))
    runs.fill("noise-0.1", 5, seeds=(2,), domains=DOMAINS[1:])
    results = runs.read()
    whole = results.average(ROWS["sequential-label-aware"], "test")
    assert whole is not None
    assert whole.values == (pytest.approx(f1(5)), pytest.approx(f1(6)))
    partial = results.average(ROWS["noise-0.1"], "test")
    assert partial is not None
    assert partial.values == (pytest.approx(f1(6)),)
    assert results.cells(ROWS["noise-0.1"]) == "9 of 10"
    assert results.average(ROWS["beam-4"], "test") is None


def test_an_option_is_tested_against_the_base_on_the_cells_that_both_have(runs: Runs) -> None:
    runs.fill("sequential-label-aware", 4)
    runs.fill("noise-0.1", 5, seeds=(1,), domains=("ai", "music"))
    results = runs.read()
    difference, p_value, pairs = compared(results, ROWS["sequential-label-aware"], ROWS["noise-0.1"], "test", 100)
    assert difference == f"{100 * (f1(6) - f1(5)):+.2f}"
    assert 0 < float(p_value) <= 1
    assert pairs == "2"
    table = option_table(results, [ROWS["sequential-label-aware"], ROWS["noise-0.1"], ROWS["beam-4"]], 100)
    assert [row[-1] for row in table.rows] == ["10 of 10", "2 of 10", "0 of 10"]
    assert table.rows[1][1:3] == ["-", "-"]  # no seed has all domains: there is no average
    assert table.rows[2][1:] == ["-"] * 9 + ["0 of 10"]
    assert table.after == ("Best dev average among the 1 rows that have all cells: label-aware.",)


def test_the_order_of_the_ablations_is_compared_with_the_paper_s(runs: Runs) -> None:
    names = ("sequential-label-aware", "without-context", "without-background", "without-both-crf", "without-both")
    for place, name in enumerate(names):
        runs.fill(name, 8 - place)
    rows = rows_of("ablations")
    assert order_of_averages(runs.read(), rows, 100)[-1] == "The order is the same."
    runs.fill("without-both", 7)  # later lines of the same cells
    said = order_of_averages(runs.read(), rows, 100)
    assert said[0] == "5 of 5 rows are whole."
    assert said[2].startswith("Other way round: neither is +")
    assert len(said) == 4  # better than the CRF and than without background
    runs.write({"row": "without-both", "recipe": "sequential-label-aware", "domain": "ai", "seed": 1, "settings": []})
    assert "lines left out, not the recipe and settings of row without-both: 1" in runs.read().notes


def test_what_is_left_out_is_counted(runs: Runs) -> None:
    runs.add("sequential-label-aware", "ai", 1, 5)
    runs.add("sequential-label-aware", "ai", 1, 6)
    runs.write(
        {"row": "sequential-label-aware", "recipe": "sequential-label-aware", "domain": "ai", "seed": 2, "failed": 1}
    )
    runs.write({"row": "somebody-else", "recipe": "x", "domain": "ai", "seed": 2, "settings": []})
    with runs.path.open("a") as file:
        file.write('{"row": "label-aw')
    results = runs.read()
    assert results.notes == [
        "lines left out, an earlier line of a cell that has another score: 1",
        "lines left out, damaged: 1",
        "lines left out, failed: 1",
    ]
    assert results.f1(ROWS["sequential-label-aware"], "ai", 1, "test") == pytest.approx(f1(6))


def test_predictions_of_another_run_are_refused(runs: Runs) -> None:
    runs.add("sequential-label-aware", "ai", 1, 5, test={"f1": 0.5})
    with pytest.raises(ValueError, match="not the same run"):
        runs.read().counts(("sequential-label-aware", "ai", 1), "test")


def test_without_predictions_scores_are_shown_and_tests_are_not(runs: Runs) -> None:
    runs.fill("sequential-label-aware", 4)
    runs.fill("noise-0.1", 5)
    results = read_results([runs.path], [], (1, 2), list(ROWS.values()))
    assert compared(results, ROWS["sequential-label-aware"], ROWS["noise-0.1"], "test", 100)[1:] == ("-", "0")


def test_the_whole_page_of_partial_runs(runs: Runs, tables: Callable[..., Path]) -> None:
    for name in (
        "sequential-linear",
        "sequential-label-aware",
        "without-context",
        "direct-linear",
        "direct-label-aware",
    ):
        runs.fill(name, 5)
    for name in ("linear-10", "label-aware-10", "width-1000"):
        runs.fill(name, 3, domains=("ai",))
    runs.fill("mit-sequential-crf", 3, seeds=(1,), domains=("mit_movie",))
    folder = tables("--note", "Made up.")
    stem = "label-aware-quality-tiny"
    page = (folder / f"{stem}.md").read_text(encoding="utf-8")
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [
            f"{stem}.md",
            *(f"{stem}-{name}.csv" for name in ("ablations", "in-domain", "labels", "main", "mit", "sizes", "widths")),
            *(f"{stem}-{name}.png" for name in ("labels", "sizes", "widths")),
        ]
    )
    assert (folder / f"{stem}-labels.png").read_bytes().startswith(b"\x89PNG")
    average = (f1(6) + f1(7)) / 2
    assert f"| label-aware | {' | '.join([f'{100 * average:.2f}'] * 6)} |" in page
    assert "| *paper: label-aware* | 71.65 | 69.29 | 73.07 | 67.98 | 61.72 | 68.74 |" in page
    assert "| crf | - | - | - | - | - | - | - | - | - | - | - | 0 of 10 |" in page
    assert "Label-aware minus linear without a source: +0.00 (paper +2.07)." in page
    assert "No runs yet: Options, each against the recipe as it is." in page
    assert "\n\n20 of 50 cells. 2 of 5 rows are whole." in page
    assert "- encoder: mpnet\n- precision: bf16\n" in page
    assert "- data, conll2003 train: 10 sentences, `0123456789ab`" in page
    assert "secret" not in page
    with (folder / f"{stem}-sizes.csv").open() as file:
        sizes = list(csv.reader(file))
    assert sizes[0] == ["row", "target sentences", "dev F1", "±", "test F1", "±", "cells"]
    assert [row[1] for row in sizes if row[6] == "2 of 2"] == ["10", "100", "10", "100"]
    with (folder / f"{stem}-labels.csv").open() as file:
        assert [row[:2] for row in csv.reader(file)] == [["label", "gold mentions"], ["field", "10"], ["person", "10"]]


def test_tuned_rows_have_names_of_their_own(runs: Runs, tables: Callable[..., Path]) -> None:
    tuned = rows_of("main", tuned=["tagger.beam=2"], suffix="-b")[2]
    runs.rows[tuned.name] = tuned
    runs.fill(tuned.name, 5)
    page = (tables("--tuned", "tagger.beam=2", "--suffix=-b") / "label-aware-quality-tiny.md").read_text(
        encoding="utf-8"
    )
    assert "| *paper: label-aware* | 71.65 |" in page
    assert page.count("| 10 of 10 |") == 1


def test_without_a_cell_of_the_grid_nothing_is_written(runs: Runs, tables: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no line belongs to a row of the grid"):
        tables()
    assert not (tmp_path / "results").exists()
