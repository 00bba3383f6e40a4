"""The runs of `multi_cell_grid.py` -> a page with tables and figures, beside the paper's numbers, with paired tests.

    python benchmarks/multi_cell_tables.py RUNS/cells.jsonl ... --predictions RUNS [--predictions ...] --name h100

writes benchmarks/results/multi-cell-quality-NAME.md, beside it a CSV per table and a PNG per figure, and the rows for
docs/results.md: rows-multi-cell-NAME.json of those over word vectors, rows-multi-cell-NAME-features.json of those over
a transformer. A table shows what is there and how many of the planned cells that is; an experiment without any cell is
left out, and said so. Files of kept cells (`keep_cells.py`) may stand beside RUNS/cells.jsonl or for it.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace

from crossner_cells import DOMAINS
from endings import faults_said
from grid_results import Results, read_results
from kept_cells import opened
from label_aware_grid import MIT, Row, merged
from label_aware_page import Look
from label_aware_sections import domain_table
from light_journals import curves_of_numbers
from light_page import Section, write
from light_rows import USUAL, Places
from light_tuning import NO_DATASET
from multi_cell_grid import NAMES, rows_of
from multi_cell_numbers import gains_table
from multi_cell_published import CALLED_FEATURES, CROSSNER, CROSSNER_DAPT, DAPT, TABLE_4
from multi_cell_published import MIT as MIT_PAPER
from multi_cell_rows import FULL, TARGETS, ZERO_SHOT, rows_of_kind, system_row
from multi_cell_sections import ablated, ablation_table, feature_orders, system_table, zero_shot_table
from multi_cell_tuned import chosen_rows, told_of_settings
from result_rows import add_untimed, write_rows
from table_arguments import tables_parser
from tuning_sections import tuning_table

SETS = {"bionlp": "BioNLP13CG, source BioNLP13PC", "broad": "Broad Twitter", "twitter": "Twitter-2017"}
LOOK = Look(
    "The multi-cell LSTM: quality",
    "multi-cell-quality",
    {
        **{f"systems-{short}": f"{said} (table 2)" for short, said in SETS.items()},
        **{f"labels-{short}": f"F1 by label, {said.partition(',')[0]} (table 4)" for short, said in SETS.items()},
        "ablations": "Without a loss, and larger BiLSTMs (table 5)",
        "zero-shot": "CBS SciTech News without target labels, source CoNLL-2003 (table 3)",
        **{
            f"tasks-{short}": f"All three tasks over training, {said.partition(',')[0]} (figure 2)"
            for short, said in SETS.items()
        },
        "crossner": "CrossNER over a transformer, source CoNLL-2003",
        "mit": "MIT Movie and Restaurant over a transformer, an honest dev",
        "tuning": "Settings, chosen on dev of both sets of tweets",
        "tuning-zero-shot": "Settings without target labels, chosen on dev of other targets with the labels of news",
    },
)
COMPARED = ("target-bilstm", "multitask", FULL)  # the rows of table 4
TASKS = {"f1": "tags", "entity_f1": "entity types", "attention_f1": "attention"}
Rows = dict[str, list[Row]]


def grid(places: Places, kind: str) -> Rows:
    """The rows of all experiments; those over encoders of a kind by their names alone, wherever the encoders lay."""
    rows = {name: rows_of(name, places) for name in NAMES}
    return {**rows, "crossner": [*rows["crossner"], *rows_of_kind(rows["crossner"], kind)]}


def sections(results: Results, rows: Rows, rounds: int) -> Iterator[Section]:
    """Every experiment of which there is a cell, in the order of the page."""
    for name, unlabelled in (("tuning", False), ("tuning-zero-shot", True)):
        mine = [row for row in rows["tuning"] if (row.domains == (NO_DATASET,)) == unlabelled]
        if table := tuning_table(results, mine):
            told = () if unlabelled else told_of_settings(results, mine, rounds)
            yield Section(name, replace(table, after=tuple(told)))
    for target in TARGETS:
        mine = [row for row in rows["supervised"] if row.domains == (target.dataset,)]
        if results.begun(mine):
            yield Section(f"systems-{target.short}", system_table(results, target, mine, rounds))
    yield from _labels(results)
    zero_shot = dict(zip(ZERO_SHOT, rows["zero-shot"], strict=True))
    if results.begun([row for row in rows["ablations"] if "-without-" in row.name]):
        found = ablated(rows["supervised"], rows["ablations"], zero_shot)
        yield Section("ablations", ablation_table(results, found, rounds))
    if results.begun([*rows["zero-shot"], *rows["dictionaries"]]):
        yield Section("zero-shot", zero_shot_table(results, zero_shot, rows["dictionaries"], rounds))
    for target in TARGETS:
        if drawn := curves_of_numbers(results, system_row(target, FULL), target.dataset, TASKS):
            yield Section(f"tasks-{target.short}", picture=drawn, unit="dev F1")
    yield from _features(results, rows, rounds)


def _labels(results: Results) -> Iterator[Section]:
    for target in TARGETS:
        printed = TABLE_4 if target.short == "bionlp" else {}
        compared = [system_row(target, system) for system in COMPARED]
        if table := gains_table(results, compared, target.dataset, printed):
            yield Section(f"labels-{target.short}", table)


def _features(results: Results, rows: Rows, rounds: int) -> Iterator[Section]:
    pretrained = next(row.name for row in rows["crossner"] if row.name.endswith("-multicell-crossner-multi-cell"))
    crossner = {**CROSSNER, pretrained: CROSSNER_DAPT}
    called = {**CALLED_FEATURES, pretrained: DAPT}
    for name, domains, published in (("crossner", DOMAINS, crossner), ("mit", MIT, MIT_PAPER)):
        if results.begun(rows[name]):
            table = domain_table(
                results, rows[name], rows[name][0], rounds, published=published, domains=domains, called=called
            )
            yield Section(name, table, said=feature_orders(results, rows[name], rounds))


@faults_said()
def main() -> None:
    parser = tables_parser(__doc__)
    parser.add_argument("--corpora", default=USUAL.corpora, help="as of multi_cell_grid.py, or runs are not recognised")
    parser.add_argument("--kind", default="integrated-span", help="of the encoders of --pretrained of the grid")
    parser.add_argument("--vectors-name", default="GloVe 50d", help="of the word vectors, in docs/results.md")
    parser.add_argument("--encoder", default="minilm", help="what the transformer is called there")
    add_untimed(parser)
    arguments = parser.parse_args()
    rows = grid(Places(arguments.corpora), arguments.kind)
    wanted = merged([row for several in rows.values() for row in several])
    with opened(arguments.predictions, arguments.results) as places:
        results = read_results(places.lines, places.folders, arguments.seeds, wanted, places.notes)
        found = list(sections(results, rows, arguments.rounds))
        if not found:
            sys.exit("no line belongs to a row of the grid: `multi_cell_grid.py supervised` shows their names")
        for path in write(results, found, arguments.output, arguments.name, arguments.note, LOOK):
            print(path)
        _write_rows(results, rows, arguments)


def _write_rows(results: Results, rows: Rows, arguments: argparse.Namespace) -> None:
    """Those of whole experiments, for docs/results.md, and what dev chose; a row of table 5 is none of them."""
    chosen = chosen_rows(results, [row for row in rows["tuning"] if row.domains != (NO_DATASET,)])
    for ending, names, encoder in (
        ("", ("supervised", "zero-shot", "dictionaries", "chosen"), arguments.vectors_name),
        ("-features", ("crossner", "mit"), arguments.encoder),
    ):
        mine = [row for name in names for row in {**rows, "chosen": chosen}[name]]
        if results.begun(mine):
            path = arguments.output / f"rows-multi-cell-{arguments.name}{ending}.json"
            print(write_rows(path, results, mine, encoder=encoder, note=arguments.note, untimed=arguments.untimed))


if __name__ == "__main__":
    main()
