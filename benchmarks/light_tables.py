"""The runs of `light_grid.py` -> a page with tables and figures, beside the papers' numbers, with paired tests.

    python benchmarks/light_tables.py RUNS/cells.jsonl ... --predictions RUNS [--predictions ...] --name h100

writes benchmarks/results/light-quality-NAME.md, beside it a CSV per table and a PNG per figure, and the rows of whole
data sets as rows-light-NAME.json, for docs/results.md. A table shows what is there and how many of the planned cells
that is; an experiment without any cell is left out, and said so. Files of kept cells (`keep_cells.py`) may stand beside
RUNS/cells.jsonl or for it.
"""

import sys
from collections.abc import Iterator, Sequence

from crossner_cells import DOMAINS
from endings import faults_said
from grid_results import Results, read_results
from kept_cells import opened
from label_aware_figures import by_label, curves
from label_aware_grid import MIT, Row, merged
from label_aware_sections import domain_table
from light_grid import NAMES, rows_of
from light_journals import curves_of_rows, curves_of_tasks
from light_page import Section, write
from light_published import CROSSNER, TABLE_3
from light_published import MIT as MIT_PAPER
from light_rows import BIONLP, RAW, SCITECH, SHARES, SIZES, USUAL, Places
from light_sections import coach_table, found_table, ordered, scitech_table, watched_table
from result_rows import add_untimed, write_rows
from table_arguments import tables_parser
from tuning_sections import tuning_table

ALL_13CG = 3033  # training sentences
TABLE_3_ORDER = ("bionlp-supervised", "bionlp-multitask-ner", "bionlp-stm-target")
LEARNING = ("STM-TARGET", "FINETUNE", "MULTITASK(NER)", "STM+ELMO", "FINAL")  # the lines of figure 3
COMPARED = ("STM-TARGET", "FINETUNE", "MULTITASK(NER)", "FINAL")  # the bars of figure 7


def sections(results: Results, rows: dict[str, list[Row]], rounds: int) -> Iterator[Section]:
    """Every experiment of which there is a cell, in the order of the page."""
    for name, start in (("tuning", "tune-"), ("tuning-zero-shot", "tune0-")):
        if table := tuning_table(results, [row for row in rows["tuning"] if row.name.startswith(start)]):
            yield Section(name, table)
    yield from _bionlp(results, rows["bionlp"], rounds)
    yield from _scitech(results, rows["scitech"], rounds)
    for name, domains, published in (("crossner", DOMAINS, CROSSNER), ("mit", MIT, MIT_PAPER)):
        if results.begun(rows[name]):
            base = rows[name][0]
            yield Section(name, domain_table(results, rows[name], base, rounds, published=published, domains=domains))
            if table := coach_table(results, [row for row in rows[name] if "coach" in row.name], domains):
                yield Section(f"{name}-coach", table)
    yield from _curves(results, rows)


def _bionlp(results: Results, rows: Sequence[Row], rounds: int) -> Iterator[Section]:
    if not results.begun(rows):
        return
    table = domain_table(results, rows, rows[0], rounds, published=TABLE_3, domains=BIONLP)
    yield Section("bionlp", table, said=ordered(results, rows, TABLE_3_ORDER, rounds))
    watched = watched_table(results, rows, BIONLP)
    if watched.rows:
        yield Section("bionlp-watched", watched)
    full = next(row for row in rows if row.name == "bionlp-supervised")
    for domain in BIONLP:
        if drawn := curves_of_rows(results, [row for row in rows if row.said in LEARNING], domain):
            yield Section(f"curves-{domain}", picture=drawn, unit="dev F1")
    for what, unit in (("f1", "dev F1"), ("perplexity", "perplexity")):
        if drawn := curves_of_tasks(results, full, BIONLP, what):
            yield Section(f"tasks-{what}", picture=drawn, unit=unit)
    for domain in BIONLP:
        if found := by_label(results, [row for row in rows if row.said in COMPARED], domain):
            yield Section(f"labels-{domain}", found[0], found[1])


def _scitech(results: Results, rows: Sequence[Row], rounds: int) -> Iterator[Section]:
    if not results.begun(rows):
        return
    yield Section("scitech", scitech_table(results, rows, rounds))
    watched = watched_table(results, rows, [SCITECH])
    if watched.rows:
        yield Section("scitech-watched", watched)
    if table := found_table(results, rows[0], rows[-1]):
        yield Section("scitech-found", table)


def _curves(results: Results, rows: dict[str, list[Row]]) -> Iterator[Section]:
    named = {row.name: row for several in rows.values() for row in several}
    sizes = {
        said: {
            **{float(size): named[f"{short}-{size}"] for size in SIZES},
            float(ALL_13CG): next(row for row in rows["sizes"] if row.name == whole),
        }
        for said, short, whole in (
            ("STM-TARGET", "stm-target", "bionlp-stm-target"),
            ("FINAL", "supervised", "bionlp-supervised"),
        )
    }
    raw = {
        f"{side} varies": {
            **{RAW * share / 100: named[f"raw-{side}-{share}"] for share in SHARES},
            float(RAW): named["scitech-zero-shot"],
        }
        for side in ("both", "target", "source")
    }
    for name, asked, axis, domain in (
        ("sizes", sizes, "labelled sentences of 13CG", BIONLP[1]),
        ("raw", raw, "raw sentences of a side that varies", SCITECH),
    ):
        if results.begun([row for row in rows[name] if row.plain[-1].isdigit()]):
            found = curves(results, asked, axis, domain)
            if found:
                yield Section(name, found[0], found[1])


@faults_said()
def main() -> None:
    parser = tables_parser(__doc__)
    parser.add_argument("--corpora", default=USUAL.corpora, help="as of light_grid.py, or runs are not recognised")
    parser.add_argument("--encoder", default="GloVe 50d", help="what the word vectors are called in docs/results.md")
    add_untimed(parser)
    arguments = parser.parse_args()
    rows = {name: rows_of(name, Places(arguments.corpora)) for name in NAMES}
    wanted = merged([row for several in rows.values() for row in several])
    shared = [row for name in ("bionlp", "scitech", "crossner", "mit") for row in rows[name]]
    with opened(arguments.predictions, arguments.results) as places:
        results = read_results(places.lines, places.folders, arguments.seeds, wanted, places.notes)
        found = list(sections(results, rows, arguments.rounds))
        if not found:
            sys.exit("no line belongs to a row of the grid: `python benchmarks/light_grid.py bionlp` shows their names")
        for path in write(results, found, arguments.output, arguments.name, arguments.note):
            print(path)
        path = arguments.output / f"rows-light-{arguments.name}.json"
        print(
            write_rows(path, results, shared, encoder=arguments.encoder, note=arguments.note, untimed=arguments.untimed)
        )


if __name__ == "__main__":
    main()
