"""The picture of curves: its axis of steps, the room of its stages, and lines that lie on each other."""

import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

from nerbridge.pipeline.plotting.curves import Curves, Mark
from nerbridge.pipeline.plotting.lines import draw_curves

FIRST, SECOND = (0.122, 0.467, 0.706), (1.0, 0.498, 0.055)  # colours of the first two lines: blue and orange


def marks(name: str, totals: list[int], *, value: float = 0.5) -> list[Mark]:
    return [Mark("target", total, total, name, value) for total in totals]


def steps_of(curves: Curves, folder: Path) -> list[str]:
    """The ticks of the axis of steps."""
    draw_curves({"run": curves}, [folder / "curves.svg"], title="scores")
    picture = (folder / "curves.svg").read_text(encoding="utf-8")
    axis = picture[picture.index('id="matplotlib.axis_1"') : picture.index('id="matplotlib.axis_2"')]
    return re.findall(r">([^<>]*\d)</text>", axis)


@pytest.mark.parametrize("totals", [[4, 8, 12], [36, 38, 40], [1], [1, 2], [500, 12_500]])
def test_steps_are_whole_numbers_from_0_where_the_run_begins(tmp_path: Path, totals: list[int]) -> None:
    steps = steps_of(Curves(marks("f1", totals), {"target": 0}, totals[-1]), tmp_path)
    assert steps[0] == "0"
    assert all(step.isdigit() for step in steps)


def test_stages_without_points_take_up_room_under_their_names(tmp_path: Path) -> None:
    stages = {"source-1": 0, "source-2": 10, "target": 40}
    found = [Mark("source-2", step, 10 + step, "f1", 0.5) for step in (10, 20, 30)]
    steps = steps_of(Curves(found, stages, 100), tmp_path)
    assert (steps[0], steps[-1]) == ("0", "100")
    picture = (tmp_path / "curves.svg").read_text(encoding="utf-8")
    assert all(f">{name}<" in picture for name in stages)


def test_the_only_stage_needs_no_name(tmp_path: Path) -> None:
    steps_of(Curves(marks("f1", [4, 8]), {"target": 0}, 8), tmp_path)
    assert ">target<" not in (tmp_path / "curves.svg").read_text(encoding="utf-8")


def test_a_stage_without_steps_leaves_its_place_to_the_next(tmp_path: Path) -> None:
    steps_of(Curves(marks("f1", [4, 8]), {"source": 0, "target": 0}, 8), tmp_path)
    picture = (tmp_path / "curves.svg").read_text(encoding="utf-8")
    assert ">target<" in picture
    assert ">source<" not in picture


def test_equal_lines_are_both_seen(tmp_path: Path) -> None:
    totals = [10, 20, 30]
    both = [*marks("f1", totals), *marks("attention_f1", totals)]
    draw_curves({"run": Curves(both, {"target": 0}, 30)}, [tmp_path / "curves.png"], title="scores")
    picture = imread(tmp_path / "curves.png")[..., :3]
    below, above = (np.abs(picture - colour).max(axis=-1) < 0.02 for colour in (FIRST, SECOND))
    row = int(above.sum(axis=1).argmax())
    near = slice(row - 5, row + 6)  # the legend lies elsewhere
    assert min(below[near].sum(), above[near].sum()) > 300
