"""What the scripts of the grids are asked in the same words: rows by experiment and name, runs and seeds of a page."""

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import light_grid
import multi_cell_grid
import pytest
from crossner_bench import missing
from crossner_cells import DOMAINS
from table_arguments import tables_parser

Printed = Callable[..., list[str]]


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Printed:
    """What a grid prints, row by row."""

    def printed(main: Callable[[], None], *arguments: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", ["grid", *arguments])
        main()
        return capsys.readouterr().out.rstrip("\n").split(";")

    return printed


def names(rows: list[str]) -> list[str]:
    return [row.partition("=")[0] for row in rows]


@pytest.mark.parametrize(("grid", "experiment"), [(light_grid, "bionlp"), (multi_cell_grid, "supervised")])
def test_a_row_is_printed_once_and_some_are_chosen_by_name(grid: ModuleType, experiment: str, printed: Printed) -> None:
    rows = printed(grid.main, experiment)
    assert printed(grid.main, experiment, experiment) == rows
    assert names(rows) == [row.name for row in grid.rows_of(experiment)]
    first, _, third, *_ = names(rows)
    assert printed(grid.main, experiment, "--only", f"{third},{first},unknown") == [rows[0], rows[2]]


@pytest.mark.parametrize("grid", [light_grid, multi_cell_grid])
def test_the_bench_takes_every_row(grid: ModuleType, printed: Printed, tmp_path: Path) -> None:
    """Also those whose target is files of their own."""
    rows = printed(grid.main, *grid.NAMES)
    asked = Namespace(runs=tmp_path, recipes=";".join(rows), seeds=(1,), domains=DOMAINS, set=(), encoder="")
    cells = missing(Namespace(**vars(asked), accept_other_settings=False))
    assert {cell.name for cell in cells} == set(names(rows))


def test_text_and_vectors_lie_where_it_is_said(printed: Printed) -> None:
    for grid, experiment in ((light_grid, "scitech"), (multi_cell_grid, "zero-shot")):
        rows = printed(grid.main, experiment, "--corpora", "texts", "--vectors", "glove.txt:7")
        assert any('"texts/tech"' in row for row in rows)
        assert all("vectors=glove.txt " in row for row in rows)


def test_encoders_of_the_domains_are_rows_more(printed: Printed) -> None:
    plain = printed(multi_cell_grid.main, "crossner")
    more = printed(multi_cell_grid.main, "crossner", "--pretrained", "encoders/{domain}-span")
    assert more[: len(plain)] == plain
    assert names(more[len(plain) :]) == [f"span-{name}" for name in names(plain)]


def test_what_a_page_is_made_of() -> None:
    asked = tables_parser("A page.").parse_args(["a.jsonl", "b.jsonl", "--name", "x", "--predictions", "runs"])
    assert (asked.results, asked.predictions) == ([Path("a.jsonl"), Path("b.jsonl")], [Path("runs")])
    assert (asked.seeds, asked.rounds, asked.output.name) == ((1, 2, 3), 10_000, "results")
    assert tables_parser(None).parse_args(["a", "--name", "x", "--seeds", "4,7"]).seeds == (4, 7)
