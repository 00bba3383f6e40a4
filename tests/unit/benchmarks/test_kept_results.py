"""Pages of which the cells are kept are what the table makers make of them today."""

import importlib
import sys
from pathlib import Path

import pytest

RESULTS = Path(__file__).parents[3] / "benchmarks" / "results"
# beginning of a page's name -> the script that makes it, the files of kept cells that it is made of, more arguments
PAGES = {
    "label-aware-quality-mpnet-h200": ("label_aware_tables", ["label-aware-mpnet-h200"], ["--name", "mpnet-h200"]),
    "dapt-mpnet-h200": (
        "dapt_tables",
        ["dapt-mpnet-h200"],
        ["--name", "mpnet-h200", "--encoder", "mpnet", "--untimed", "integrated-span-full-*"],
    ),
    "dapt-mpnet-h200-ai": (
        "dapt_tables",
        ["dapt-mpnet-h200-ai"],
        [
            *("--name", "mpnet-h200-ai", "--encoder", "mpnet", "--recipes", "direct-linear,joint-linear", "--untimed"),
            *("--without", str(RESULTS / "cells" / "label-aware-mpnet-h200.jsonl.gz")),
        ],
    ),
    "dapt-mpnet-h200-domains": (
        "dapt_tables",
        ["dapt-mpnet-h200-domains"],
        [
            *("--name", "mpnet-h200-domains", "--encoder", "mpnet", "--untimed"),
            *("--curves-of", "literature", "--labels-of", "literature"),
            *("--without", str(RESULTS / "cells" / "label-aware-mpnet-h200.jsonl.gz")),
        ],
    ),
    "multi-cell-quality-glove50": (
        "multi_cell_tables",
        ["multi-cell-glove50"],
        ["--name", "glove50", "--corpora", "texts", "--encoder", "mpnet", "--untimed"],
    ),
    "light-quality-glove50-second": (
        "light_tables",
        ["light-glove50"],
        ["--name", "glove50-second", "--corpora", "texts", "--untimed"],
    ),
}


def test_every_file_of_kept_cells_has_a_page() -> None:
    kept = {path.name.removesuffix(".jsonl.gz") for path in (RESULTS / "cells").iterdir()}
    assert kept == {name for _, names, _ in PAGES.values() for name in names}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_what_its_cells_say(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script, kept, more = PAGES[page]
    cells = [str(RESULTS / "cells" / f"{name}.jsonl.gz") for name in kept]
    note = (RESULTS / f"{page}.md").read_text(encoding="utf-8").split("\n\n")[1]
    places = [] if script == "dapt_tables" else [part for cell in cells for part in ("--predictions", cell)]
    said = [script, *cells, *places, *more, "--note", note, "--output", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", said)
    importlib.import_module(script).main()
    made = {
        path.name: path.read_text(encoding="utf-8")
        for path in tmp_path.iterdir()
        if path.suffix in (".md", ".csv", ".json")
    }
    assert len(made) > 1
    for name, text in made.items():
        assert (RESULTS / name).read_text(encoding="utf-8") == text, name
