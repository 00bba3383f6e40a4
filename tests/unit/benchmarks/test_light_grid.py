"""The grid of the light experiments: valid rows, one budget per table; pages from a few cells."""

import json
import re
from pathlib import Path

import pytest
from grid_cells import cells, last_stage
from grid_results import read_results
from label_aware_grid import Row, merged
from light_grid import NAMES, rows_of
from light_page import TITLES, write
from light_rows import BATCH, STEPS, Places
from light_sections import above
from light_tables import sections

from nerbridge.data.sentence import Span
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import write_predictions
from nerbridge.evaluation.uncertainty import count_sentences, f1_of


@pytest.mark.parametrize("experiment", NAMES)
def test_the_rows_of_an_experiment_are_valid_and_differ(experiment: str) -> None:
    for places in (Places(), Places("texts", "texts/glove.txt:700")):
        rows = rows_of(experiment, places)
        assert len({row.name for row in rows}) == len(rows)
        found = [cells(row)[0].experiment.model_dump(exclude={"name", "description"}) for row in rows]
        assert all(found.count(one) == 1 for one in found)


@pytest.mark.parametrize("experiment", ["bionlp", "scitech", "sizes", "raw"])
def test_all_rows_of_a_table_learn_for_as_many_steps(experiment: str) -> None:
    for stage in (last_stage(cell) for row in rows_of(experiment) for cell in cells(row)):
        assert (stage.max_steps, stage.batch_sentences, stage.schedule) == (STEPS, BATCH, "linear")
        assert (stage.learning_rate, stage.head_learning_rate, stage.optimizer) == (3e-3, 3e-3, "adamw")
        assert stage.patience == 1000


def fake_run(runs: Path, row: Row, domain: str, seed: int, *, found: int) -> str:
    """A run that finds `found` of ten entities; returns its line."""
    span = Span(0, 1, "Gene_or_gene_product")
    answers = [Prediction(("p53", "binds"), (span,), (span,) if number < found else ()) for number in range(10)]
    folder = runs / row.name / domain / f"seed-{seed}"
    write_predictions(folder / "predictions" / "test.jsonl", answers)
    evaluation = {"stage": "s", "event": "evaluation", "step": 10, "f1": 0.1, "perplexity x": 50.0, "f1 x": 0.5}
    (folder / "journal.jsonl").write_text(json.dumps(evaluation) + "\n")
    f1 = float(f1_of(count_sentences(answers).sum(axis=0)))
    line = {"row": row.name, "recipe": row.recipe, "domain": domain, "seed": seed, "settings": list(row.settings)}
    return json.dumps({**line, "dev": {"f1": f1}, "test": {"f1": f1}})


def test_pages_show_what_is_there(tmp_path: Path) -> None:
    rows = {name: rows_of(name) for name in NAMES}
    runs = tmp_path / "runs"
    lines = [
        fake_run(runs, row, "bionlp13pc", seed, found={"STM-TARGET": 3, "FINAL": 9}.get(row.said, 5))
        for row in rows["bionlp"]
        for seed in (1, 2)
    ]
    lines += [
        fake_run(runs, row, "cbs_scitech", 1, found={"STM-SOURCE": 3}.get(row.said, 5)) for row in rows["scitech"]
    ]
    (tmp_path / "cells.jsonl").write_text("\n".join(lines))
    wanted = merged([row for several in rows.values() for row in several])
    results = read_results([tmp_path / "cells.jsonl"], [runs], [1, 2, 3], wanted)
    found = list(sections(results, rows, 100))
    assert {section.name for section in found} <= set(TITLES)
    tables = [section.table for section in found if section.table]
    assert {len(line) - len(table.header) for table in tables for line in table.rows} == {0}
    page, *others = write(results, found, tmp_path, "test", "A note.")
    text = page.read_text()
    assert "| *paper: FINAL* | 85.54 | 79.86 |" in text
    assert "FINAL and MULTITASK(NER) are not told apart (bionlp13pc: +28.07, p 0." in text
    assert "MULTITASK(NER) and STM-TARGET are not told apart (bionlp13pc: +20.51, p 0." in text
    assert text.count(", 2 of 3 pairs).") == 2
    assert "| FINAL | 94.74 | - | - | - | - | +48.58 |" in text
    assert "| Gene_or_gene_product | 10 | 3.0 | 5.0 | +20.00 % |  |" in text
    assert "No runs yet: " in text
    assert all(path.exists() for path in others)
    assert {path.suffix for path in others} == {".csv", ".png"}


@pytest.mark.parametrize(
    ("found", "seeds", "said"),
    [
        ((1, 10), (1, 2, 3), r"B is above A \(here: \+81\.82, p 0\.0\d+, 3 pairs\)\."),
        ((10, 1), (1, 2, 3), r"B is below A \(here: -81\.82, p 0\.0\d+, 3 pairs\)\."),
        ((5, 6), (1, 2, 3), r"B and A are not told apart \(here: \+8\.33, p \d\.\d+, 3 pairs\)\."),
        ((5, 5), (2,), r"B and A are not told apart \(here: \+0\.00, p 1\.0000, 1 of 3 pairs\)\."),
        ((1, 10), (1, 3), r"B is above A \(here: \+81\.82, p 0\.0\d+, 2 of 3 pairs\)\."),
        ((5, 5), (), ""),
    ],
)
def test_a_row_is_above_another_where_the_test_tells_them_apart(
    found: tuple[int, int], seeds: tuple[int, ...], said: str, tmp_path: Path
) -> None:
    worse, better = rows = [Row(name, "bionlp/final.toml", (), ("bionlp13pc",), name.upper()) for name in "ab"]
    lines = [
        fake_run(tmp_path / "runs", row, "bionlp13pc", seed, found=number)
        for row, number in zip(rows, found, strict=True)
        for seed in seeds
    ]
    (tmp_path / "cells.jsonl").write_text("\n".join(lines))
    results = read_results([tmp_path / "cells.jsonl"], [tmp_path / "runs"], [1, 2, 3], rows)
    assert re.fullmatch(said, above(results, worse, better, "here", 200))
