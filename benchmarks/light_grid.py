"""The experiments on light taggers, multi-task transfer and parameter generation: which rows each of them is made of.

    python benchmarks/light_grid.py bionlp scitech [--corpora FOLDER] [--tuned key=value] [--suffix NAME]

prints the rows as `crossner_bench.py --recipes` takes them; `light_tables.py` makes tables and figures of the runs.
A row that several experiments need is named once. Raw text is read from FOLDER/tech, FOLDER/newswire and FOLDER/DOMAIN,
corpora that `nerbridge corpus build` has written, and so many sentences of each are drawn that all sides have as many.
A row whose recipe is not there is left out. --tuned is set for rows that have streams, --suffix put behind their names.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace

from crossner_cells import recipe_path
from label_aware_grid import Row, merged
from light_rows import CORPORA, bionlp_rows, crossner_rows, mit_rows, raw_rows, scitech_rows, size_rows
from light_tuning import tuning_rows

NAMES = ("tuning", "bionlp", "scitech", "crossner", "mit", "sizes", "raw")


def rows_of(name: str, *, corpora: str = CORPORA, tuned: Sequence[str] = (), suffix: str = "") -> list[Row]:
    """The rows of an experiment, in the order of its table, as far as their recipes are there."""
    match name:
        case "tuning":
            rows = tuning_rows(corpora)
        case "bionlp":
            rows = bionlp_rows()
        case "scitech":
            rows = scitech_rows(corpora)
        case "crossner":
            rows = crossner_rows(corpora)
        case "mit":
            rows = mit_rows()
        case "sizes":
            rows = size_rows()
        case "raw":
            rows = raw_rows(corpora)
        case _:
            raise ValueError(f"no experiment is called '{name}'")
    return [_with(row, tuned, suffix) for row in rows if recipe_path(row.recipe).exists()]


def _with(row: Row, tuned: Sequence[str], suffix: str) -> Row:
    if not suffix or "multi_task" not in recipe_path(row.recipe).read_text(encoding="utf-8"):
        return row
    return replace(row, name=row.name + suffix, suffix=suffix, settings=(*row.settings, *tuned))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="+", choices=NAMES)
    parser.add_argument("--corpora", default=CORPORA)
    parser.add_argument("--tuned", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--suffix", default="")
    parser.add_argument("--only", default="", help="names of rows, separated by ','; default: all")
    arguments = parser.parse_args()
    if arguments.tuned and not arguments.suffix:
        parser.error("--tuned needs a --suffix: other settings are other rows")
    options = {"corpora": arguments.corpora, "tuned": arguments.tuned, "suffix": arguments.suffix}
    rows = [row for name in arguments.experiments for row in rows_of(name, **options)]
    wanted = set(filter(None, arguments.only.split(",")))
    print(";".join(row.text() for row in merged(rows) if not wanted or row.plain in wanted))


if __name__ == "__main__":
    main()
