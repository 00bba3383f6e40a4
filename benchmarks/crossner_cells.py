"""The cells of `crossner_bench.py`: rows (a recipe and settings) x targets x seeds.

A row is 'NAME=RECIPE@TARGET,TARGET key=value ...'; name, targets and settings may be left out. RECIPE is a file under
recipes/crossner or recipes, without '.toml' (sequential-crf, mit/direct-linear). A TARGET is a CrossNER domain or any
registered data set (politics, mit_movie). Without targets a row takes those of --domains. '{domain}' in a setting is
the cell's target: a row may have an encoder for each of them.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cell_lines import Key

from nerbridge.config.experiment import Experiment
from nerbridge.config.loading import load_experiment

ROOT = Path(__file__).parents[1]
DOMAINS = ("politics", "science", "music", "literature", "ai")


def dataset_of(target: str) -> str:
    """'politics' -> 'crossner/politics'; other names are full already."""
    return f"crossner/{target}" if target in DOMAINS else target


@dataclass(frozen=True)
class RowText:
    """A row as it is asked for; targets: none, those of --domains."""

    name: str
    recipe: str
    targets: tuple[str, ...]
    settings: tuple[str, ...]


def gpus(text: str) -> tuple[int, ...]:
    """'4' -> the first four GPUs; '2,3' and '3,' -> those with these numbers."""
    return tuple(range(int(text))) if "," not in text else tuple(int(part) for part in text.split(",") if part)


def parse_rows(text: str) -> list[RowText]:
    """Rows separated by ';', or by ',' where there is no ';' and no '@'."""
    separator = ";" if ";" in text or "@" in text else ","
    return [parse_row(part) for part in text.split(separator) if part.strip()]


def parse_row(text: str) -> RowText:
    """One row; a setting 'target.dataset=...' is the row's target."""
    first, *rest = text.split()
    settings = tuple(one for one in rest if not one.startswith("target.dataset="))
    own = [one.partition("=")[2] for one in rest if one.startswith("target.dataset=")]
    name, _, place = first.rpartition("=")
    recipe, _, targets = place.partition("@")
    said = [f"{key.rpartition('.')[2]}{value}" for key, _, value in (one.partition("=") for one in settings)]
    return RowText(
        name or "-".join([recipe.replace("/", "-"), *said]),
        recipe,
        tuple(own or filter(None, targets.split(","))),
        settings,
    )


def recipe_path(recipe: str) -> Path:
    """The recipe's file: under recipes/crossner, else under recipes."""
    near = ROOT / "recipes" / "crossner" / f"{recipe}.toml"
    return near if near.exists() else ROOT / "recipes" / f"{recipe}.toml"


@dataclass(frozen=True)
class Cell:
    """One run. name: of its row in the tables; domain: short name of the target; settings: overrides.

    encoder: checkpoint; "" leaves the encoder of the recipe.
    """

    name: str
    recipe: str
    dataset: str
    seed: int
    settings: tuple[str, ...]
    encoder: str

    @property
    def domain(self) -> str:
        return self.dataset.removeprefix("crossner/").replace("/", "-")

    @property
    def key(self) -> Key:
        return self.name, self.domain, self.seed

    @property
    def overrides(self) -> list[str]:
        encoder = [f"encoder.checkpoint={self.encoder}"] if self.encoder else []
        first = [f"target.dataset={self.dataset}", *encoder, f"seed={self.seed}"]
        return [*first, *(setting.replace("{domain}", self.domain) for setting in self.settings)]

    @cached_property
    def experiment(self) -> Experiment:
        """Raises ConfigError where recipe or settings are wrong."""
        return load_experiment(recipe_path(self.recipe), self.overrides)

    def folder(self, runs: Path) -> Path:
        return runs / self.name / self.domain / f"seed-{self.seed}"

    def command(self, runs: Path, data_root: str) -> list[str]:
        sets = [part for override in self.overrides for part in ("--set", override)]
        places = ["--output", str(self.folder(runs)), "--data-root", data_root, "--cache", str(runs / "cache")]
        return [sys.executable, "-m", "nerbridge", "train", str(recipe_path(self.recipe)), *sets, *places, "--json"]


def cells(arguments: argparse.Namespace) -> Iterator[Cell]:
    """All cells, seed by seed, each row's targets together."""
    rows = parse_rows(arguments.recipes)
    repeated = {row.name for row in rows if sum(row.name == other.name for other in rows) > 1}
    if repeated:
        sys.exit(f"two rows are called {', '.join(sorted(repeated))}")
    for seed in arguments.seeds:
        for row in rows:
            for target in row.targets or arguments.domains:
                settings = (*arguments.set, *row.settings)
                yield Cell(row.name, row.recipe, dataset_of(target), seed, settings, arguments.encoder)
