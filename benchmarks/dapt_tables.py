"""The runs of `dapt_bench.py` -> tables and figures beside those of CrossNER 2021 and LANER 2022.

    python benchmarks/dapt_tables.py RUNS --name mpnet
    python benchmarks/dapt_tables.py RUNS MORE --name mpnet --domains ai,music --on integrated-span-full --labels-of ai

Reads encoders.jsonl and the taggers of every RUNS, in RUNS or RUNS/taggers. Writes benchmarks/results/dapt-NAME.md
(all tables, the figures, what the runs were made with), a CSV file per table and a PNG per figure; the rows that learnt
from all of their text go to rows-dapt-NAME.json too, for docs/results.md (`results_page.py`). Averages over domains are
taken seed by seed, over seeds that have all domains; every table says how many of its cells are there, so the page may
be made while runs are missing. Paired tests hold a tagger on a pre-trained encoder against the same tagger without,
seed by seed; --without names the runs of another grid that have those. Files of kept cells (`keep_cells.py`) may stand
for folders of runs, or beside them.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from crossner_cells import DOMAINS
from dapt_cells import encoder_lines
from dapt_curves import label_section, share_section, size_section, width_section
from dapt_gains import gain_section
from dapt_grid import LINEAR, OURS
from dapt_sections import (
    Plan,
    ablation_section,
    encoder_section,
    in_domain_section,
    level_section,
    shared_rows,
)
from endings import faults_said
from grid_results import Results, joined, read_results
from kept_cells import Opened, cells_files, opened
from label_aware_grid import Row, merged
from label_aware_page import Look, Section, write
from option_types import seeds
from result_rows import add_untimed, write_rows

RESULTS = Path(__file__).parent / "results"
RECIPES = (LINEAR, OURS, "direct-linear", "joint-linear")
TITLES = {
    "encoders": "The encoders",
    "gains": "What pre-training adds",
    **{f"levels-{one}": f"Levels and maskings: {one} (table 2)" for one in RECIPES},
    "ablations": "Background and context of labels (LANER, table 3)",
    "in-domain": "In-domain, without a source (LANER, table 4)",
    "labels": "F1 by label (table 4; LANER, figure 2)",
    "shares": "Share of the text (figure 2)",
    "sizes": "Number of target sentences (figure 3; LANER, figure 4)",
    "widths": "Width of tag embeddings (LANER, figure 3)",
}


def sections(results: Results, plan: Plan) -> Iterator[Section]:
    """Every section of which there is a cell, in the order of the page."""
    yield encoder_section(plan)
    found = [gain_section(results, plan)]
    found += [level_section(results, plan, tagger) for tagger in plan.recipes]
    for make in (ablation_section, in_domain_section, label_section, share_section, size_section, width_section):
        found.append(make(results, plan))
    yield from (section for section in found if section is not None)


def make_plan(arguments: argparse.Namespace, runs: Sequence[Path]) -> Plan:
    """What is on the page: the encoders of all folders, of one with several lines the last good one."""
    found = list(encoder_lines([folder / "encoders.jsonl" for folder in runs]))
    lines, good = dict(found), {cell: line for cell, line in found if "failed" not in line}
    made = {cell.domain for cell in lines}
    domains = arguments.domains.split(",") if arguments.domains else [one for one in DOMAINS if one in made]
    return Plan(
        lines={cell: good.get(cell, line) for cell, line in lines.items() if cell.domain in domains},
        domains=tuple(domains),
        recipes=tuple(arguments.recipes.split(",")),
        near=tuple(arguments.on.split(",")),
        curves_of=arguments.curves_of,
        labels_of=arguments.labels_of,
        rounds=arguments.rounds,
    )


def gather(arguments: argparse.Namespace, plan: Plan, runs: Opened, without: Opened) -> Results:
    """The cells that the page may need, with those without pre-training of another grid."""
    results = _read(runs, arguments.seeds, list(plan.wanted()))
    if not without.folders:
        return results
    there = {row.name: replace(row, name=name) for row, name in plan.without()}
    bare = _read(without, arguments.seeds, list(there.values()))
    return joined(results, bare, {name: row.name for name, row in there.items()})


def _read(found: Opened, seeds: Sequence[int], rows: Sequence[Row]) -> Results:
    folders = [place for folder in found.folders for place in (folder, folder / "taggers")]
    return read_results(cells_files(found.folders), folders, seeds, merged(rows), found.notes)


def make(arguments: argparse.Namespace, runs: Opened, without: Opened) -> None:
    """Writes everything and says where it is."""
    plan = make_plan(arguments, runs.folders)
    if not plan.lines:
        sys.exit(
            "no encoders.jsonl of these folders has a line of these domains: `dapt_bench.py RUNS pretrain` writes it"
        )
    results = gather(arguments, plan, runs, without)
    look = Look("Pre-training on text of the domain: quality", "dapt", TITLES)
    for path in write(results, list(sections(results, plan)), arguments.output, arguments.name, arguments.note, look):
        print(path)
    path, encoder = arguments.output / f"rows-dapt-{arguments.name}.json", arguments.encoder or arguments.name
    print(
        write_rows(
            path, results, shared_rows(results, plan), encoder=encoder, note=arguments.note, untimed=arguments.untimed
        )
    )


@faults_said()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", help="folders of dapt_bench.py, or kept cells")
    parser.add_argument(
        "--without",
        type=Path,
        action="append",
        default=[],
        help="crossner_bench.py folder whose rows stand for those without pre-training, by the names of "
        "label_aware_grid.py; may be repeated",
    )
    parser.add_argument("--name", required=True, help="in the names of the files")
    parser.add_argument("--encoder", default="", help="what the encoder is called among all results; default: --name")
    parser.add_argument("--domains", default="", help="averaged over; default: those that have an encoder")
    parser.add_argument("--recipes", default=",".join(RECIPES), help="taggers of the tables of levels")
    parser.add_argument("--on", default="integrated-span", help="encoders, without domain, of the other experiments")
    parser.add_argument("--seeds", type=seeds, default=(1, 2, 3), help="seeds that were planned")
    parser.add_argument("--curves-of", default="ai", help="domain of the figures")
    parser.add_argument("--labels-of", default="ai", help="domain whose labels are compared")
    parser.add_argument("--rounds", type=int, default=10_000, help="of the paired test")
    parser.add_argument("--note", default="", help="first paragraph of the page: budget, encoder, text")
    add_untimed(parser)
    parser.add_argument("--output", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    with opened(arguments.runs) as runs, opened(arguments.without) as without:
        make(arguments, runs, without)


if __name__ == "__main__":
    main()
