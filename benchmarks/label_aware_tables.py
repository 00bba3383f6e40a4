"""The runs of the label-aware grid -> tables and figures beside those of the paper (LANER 2022).

    python benchmarks/crossner_bench.py RUNS --recipes "$(python benchmarks/label_aware_grid.py options ablations)" ...
    python benchmarks/label_aware_tables.py RUNS/cells.jsonl --predictions RUNS --name mpnet

Writes benchmarks/results/label-aware-quality-NAME.md (all tables, the figures, what the runs were made with), a CSV
file per table and a PNG per figure. Averages over domains are taken seed by seed, over seeds that have all domains;
every row says how many of its cells are there, so the page may be made while runs are missing. An experiment without
any cell is left out, and said so. Files of kept cells (`keep_cells.py`) may stand beside RUNS/cells.jsonl or for it.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

from endings import faults_said
from grid_results import Results, read_results
from kept_cells import opened
from label_aware_figures import by_label, curves, peak, size_curves, width_curves
from label_aware_grid import EXPERIMENTS, Row, merged, rows_of
from label_aware_page import Section, write
from label_aware_sections import (
    domain_table,
    gains,
    mit_table,
    option_table,
    order_of_averages,
)
from laner_published import TABLE_3, TABLE_4
from table_arguments import tables_parser


@dataclass(frozen=True)
class Grid:
    """The rows of every experiment; label_domain: whose labels are compared."""

    rows: dict[str, list[Row]]
    label_domain: str
    rounds: int


def sections(results: Results, grid: Grid) -> Iterator[Section]:
    """Every experiment of which there is a cell, in the order of the page."""
    rows, rounds = grid.rows, grid.rounds
    main, inside = rows["main"], rows["in-domain"]
    if results.begun(main):
        yield Section("main", results.cells(main), domain_table(results, main, main[2], rounds, published=TABLE_3))
    if results.begun(rows["options"][1:]):
        yield Section("options", results.cells(rows["options"]), option_table(results, rows["options"], rounds))
    if results.begun(rows["ablations"][1:]):
        ablations = rows["ablations"]
        table = domain_table(results, ablations, ablations[0], rounds, published=TABLE_3)
        table = replace(table, after=order_of_averages(results, ablations, rounds))
        yield Section("ablations", results.cells(ablations), table)
    if results.begun(inside):
        table = domain_table(results, inside, inside[2], rounds, published=TABLE_4)
        table = replace(table, after=gains(results, (inside[0], inside[2]), (main[0], main[2])))
        yield Section("in-domain", results.cells(inside), table)
    found = by_label(results, main, grid.label_domain)
    if found:
        yield Section("labels", results.cells(main, [grid.label_domain]), *found)
    yield from _curve_sections(results, grid)
    if results.begun(rows["mit"]):
        yield Section("mit", results.cells(rows["mit"]), mit_table(results, rows["mit"], rows["mit"][2], rounds))


def _curve_sections(results: Results, grid: Grid) -> Iterator[Section]:
    for name, asked, axis in (
        ("widths", width_curves(grid.rows["widths"]), "label width"),
        ("sizes", size_curves(grid.rows["sizes"]), "target sentences"),
    ):
        varied = [row for lines in asked.values() for row in lines.values() if row.plain[-1].isdigit()]
        found = curves(results, asked, axis, "ai") if results.begun(varied) else None
        if found:
            after = (peak(results, grid.rows["widths"], "ai"),) if name == "widths" else ()
            yield Section(name, results.cells(grid.rows[name], ["ai"]), replace(found[0], after=after), found[1])


@faults_said()
def main() -> None:
    parser = tables_parser(__doc__)
    parser.add_argument("--tuned", action="append", default=[], help="as for label_aware_grid.py")
    parser.add_argument("--suffix", default="", help="as for label_aware_grid.py")
    parser.add_argument("--labels-of", default="ai", help="domain whose labels are compared")
    arguments = parser.parse_args()
    if arguments.tuned and not arguments.suffix:
        parser.error("--tuned needs a --suffix: other settings are other rows")
    rows = {name: rows_of(name, tuned=arguments.tuned, suffix=arguments.suffix) for name in EXPERIMENTS}
    wanted = merged([row for several in rows.values() for row in several])
    with opened(arguments.predictions, arguments.results) as places:
        results = read_results(places.lines, places.folders, arguments.seeds, wanted, places.notes)
        found = list(sections(results, Grid(rows, arguments.labels_of, arguments.rounds)))
        if not found:
            sys.exit(
                "no line belongs to a row of the grid: `python benchmarks/label_aware_grid.py main` shows their names"
            )
        for path in write(results, found, arguments.output, arguments.name, arguments.note):
            print(path)


if __name__ == "__main__":
    main()
