"""The kept pages about a step of algorithm 1 are those that the bench writes, and say what their ratio is."""

import json

import pytest
from measuring import RESULTS
from parameter_generation_bench import goal_of, make_page


@pytest.mark.parametrize(("name", "goal"), [("cpu", 2.0), ("h200", 1.3)])
def test_kept_pages_are_made_of_what_was_measured(name: str, goal: float) -> None:
    path = RESULTS / f"parameter-generation-{name}"
    found = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert goal_of(found) == goal
    page = path.with_suffix(".md").read_text(encoding="utf-8")
    assert page == make_page(found)
    assert "the median of the ratios of each pair of turns" in page
