"""What the scripts that make a page of a grid's runs are all asked: which runs, and where the page goes."""

import argparse
from pathlib import Path

from option_types import seeds

RESULTS = Path(__file__).parent / "results"


def tables_parser(description: str | None) -> argparse.ArgumentParser:
    """A parser of the arguments that all of them have; `seeds` comes out as numbers."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, nargs="+", help="cells.jsonl files of crossner_bench.py, kept cells")
    parser.add_argument("--predictions", type=Path, action="append", default=[], help="folder of runs; may be repeated")
    parser.add_argument("--name", required=True, help="in the names of the files")
    parser.add_argument("--seeds", type=seeds, default=(1, 2, 3), help="seeds that were planned")
    parser.add_argument("--rounds", type=int, default=10_000, help="of the paired test")
    parser.add_argument("--note", default="", help="first paragraph of the page")
    parser.add_argument("--output", type=Path, default=RESULTS)
    return parser
