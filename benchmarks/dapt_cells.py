"""The encoders of `dapt_bench.py` and the rows of taggers on them: how both are named.

An encoder is DOMAIN-KIND; its kind is LEVEL-MASKING[-shareN][-SUFFIX], as in ai-integrated-span-share25-full. A row of
taggers is KIND-TAGGER, or none-TAGGER without pre-training: one name for all domains, each with an encoder of its own.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from crossner_cells import RowText, parse_rows
from dapt_grid import NONE, rows_of
from json_lines import read_lines

LEVELS = ("domain", "entity", "task", "integrated")
MASKINGS = ("span", "token")
FINISHED = "pretraining.json"  # in the folder of an encoder that is whole


class Cell(NamedTuple):
    """One pre-training. share: percent of the corpus; suffix: tells other budgets or settings apart."""

    domain: str
    level: str
    masking: str
    share: int = 100
    suffix: str = ""

    @property
    def kind(self) -> str:
        """The name without the domain."""
        share = f"share{self.share}" if self.share != 100 else ""
        return "-".join(filter(None, (self.level, self.masking, share, self.suffix)))

    @property
    def name(self) -> str:
        return f"{self.domain}-{self.kind}"

    def corpus(self, runs: Path) -> Path:
        return share_folder(runs, self.domain, self.share) / self.level

    def encoder(self, runs: Path) -> Path:
        return runs / "encoders" / self.name

    def is_made(self, runs: Path) -> bool:
        return (self.encoder(runs) / FINISHED).exists()


def encoder_lines(paths: Sequence[Path]) -> list[tuple[Cell, dict[str, Any]]]:
    """The lines that `dapt_bench.py pretrain` wrote, in order; those of `damaged_encoders` are left out."""
    found = [line for path in paths for line in read_lines(path)]
    return [(encoder_of(line), line) for line in found if line is not None and _is_sound(line)]


def damaged_encoders(paths: Sequence[Path]) -> int:
    """The number of lines that are damaged or no encoder's."""
    return sum(line is None or not _is_sound(line) for path in paths for line in read_lines(path))


def encoder_of(line: dict[str, Any]) -> Cell:
    """The encoder that a line is of. Raises KeyError or ValueError where it is of none."""
    cell = Cell(*(line[name] if name in line else Cell._field_defaults[name] for name in Cell._fields))
    texts = (cell.domain, cell.level, cell.masking, cell.suffix)
    if not isinstance(cell.share, int) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{cell} is no encoder")
    return cell


def _is_sound(line: dict[str, Any]) -> bool:
    try:
        encoder_of(line)
    except (KeyError, ValueError):
        return False
    return True


def share_folder(runs: Path, domain: str, share: int) -> Path:
    """The folder of a domain's levels, of all its text or of a share of it."""
    return runs / "levels" / (domain if share == 100 else f"{domain}-share{share}")


def cells(arguments: argparse.Namespace) -> Iterator[Cell]:
    """The most telling ones first: a bench that is stopped early has them."""
    levels = sorted(arguments.levels, key=lambda level: -LEVELS.index(level))
    maskings = sorted(arguments.maskings, key=MASKINGS.index)
    shares = sorted(arguments.share, reverse=True)
    chosen = product(shares, levels, maskings, arguments.domains)
    return (Cell(domain, level, masking, share, arguments.name_suffix) for share, level, masking, domain in chosen)


def tagger_texts(arguments: argparse.Namespace) -> list[str]:
    """The rows as `crossner_bench.py --recipes` takes them, for the encoders that are there.

    On every chosen encoder and without pre-training: `--recipes`. On the kinds of `--on` and without pre-training: the
    experiments, those with a curve for the domain `--curves-of` alone, and `--rows`. With `--pretrained-only`, none
    without pre-training.
    """
    chosen = list(dict.fromkeys(cell.kind for cell in cells(arguments)))
    near = [row for name in arguments.experiments for row in rows_of(name, arguments.curves_of)]
    near += [row for text in arguments.rows for row in parse_rows(text)]
    bare = () if arguments.pretrained_only else (NONE,)
    asked = [*product((*bare, *chosen), parse_rows(arguments.recipes))]
    asked += product((*bare, *filter(None, arguments.on.split(","))), near)
    rows: dict[str, RowText] = {}
    for kind, row in asked:
        one = placed(kind, row, arguments)
        before = rows.get(one.name, one)
        rows[one.name] = replace(one, targets=tuple(dict.fromkeys((*before.targets, *one.targets))))
    return [row_text(row) for row in rows.values() if row.targets]


def placed(kind: str, row: RowText, arguments: argparse.Namespace) -> RowText:
    """The row on one kind of encoder, for the domains that have it. The row's own settings stay the last ones."""
    folder = arguments.runs.resolve() / "encoders"
    wanted = row.targets or arguments.domains
    targets = tuple(one for one in wanted if kind == NONE or (folder / f"{one}-{kind}" / FINISHED).exists())
    encoder = () if kind == NONE else (f"encoder.checkpoint={folder / ('{domain}-' + kind)}",)
    return RowText(f"{kind}-{row.name}", row.recipe, targets, (*encoder, *row.settings))


def row_text(row: RowText) -> str:
    """'NAME=RECIPE@TARGET,TARGET key=value ...'."""
    return " ".join([f"{row.name}={row.recipe}@{','.join(row.targets)}", *row.settings])
