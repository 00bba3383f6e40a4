"""Pages of which the cells are kept are what the table makers make of them today."""

import importlib
import sys
from pathlib import Path

import pytest

RESULTS = Path(__file__).parents[3] / "benchmarks" / "results"
# kept cells -> the script that makes their page, the beginning of the page's name, more of its arguments
PAGES = {
    "label-aware-mpnet-h200": ("label_aware_tables", "label-aware-quality-mpnet-h200", ["--name", "mpnet-h200"]),
    "multi-cell-glove50": (
        "multi_cell_tables",
        "multi-cell-quality-glove50",
        ["--name", "glove50", "--corpora", "texts", "--untimed"],
    ),
}


def test_every_file_of_kept_cells_has_a_page() -> None:
    assert {path.name.removesuffix(".jsonl.gz") for path in (RESULTS / "cells").iterdir()} == set(PAGES)


@pytest.mark.parametrize("kept", PAGES)
def test_a_page_is_what_its_cells_say(kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script, page, more = PAGES[kept]
    cells = str(RESULTS / "cells" / f"{kept}.jsonl.gz")
    note = (RESULTS / f"{page}.md").read_text(encoding="utf-8").split("\n\n")[1]
    said = [script, cells, "--predictions", cells, *more, "--note", note, "--output", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", said)
    importlib.import_module(script).main()
    made = {
        path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir() if path.suffix in (".md", ".csv")
    }
    assert len(made) > 1
    for name, text in made.items():
        assert (RESULTS / name).read_text(encoding="utf-8") == text, name
