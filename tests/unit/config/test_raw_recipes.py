"""The recipes with raw text stand beside rows of one table: what they learn from it is the same."""

from pathlib import Path

import pytest

from nerbridge.config.loading import load_experiment
from nerbridge.pipeline.sweep.order import shared_stages

CROSSNER = Path(__file__).parents[3] / "recipes" / "crossner"
PATHS = sorted(CROSSNER.glob("dapt-*.toml"))


def test_all_rows_share_corpus_level_and_encoder() -> None:
    marks = {shared_stages(load_experiment(path))[:3] for path in PATHS}
    assert (len(PATHS), len(marks)) == (5, 1)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_row_differs_from_the_one_without_pre_training_in_raw_text_alone(path: Path) -> None:
    raw = {"name", "description", "corpus", "gazetteer", "selection", "pretraining"}
    with_text, plain = load_experiment(path), load_experiment(path.with_name(path.name.removeprefix("dapt-")))
    assert with_text.model_dump(exclude=raw) == plain.model_dump(exclude=raw)
    assert with_text.corpus is not None
    assert (with_text.selection.level, with_text.pretraining.masking) == ("integrated", "span")
    assert plain.corpus is None


@pytest.mark.parametrize(
    ("changes", "shared"),
    [(["selection.level=task"], 2), (["pretraining.masking=token"], 2), (["selection.share=0.5"], 1), (["seed=2"], 3)],
)
def test_cells_share_the_steps_before_what_they_vary(changes: list[str], shared: int) -> None:
    first, second = (shared_stages(load_experiment(PATHS[0], more)) for more in ([], changes))
    assert [one == other for one, other in zip(first[:3], second[:3], strict=True)] == [n < shared for n in range(3)]
