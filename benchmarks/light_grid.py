"""The experiments on light taggers, multi-task transfer and parameter generation: which rows each of them is made of.

    python benchmarks/light_grid.py bionlp scitech [--corpora FOLDER] [--vectors FILE:NUMBER]

prints the rows as `crossner_bench.py --recipes` takes them; `light_tables.py` makes tables and figures of the runs.
A row that several experiments need is named once. Raw text is read from FOLDER/tech, FOLDER/newswire and FOLDER/DOMAIN,
corpora that `nerbridge corpus build` has written, and so many sentences of each are drawn that all sides have as many.
A row whose recipe is not there is left out.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace

from crossner_cells import recipe_path
from label_aware_grid import Row, merged
from light_rows import USUAL, Places, bionlp_rows, crossner_rows, mit_rows, raw_rows, scitech_rows, size_rows
from light_tuning import tuning_rows

NAMES = ("tuning", "bionlp", "scitech", "crossner", "mit", "sizes", "raw")


def rows_of(name: str, places: Places = USUAL) -> list[Row]:
    """The rows of an experiment, in the order of its table, as far as their recipes are there."""
    match name:
        case "tuning":
            rows = tuning_rows(places)
        case "bionlp":
            rows = bionlp_rows(places)
        case "scitech":
            rows = scitech_rows(places)
        case "crossner":
            rows = crossner_rows(places)
        case "mit":
            rows = mit_rows()
        case "sizes":
            rows = size_rows(places)
        case "raw":
            rows = raw_rows(places)
        case _:
            raise ValueError(f"no experiment is called '{name}'")
    return [with_vectors(row, places) for row in rows if recipe_path(row.recipe).exists()]


def with_vectors(row: Row, places: Places) -> Row:
    """The row with the word vectors of `places`; its own settings stay the last ones."""
    if places.vectors == USUAL.vectors:
        return row
    encoder = "encoder.parts.0" if any(one.startswith("encoder.parts.") for one in row.settings) else "encoder"
    own = tuple(f"{encoder}.{key}={value}" for key, value in places.word_vectors.items())
    return replace(row, settings=(*own, *row.settings))


def grid_parser(description: str | None, names: Sequence[str]) -> argparse.ArgumentParser:
    """A parser of what `print_selection` reads. names: of the experiments that there are."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="+", choices=names)
    parser.add_argument("--corpora", default=USUAL.corpora)
    parser.add_argument("--vectors", default=USUAL.vectors)
    parser.add_argument("--only", default="", help="names of rows, separated by ','; default: all")
    return parser


def print_selection(arguments: argparse.Namespace, rows_of: Callable[[str, Places], list[Row]]) -> None:
    """Writes the rows of the experiments that were asked for to stdout, each once; of them what --only names."""
    places = Places(arguments.corpora, arguments.vectors)
    rows = merged([row for name in arguments.experiments for row in rows_of(name, places)])
    wanted = set(filter(None, arguments.only.split(",")))
    print(";".join(row.text() for row in rows if not wanted or row.name in wanted))


def main() -> None:
    print_selection(grid_parser(__doc__, NAMES).parse_args(), rows_of)


if __name__ == "__main__":
    main()
