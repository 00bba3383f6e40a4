"""The grid of the multi-cell experiments: valid rows, one budget per table, sizes where the paper wants them equal."""

import re
from pathlib import Path

import pytest
from crossner_cells import recipe_path
from grid_cells import cells, last_stage
from label_aware_grid import merged
from light_rows import BATCH, STEPS, Places
from multi_cell_grid import LIGHT, NAMES, rows_of
from multi_cell_rows import FULL, SYSTEMS, TARGETS, Target, system_row

from nerbridge.assembly.parts import build_context
from nerbridge.config.loading import load_experiment

TEXTS = Places("texts", "texts/glove.txt:700")
WIDTH = 100  # of GloVe 50d and the recipes' characters
LABELS = {  # of the target, of the source
    "bionlp": (range(16), (0, 1, 2, 16)),
    "twitter": (range(3), range(4)),
    "scitech": (range(4), range(4)),
}


@pytest.mark.parametrize("experiment", NAMES)
def test_the_rows_of_an_experiment_are_valid_and_differ(experiment: str) -> None:
    for places in (Places(), TEXTS):
        rows = rows_of(experiment, places, "encoders/{domain}-integrated-span")
        assert all(recipe_path(row.recipe).is_file() for row in rows)
        assert len({row.name for row in rows}) == len(rows)
        found = [cells(row)[0].experiment.model_dump(exclude={"name", "description"}) for row in rows]
        assert all(found.count(one) == 1 for one in found)


def test_rows_of_several_experiments_are_the_same_in_each() -> None:
    rows = [row for name in NAMES for row in rows_of(name)]
    assert len({(row.name, row.recipe, row.settings) for row in rows}) == len(merged(rows)) == len(rows) - 8


def test_what_is_tried_on_dev_never_reads_a_test_set_to_choose() -> None:
    rows = rows_of("tuning", TEXTS)
    assert {row.domains for row in rows} == {("broad_twitter",), ("twitter2017",), ("none",)}
    for row in (row for row in rows if row.domains == ("none",)):
        files = dict(one.removeprefix("target.files.").split("=") for one in row.settings if "target.files." in one)
        assert files["test"] == files["dev"]
    bases = {row.said for row in rows if row.said.endswith(", base")}
    assert bases == {f"{row.said.partition(',')[0]}, base" for row in rows}


@pytest.mark.parametrize("experiment", [name for name in NAMES if name != "tuning"])
def test_all_rows_of_a_table_learn_for_as_many_steps(experiment: str) -> None:
    steps, batch, rates = (STEPS, BATCH, (3e-3, 3e-3)) if experiment in LIGHT else (2000, 16, (5e-5, 1e-3))
    for stage in (last_stage(cell) for row in rows_of(experiment) for cell in cells(row)):
        assert (stage.max_steps, stage.batch_sentences, stage.schedule) == (steps, batch, "linear")
        assert (stage.learning_rate, stage.head_learning_rate, stage.optimizer) == (*rates, "adamw")
        assert stage.patience == 1000


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.short)
def test_the_target_counts_as_much_in_all_rows(target: Target) -> None:
    found = [cells(row)[0].experiment.transfer for row in rows_of("supervised") if row.domains == (target.dataset,)]
    weights = {one.target_weight for one in found if one.kind == "multi_task"}
    assert len(weights) == 1
    assert len(found) == len(SYSTEMS)


def test_rows_with_a_language_model_read_as_much_but_for_one() -> None:
    found = {row.said: cells(row)[0].experiment.transfer for row in rows_of("zero-shot", TEXTS)}
    asked = {said: one.target_sentences for said, one in found.items() if one.target_raw}  # type: ignore[union-attr]
    assert asked.pop("MULTI-CELL LSTM+LM, a part of the raw text") == 13_000
    assert set(asked.values()) == {58_000}
    assert {said for said in found if "LM+" in said or said.endswith("+LM")} == set(asked)


def test_encoders_of_each_domain_stand_behind_what_a_table_compares() -> None:
    pattern = "encoders/{domain}-integrated-span"
    plain, pretrained = rows_of("crossner"), rows_of("crossner", pretrained=pattern)[4:]
    assert [row.name for row in pretrained] == [f"integrated-span-{row.name}" for row in plain]
    for before, after in zip(plain, pretrained, strict=True):
        assert after.settings == (f"encoder.checkpoint={pattern}", *before.settings)


def numbers_said(path: Path) -> tuple[int, int]:
    """'as many parameters as the multi-cell context, A against B', which may go on in the next line."""
    text = " ".join(part.strip() for part in path.read_text("utf-8").replace("#", " ").split("\n"))
    (found,) = re.findall(r"([\d,]+) +against ([\d,]+)", text)
    first, second = (int(number.replace(",", "")) for number in found)
    return first, second


@pytest.mark.parametrize("data", LABELS)
@pytest.mark.parametrize("kind", ["stacked", "expanded"])
def test_larger_bilstms_are_as_large_as_the_multi_cell_context(data: str, kind: str) -> None:
    path = recipe_path(f"multicell/{data}-{kind}")
    full = recipe_path(f"multicell/{data}-{'multi-cell-lm-dictionary' if data == 'scitech' else 'multi-cell'}")
    target, source = (tuple(f"label {number}" for number in numbers) for numbers in LABELS[data])
    sizes = []
    for recipe in (path, full):
        context = build_context(load_experiment(recipe).context, WIDTH, {"target": target, "source": source})
        sizes.append(sum(parameter.numel() for parameter in context.parameters()))
    assert tuple(sizes) == numbers_said(path)
    assert sizes[0] == pytest.approx(sizes[1], rel=0.01)


def test_the_full_model_is_a_row_of_every_target() -> None:
    assert {system_row(target, FULL).recipe for target in TARGETS} == {
        "multicell/bionlp-multi-cell",
        "multicell/twitter-multi-cell",
    }
