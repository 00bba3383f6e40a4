"""The experiments on the multi-cell LSTM (Jia and Zhang 2020): which rows each of them is made of.

    python benchmarks/multi_cell_grid.py supervised zero-shot [--corpora FOLDER] [--vectors FILE:NUMBER]
    python benchmarks/multi_cell_grid.py tuning [--corpora FOLDER] [--vectors FILE:NUMBER]
    python benchmarks/multi_cell_grid.py crossner mit [--pretrained 'ENCODERS/{domain}-integrated-span']

prints the rows as `crossner_bench.py --recipes` takes them; `multi_cell_tables.py` makes tables and figures of the
runs. A row that several experiments need is named once. Raw text is FOLDER/tech, a corpus that `nerbridge corpus build`
has written, and FOLDER/ai-names its gazetteers; `light_texts.py` makes both. Rows of crossner and mit want
`crossner_bench.py --encoder`, the others want none: run them apart. --pretrained adds the rows of crossner over an
encoder of its own for each domain.
"""

from functools import partial

from label_aware_grid import Row
from light_grid import grid_parser, print_selection, with_vectors
from light_rows import USUAL, Places
from multi_cell_rows import (
    ablation_rows,
    dictionary_rows,
    feature_rows,
    pretrained_rows,
    system_rows,
    zero_shot_rows,
)
from multi_cell_tuning import tuning_rows

LIGHT = ("supervised", "ablations", "zero-shot", "dictionaries")
NAMES = ("tuning", *LIGHT, "crossner", "mit")


def rows_of(name: str, places: Places = USUAL, pretrained: str = "") -> list[Row]:
    """The rows of an experiment, in the order of its table."""
    match name:
        case "tuning":
            rows = tuning_rows(places)
        case "supervised":
            rows = system_rows()
        case "ablations":
            rows = ablation_rows(places)
        case "zero-shot":
            rows = zero_shot_rows(places)
        case "dictionaries":
            rows = [row for pair in dictionary_rows(places).values() for row in pair]
        case "crossner" | "mit":
            rows = feature_rows(name)
            return [*rows, *(pretrained_rows(rows, pretrained) if pretrained and name == "crossner" else [])]
        case _:
            raise ValueError(f"no experiment is called '{name}'")
    return [with_vectors(row, places) for row in rows]


def main() -> None:
    parser = grid_parser(__doc__, NAMES)
    parser.add_argument("--pretrained", default="", help="encoders of CrossNER's domains: .../{domain}-KIND")
    arguments = parser.parse_args()
    print_selection(arguments, partial(rows_of, pretrained=arguments.pretrained))


if __name__ == "__main__":
    main()
