"""The grid of the label-aware experiments: its rows are valid, differ in what they say, and are run in a good order."""

import argparse
import math
import subprocess
import sys
from pathlib import Path

import pytest
from crossner_bench import finished
from crossner_cells import DOMAINS, ROOT, Cell, cells, parse_row, parse_rows
from crossner_order import SeedBySeed
from label_aware_grid import EXPERIMENTS, SIZES, Row, merged, rows_of

from nerbridge.config.experiment import Experiment

TUNED = ("training.head_learning_rate=3e-4", "tagger.label_noise=0.1")


def cell(row: Row, domain: str = "ai", seed: int = 1) -> Cell:
    (text,) = parse_rows(f"{row.text()};")
    assert (text.name, text.recipe, text.settings) == (row.name, row.recipe, row.settings)
    return Cell(row.name, row.recipe, f"crossner/{domain}", seed, row.settings, "minilm")


def head_rate(experiment: Experiment) -> float:
    return experiment.training.for_stage("target").head_learning_rate


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_the_rows_of_an_experiment_are_valid_and_have_names_of_their_own(experiment: str) -> None:
    for tuned, suffix in (((), ""), (TUNED, "-tuned")):
        rows = rows_of(experiment, tuned=tuned, suffix=suffix)
        assert len({row.name for row in rows}) == len(rows)
        found = [cell(row).experiment.model_dump(exclude={"name", "description"}) for row in rows]
        assert all(found.count(one) == 1 for one in found)


def test_an_experiment_varies_what_it_says_and_nothing_else() -> None:
    for name in ("options", "ablations", "widths"):
        base, *others = [cell(row).experiment for row in rows_of(name) if row.recipe.endswith("label-aware")]
        for other in others:
            varied = {"name", "description", "tagger"} | ({"training"} if name == "options" else set())
            assert other.model_dump(exclude=varied) == base.model_dump(exclude=varied)


def test_the_ablations_differ_in_the_head_alone_tuned_or_not() -> None:
    for tuned, rate in (((), 2e-3), (TUNED, 3e-4)):
        found = [cell(row).experiment for row in rows_of("ablations", tuned=tuned, suffix="-tuned" if tuned else "")]
        assert {head_rate(one) for one in found} == {rate}
        assert [one.tagger.kind for one in found] == ["label_aware"] * 3 + ["crf", "label_aware"]
        assert len({str(one.training.for_stage("source")) for one in found}) == 1


def test_tuned_settings_are_for_label_aware_rows_and_never_win_over_a_row_s_own() -> None:
    found = {row.name: row for row in rows_of("main", tuned=TUNED, suffix="-tuned")}
    assert set(found) == {"sequential-linear", "sequential-crf", "sequential-label-aware-tuned"}
    assert found["sequential-label-aware-tuned"].settings == TUNED
    width = rows_of("widths", tuned=["tagger.label_width=7", TUNED[1]], suffix="-t")[0]
    assert width.settings == ("tagger.label_width=10", TUNED[1])
    assert rows_of("options", tuned=TUNED, suffix="-tuned") == rows_of("options")


def test_every_size_learns_for_as_many_steps_as_the_recipe() -> None:
    for row in rows_of("sizes"):
        experiment = cell(row).experiment
        training = experiment.training.for_stage("target")
        number = experiment.target.num_train or SIZES[-1]
        steps = math.ceil(number / training.batch_sentences)
        assert 420 <= steps * training.epochs < 420 + steps
        assert math.ceil(steps * training.evaluate_every - 1e-9) == 14
        assert math.ceil(30 * steps * training.evaluate_every - 1e-9) == 420
        assert training.patience == 6


def test_a_row_that_several_experiments_need_is_named_once_with_all_its_targets() -> None:
    rows = merged([row for name in ("widths", "main", "sizes") for row in rows_of(name)])
    assert len({row.name for row in rows}) == len(rows) == 5 + 3 + 18
    assert next(row for row in rows if row.name == "sequential-label-aware").domains == DOMAINS
    assert next(row for row in rows if row.name == "width-10").text() == (
        "width-10=sequential-label-aware@ai tagger.label_width=10"
    )


@pytest.mark.parametrize(
    ("text", "name", "recipe", "targets", "settings"),
    [
        ("sequential-crf", "sequential-crf", "sequential-crf", (), ()),
        ("direct-crf tagger.dropout=0.3", "direct-crf-dropout0.3", "direct-crf", (), ("tagger.dropout=0.3",)),
        ("a=mit/direct-crf@mit_movie,ai x=1", "a", "mit/direct-crf", ("mit_movie", "ai"), ("x=1",)),
        ("a=direct-crf target.dataset=mit_movie x=1", "a", "direct-crf", ("mit_movie",), ("x=1",)),
        ("mit/direct-crf", "mit-direct-crf", "mit/direct-crf", (), ()),
    ],
)
def test_how_a_row_is_written(
    text: str, name: str, recipe: str, targets: tuple[str, ...], settings: tuple[str, ...]
) -> None:
    row = parse_row(text)
    assert (row.name, row.recipe, row.targets, row.settings) == (name, recipe, targets, settings)


def asked(recipes: str, **more: object) -> argparse.Namespace:
    default = {
        "recipes": recipes,
        "domains": ("politics", "ai"),
        "seeds": (1, 2),
        "set": ["seed=9"],
        "encoder": "minilm",
    }
    return argparse.Namespace(**{**default, **more})


def test_cells_are_rows_by_targets_by_seeds() -> None:
    found = list(cells(asked("a=sequential-crf;b=mit/direct-crf@mit_movie x=1")))
    assert [(one.name, one.domain, one.seed) for one in found] == [
        ("a", "politics", 1),
        ("a", "ai", 1),
        ("b", "mit_movie", 1),
        ("a", "politics", 2),
        ("a", "ai", 2),
        ("b", "mit_movie", 2),
    ]
    assert found[0].folder(Path("runs")) == Path("runs/a/politics/seed-1")
    assert found[2].overrides == ["target.dataset=mit_movie", "encoder.checkpoint=minilm", "seed=1", "seed=9", "x=1"]
    command = found[2].command(Path("runs"), "data")
    assert command[3:5] == ["train", str(ROOT / "recipes" / "mit" / "direct-crf.toml")]
    places = ["--output", "runs/b/mit_movie/seed-1", "--data-root", "data", "--cache", "runs/cache"]
    assert command[-7:] == [*places, "--json"]


def test_two_rows_of_one_name_are_refused() -> None:
    with pytest.raises(SystemExit, match="two rows are called a"):
        list(cells(asked("a=sequential-crf;a=sequential-linear")))


def test_no_job_waits_for_a_source_stage_while_there_is_other_work() -> None:
    recipes = "linear=sequential-linear;crf=sequential-crf;again=sequential-crf training.target.epochs=9;own=direct-crf"
    schedule = SeedBySeed(list(cells(asked(recipes, set=[]))))
    taken = [schedule.take() for _ in range(6)]
    assert [(one.name, one.domain, one.seed) for one in taken] == [
        ("linear", "politics", 1),  # trains the source stage of this head and seed
        ("crf", "politics", 1),
        ("own", "politics", 1),  # needs none; 'again' would wait for crf's
        ("own", "ai", 1),
        ("linear", "politics", 2),  # all others of seed 1 would wait
        ("crf", "politics", 2),
    ]
    schedule.finish(taken[1])
    assert (schedule.take().name, schedule.take().name) == ("crf", "again")


def test_finished_cells_are_found_and_half_a_line_harms_none(tmp_path: Path) -> None:
    path = tmp_path / "cells.jsonl"
    good, bad = '{"row": "a", "domain": "ai", "seed": 1}', '{"row": "a", "domain": "ai", "seed": 2, "failed": 1}'
    path.write_text(f'{good}\n{bad}\n{{"row": "a", "do')
    assert set(finished(tmp_path)) == {("a", "ai", 1)}


def test_the_grid_prints_what_the_bench_takes() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "label_aware_grid.py"), "mit", "in-domain"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = parse_rows(done.stdout.strip())
    assert [row.name for row in rows] == [
        *(f"mit-{kind}-{head}" for kind in ("sequential", "direct") for head in ("linear", "crf", "label-aware")),
        *(f"direct-{head}" for head in ("linear", "crf", "label-aware")),
    ]
    assert rows[0].targets == ("mit_movie", "mit_restaurant")
    assert rows[-1].targets == ()
