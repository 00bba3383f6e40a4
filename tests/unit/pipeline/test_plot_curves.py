"""The picture of curves: its axis of steps, the room of its stages, and lines that lie on each other."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

from nerbridge.config.experiment import Experiment
from nerbridge.pipeline.plotting.curves import Curves, Mark, read_curves
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


def test_a_run_without_perplexities_has_no_panel_of_them(tmp_path: Path) -> None:
    perplexities = [*marks("perplexity tech", [4], value=80.0), *marks("perplexity tech", [8], value=70.0)]
    with_text = Curves([*marks("f1", [4, 8]), *perplexities], {"target": 0}, 8)
    plain = Curves(marks("f1", [4, 8]), {"target": 0}, 8)
    for panels in ({"plain": plain, "text": with_text}, {"text": with_text, "plain": plain}):
        draw_curves(panels, [tmp_path / "curves.svg"], title="scores")
        picture = (tmp_path / "curves.svg").read_text(encoding="utf-8")
        assert len(re.findall(r'<g id="axes_\d+">', picture)) == 3
        assert [picture.count(f">{text}<") for text in ("training steps", "perplexity", "perplexity tech")] == [2, 1, 1]
        assert picture.count(">score on dev, percent<") == 1
        assert picture.count("10^{1}") > 1  # numbers beside the only panel of its row


def write_run(folder: Path, transfer: str, sources: list[dict[str, object]], domains: list[str]) -> Path:
    """A run folder that tells of its settings and data; stages source-1, source-2 and target were evaluated."""
    tables = {"name": "a", "target": {"files": {"train": "train.txt"}}, "transfer": {"kind": transfer}}
    if transfer == "multi_task":
        tables |= {"transfer": {"kind": transfer, "streams": ["source/tags", "source/words", "target/words"]}}
        tables |= {"context": {"kind": "parameter_generation"}, "encoder": {"kind": "word_char", "vectors": "none"}}
    experiment = Experiment.model_validate({**tables, "source": sources})
    (folder / "experiment.json").write_text(experiment.model_dump_json(), encoding="utf-8")
    (folder / "data.json").write_text(json.dumps({"domains": [{"domain": name} for name in domains]}))
    scores = {"event": "evaluation", "step": 2, "f1": 0.5, "attention_f1": 0.4, "perplexity tech": 9.0}
    lines = [json.dumps({"stage": stage, **scores}) for stage in ("source-1", "source-2", "target")]
    (folder / "journal.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_of_sequential_transfer_each_source_stage_has_the_scores_of_its_source(tmp_path: Path) -> None:
    sources: list[dict[str, object]] = [
        {"files": [{"train": "a.txt"}, {"train": "b.txt"}]},
        {"datasets": ["conll2003"]},
    ]
    run = write_run(tmp_path, "sequential", sources, ["a", "b", "conll2003", "chess"])
    assert read_curves(run).names == [
        *("f1", "f1 a+b", "f1 conll2003"),
        *("attention_f1 a+b", "attention_f1 conll2003", "attention_f1"),
        "perplexity tech",
    ]
    (run / "data.json").write_text('{"domains": [{"domain": "chess"}]}')  # not what the settings tell of
    assert read_curves(run).names == ["f1", "attention_f1", "perplexity tech"]
    (run / "data.json").unlink()
    assert read_curves(run).names == ["f1", "attention_f1", "perplexity tech"]


@pytest.mark.parametrize(("source", "shown"), [("news", "news"), ("chess", "chess-source")])
def test_zero_shot_scores_are_those_of_the_source(tmp_path: Path, source: str, shown: str) -> None:
    run = write_run(tmp_path, "multi_task", [{"files": [{"train": "news.txt"}]}], [source, "chess"])
    assert read_curves(run).names == [f"f1 {shown}", f"attention_f1 {shown}", "perplexity tech"]
