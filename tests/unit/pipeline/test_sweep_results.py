"""Finished cells become a table, averages over targets, files and a picture; notes say how to read them."""

import csv
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from sweeping import fake, plan_in

from nerbridge.errors import BundleError
from nerbridge.pipeline.files import read_json, write_json
from nerbridge.pipeline.sweep.lines import picture
from nerbridge.pipeline.sweep.outcome import SweepResult, gather
from nerbridge.pipeline.sweep.plan import SweepPlan
from nerbridge.pipeline.sweep.state import CELL
from nerbridge.pipeline.sweep.sweep import write_result
from nerbridge.pipeline.sweep.tables import averages_table, settings_table

BEST_DEV = "the best dev F1 is marked: choices are made on dev, the test F1 beside it is what to report"


def f1(right: int) -> float:
    """What `fake` gives for so many right answers of ten."""
    return 100 * 2 * right / (10 + right)


def finish(plan: SweepPlan, *dev: int, test: int = 5, **more: Any) -> SweepResult:
    """All cells of `plan` finished; `dev` right answers of the cells in their order."""
    for cell, right in zip(plan.cells, dev, strict=True):
        fake(cell, dev=right, test=test, **more)
    return gather(plan, "dev")


def written(folder: Path, name: str) -> list[list[str]]:
    return list(csv.reader((folder / "out" / name).read_text(encoding="utf-8").splitlines()))


def test_a_row_has_mean_and_deviation_and_the_best_dev_is_bold(tmp_path: Path) -> None:
    result = finish(plan_in(tmp_path, "target.num_train=10,25"), 5, 7, 10, 10)
    header, rows = settings_table(result)
    assert header == [
        "num_train", "seeds", "dev F1", "deviation", "95 % interval", "test F1", "deviation", "95 % interval",
        "seconds",
    ]  # fmt: skip
    mean, deviation = (f1(5) + f1(7)) / 2, abs(f1(5) - f1(7)) / 2**0.5
    assert rows[0][:4] == ["10", "1,2", f"{mean:.2f}", f"{deviation:.2f}"]
    assert rows[1] == ["25", "1,2", "**100.00**", "0.00", "100.00 to 100.00", f"{f1(5):.2f}", "0.00", rows[1][7], "2.0"]
    assert result.notes == (BEST_DEV,)


def test_one_seed_has_no_deviation(tmp_path: Path) -> None:
    _, rows = settings_table(finish(plan_in(tmp_path, "target.num_train=10", seeds=(1,)), 5))
    assert rows[0][3] == "-"


def test_ranking_by_test_says_what_that_costs(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25", seeds=(1,))
    fake(plan.cells[0], dev=9, test=3)
    fake(plan.cells[1], dev=3, test=9)
    result = gather(plan, "test")
    assert [row[5] for row in settings_table(result)[1]] == [f"{f1(3):.2f}", f"**{f1(9):.2f}**"]
    assert result.notes == ("the best test F1 is marked: a setting that is chosen by it has no honest test score left",)


def test_without_dev_the_test_scores_are_shown_and_that_is_said(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10", seeds=(1,))
    fake(plan.cells[0], test=3)
    result = gather(plan, "dev")
    note = "there are no dev scores; a labelled dev file of the target gives some (target.files.dev)"
    assert (result.metric, result.splits, result.notes[0]) == ("test", ["test"], note)


def test_a_row_that_lacks_seeds_is_never_the_best(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25,40")
    for cell, right in zip(plan.cells[:3], (5, 5, 10), strict=True):
        fake(cell, dev=right, test=5)
    result = gather(plan, "dev")
    assert [row[1:3] for row in settings_table(result)[1]] == [["1,2", f"**{f1(5):.2f}**"], ["1", "100.00"]]
    assert result.notes[1:] == (
        "without all seeds, and never the best: 1 of 2 rows",
        "without a finished run yet: 1 of 3 settings",
    )
    assert result.num_waiting == 3


@pytest.mark.parametrize(
    ("right", "reason"), [((0, 0, 0), "all are 0.00"), ((5, 3, 5), "several settings share the highest")]
)
def test_where_no_setting_is_above_all_others_none_is_marked(
    tmp_path: Path, right: tuple[int, ...], reason: str
) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25,40", seeds=(1,))
    result = finish(plan, *right)
    assert not any("*" in cell for row in settings_table(result)[1] for cell in row)
    assert result.notes[0] == f"no dev F1 is marked as the best: {reason}"
    write_result(result, print)
    assert 'class="lead"' not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_warnings_of_cells_are_told_with_their_log(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25,40", seeds=(1,))
    finish(plan, 0, 5, 7)
    learnt = read_json(plan.cells[1].folder / CELL)
    learnt["stages"]["target"]["warnings"] = ["every word of dev got the same tag"]
    write_json(plan.cells[1].folder / CELL, learnt)
    assert gather(plan, "dev").notes[1:] == (
        f"{plan.cells[0]}: dev: the tagger finds no entity, of 10 in the gold labels ({plan.cells[0].log})",
        f"{plan.cells[1]}: target: every word of dev got the same tag ({plan.cells[1].log})",
    )


def test_more_sentences_than_there_are_is_said(tmp_path: Path) -> None:
    result = finish(plan_in(tmp_path, "target.num_train=100,200", seeds=(1,)), 5, 5, num_train=100)
    assert result.notes[1:] == ("num_train=200: there are only 100 training sentences",)


def test_targets_are_averaged_per_seed_and_each_has_its_own_best(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.dataset=crossner/ai,crossner/music", "tagger.kind=linear,crf")
    result = finish(plan, 2, 4, 3, 5, 8, 10, 6, 8)
    marked = [row[:2] for row in settings_table(result)[1] if "**" in row[3]]
    assert marked == [["crossner/ai", "crf"], ["crossner/music", "linear"]]
    header, rows = averages_table(result)
    assert header == [
        "tagger.kind", "seeds", "dev F1, crossner/ai", "dev F1, crossner/music", "average dev F1", "deviation",
        "average test F1", "deviation",
    ]  # fmt: skip
    ai, music = (f1(2) + f1(4)) / 2, (f1(8) + f1(10)) / 2
    by_seed = (f1(2) + f1(8)) / 2, (f1(4) + f1(10)) / 2
    deviation = abs(by_seed[0] - by_seed[1]) / 2**0.5
    assert rows[0] == [
        "linear", "1,2", f"{ai:.2f}", f"{music:.2f}", f"**{(ai + music) / 2:.2f}**", f"{deviation:.2f}",
        f"{f1(5):.2f}", "0.00",
    ]  # fmt: skip
    write_result(result, print)
    assert written(tmp_path, "averages.csv")[1][:3] == ["linear", "1 2", "dev"]
    assert (tmp_path / "out" / "table.md").read_text(encoding="utf-8").count("| seeds |") == 2


def test_averages_need_every_target(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.dataset=crossner/ai,crossner/music", "tagger.kind=linear,crf", seeds=(1,))
    for cell in plan.cells[:3]:
        fake(cell, dev=5, test=5)
    assert [dict(average.choices) for average in gather(plan, "dev").averages] == [{"tagger.kind": "linear"}]
    assert gather(plan_in(tmp_path, "target.dataset=crossner/ai"), "dev").averages == ()


def test_files_say_everything(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25", seeds=(1,))
    fake(plan.cells[0], dev=5, test=10)
    result = gather(plan, "dev", [(plan.cells[1], "it broke\n  where: there")])
    write_result(result, print)
    assert written(tmp_path, "table.csv") == [
        [
            "target.num_train", "seeds", "train_sentences", "dev_f1", "dev_deviation", "dev_low", "dev_high",
            "test_f1", "test_deviation", "test_low", "test_high", "seconds",
        ],
        ["10", "1", "100", "66.6667", "", *written(tmp_path, "table.csv")[1][5:7], "100.0000", "", "100.0000",
         "100.0000", "2.0"],
    ]  # fmt: skip
    page = (tmp_path / "out" / "table.md").read_text(encoding="utf-8")
    assert page.startswith("# Sweep of recipe.toml over `target.num_train`\n\n| num_train | seeds | dev F1 |")
    assert "Failed:\n\n- num_train=25, seed 1: it broke\n\n" in page
    content = json.loads((tmp_path / "out" / "sweep.json").read_text(encoding="utf-8"))
    assert content["vary"] == {"target.num_train": ["10", "25"]}
    assert [(cell["state"], cell.get("error")) for cell in content["cells"]] == [
        ("finished", None),
        ("failed", "it broke\n  where: there"),
    ]
    assert content["rows"][0]["dev"]["f1"]["mean"] == pytest.approx(2 / 3)
    assert (tmp_path / "out" / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "out" / "plot.svg").read_text(encoding="utf-8")


def test_without_matplotlib_the_table_is_written_and_the_extra_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "nerbridge.pipeline.sweep.plot.find_spec", lambda name: None if name == "matplotlib" else found(name)
    )
    said: list[str] = []
    write_result(finish(plan_in(tmp_path, "target.num_train=10", seeds=(1,)), 5), said.append)
    assert said == ["no picture is drawn: matplotlib is not installed; pip install 'nerbridge[plot]'"]
    assert (tmp_path / "out" / "table.md").is_file()
    assert not (tmp_path / "out" / "plot.png").exists()


def lines(result: SweepResult) -> dict[str, list[tuple[float, str]]]:
    drawn = picture(result)
    assert drawn is not None
    return {name: [(point.x, point.name) for point in points] for name, points in drawn.lines.items()}


def test_numbers_are_an_axis_and_the_other_key_makes_lines(tmp_path: Path) -> None:
    result = finish(plan_in(tmp_path, "tagger.kind=linear,crf", "target.num_train=25,10", seeds=(1,)), 1, 2, 3, 4)
    assert lines(result) == {"linear": [(10, "10"), (25, "25")], "crf": [(10, "10"), (25, "25")]}
    drawn = picture(result)
    assert drawn is not None
    assert (drawn.axis, drawn.numeric, drawn.logarithmic) == ("num_train", True, False)
    assert [point.y for point in drawn.lines["crf"]] == [pytest.approx(f1(4)), pytest.approx(f1(3))]


def test_all_sentences_stand_at_their_number(tmp_path: Path) -> None:
    result = finish(plan_in(tmp_path, "target.num_train=10,none", seeds=(1,)), 1, 2, num_train=80)
    assert lines(result) == {"": [(10, "10"), (80, "none")]}


def test_words_are_categories_in_their_order(tmp_path: Path) -> None:
    result = finish(plan_in(tmp_path, "tagger.kind=linear,crf", "tagger.constrained=true,false", seeds=(1,)), *range(4))
    assert lines(result) == {
        "constrained true": [(0, "linear"), (1, "crf")],
        "constrained false": [(0, "linear"), (1, "crf")],
    }
    drawn = picture(result)
    assert drawn is not None
    assert not drawn.numeric


@pytest.mark.parametrize(
    ("values", "logarithmic"), [("1,20", False), ("1,21", True), ("1e-5,1e-3", True), ("0,50", False)]
)
def test_a_wide_axis_is_logarithmic(tmp_path: Path, values: str, logarithmic: bool) -> None:
    key = "training.weight_decay"
    drawn = picture(finish(plan_in(tmp_path, f"{key}={values}", seeds=(1,)), 1, 2))
    assert drawn is not None
    assert drawn.logarithmic == logarithmic


def test_many_keys_with_targets_show_the_averages(tmp_path: Path) -> None:
    plan = plan_in(
        tmp_path, "target.dataset=crossner/ai,crossner/music", "target.num_train=10,25", "tagger.kind=linear,crf",
        seeds=(1,),
    )  # fmt: skip
    result = finish(plan, *range(8))
    assert lines(result) == {"linear": [(10, "10"), (25, "25")], "crf": [(10, "10"), (25, "25")]}
    drawn = picture(result)
    assert drawn is not None
    assert drawn.averaged
    assert drawn.lines["linear"][0].y == pytest.approx((f1(0) + f1(4)) / 2)


def test_a_picture_is_the_same_twice(tmp_path: Path) -> None:
    result = finish(plan_in(tmp_path, "tagger.kind=linear,crf", seeds=(1,)), 1, 2)
    write_result(result, print)
    first = (tmp_path / "out" / "plot.svg").read_bytes()
    write_result(result, print)
    assert (tmp_path / "out" / "plot.svg").read_bytes() == first


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cell.json", "{}"),
        ("cell.json", '{"stages": [1]}'),
        ("cell.json", '{"stages": {"target": {"seconds": "long"}}}'),
        ("scores.json", '{"dev": 3}'),
        ("scores.json", '{"dev": {"f1": null}}'),
        ("data.json", '{"domains": []}'),
    ],
)
def test_a_cell_whose_file_has_another_form_is_named(tmp_path: Path, name: str, content: str) -> None:
    plan = plan_in(tmp_path, "target.num_train=10", seeds=(1,))
    fake(plan.cells[0], dev=5)
    (plan.cells[0].folder / name).write_text(content)
    with pytest.raises(BundleError) as caught:
        gather(plan, "dev")
    assert str(caught.value).startswith("a file of the cell 'num_train=10, seed 1' is of another form (")
    assert str(caught.value).splitlines()[1:] == [
        f"  where: {plan.cells[0].folder}",
        "  expected: cell.json, scores.json and data.json as the sweep wrote them",
        "  hint: remove that folder: the same command trains the cell again",
    ]
