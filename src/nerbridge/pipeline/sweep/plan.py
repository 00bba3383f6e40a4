"""A recipe and what is varied -> cells, every one of them checked before the first is trained."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from nerbridge.config.effects import idle_tables, is_idle, refuse_equal_seeds, refuse_idle
from nerbridge.config.experiment import Experiment
from nerbridge.config.faults import fault_lines
from nerbridge.config.loading import apply_overrides, read_recipe
from nerbridge.errors import ConfigError
from nerbridge.pipeline.sweep.naming import cell_names, short_keys
from nerbridge.pipeline.sweep.variations import Variation

SHOWN = 5  # faults that a message lists


@dataclass(frozen=True)
class Cell:
    """One run. choices: dotted key -> value as written; name: of all its seeds together; folder: of this seed's run."""

    choices: Mapping[str, str]
    name: str
    experiment: Experiment
    folder: Path

    @property
    def seed(self) -> int:
        return self.experiment.seed

    @property
    def log(self) -> Path:
        """The file with everything that the run says."""
        return self.folder.with_name(f"{self.folder.name}.log")

    def __str__(self) -> str:
        return f"{self.name}, seed {self.seed}"


@dataclass(frozen=True)
class SweepPlan:
    """What is to be done in `folder`; cells stand in the order of the table, the seeds of one setting together."""

    folder: Path
    recipe: Path
    overrides: tuple[str, ...]
    variations: tuple[Variation, ...]
    seeds: tuple[int, ...]
    cells: tuple[Cell, ...]

    @property
    def settings(self) -> list[tuple[Cell, ...]]:
        """The cells of each setting, one per seed."""
        number = len(self.seeds)
        return [self.cells[start : start + number] for start in range(0, len(self.cells), number)]

    @property
    def shorts(self) -> dict[str, str]:
        """Dotted key -> its name in tables."""
        return short_keys([variation.key for variation in self.variations])


def plan_sweep(
    recipe: Path,
    variations: Sequence[Variation],
    *,
    seeds: Sequence[int] = (),
    overrides: Sequence[str] = (),
    folder: Path | None = None,
) -> SweepPlan:
    """All cells: the product of the variations, each with every seed (by default the recipe's own).

    folder: by default runs/NAME-by-KEYS. Raises ConfigError with all that is wrong in any of the cells.
    """
    base = apply_overrides(read_recipe(recipe), overrides)
    chosen = [
        dict(zip([v.key for v in variations], texts, strict=True)) for texts in product(*(v.texts for v in variations))
    ]
    names = cell_names(chosen)
    experiments = _experiments(recipe, base, chosen, names)
    _refuse_idle(experiments, variations, overrides)
    _refuse_equals(recipe, experiments, chosen)
    seeds = seeds or (experiments[0].seed,)
    for experiment in experiments:
        refuse_equal_seeds(experiment, seeds)
    keys = "-".join(short_keys([variation.key for variation in variations]).values())
    folder = folder or Path("runs") / f"{experiments[0].name}-by-{keys}"
    cells = tuple(
        Cell(choices, name, experiment.model_copy(update={"seed": seed}), folder / name / f"seed-{seed}")
        for choices, name, experiment in zip(chosen, names, experiments, strict=True)
        for seed in seeds
    )
    return SweepPlan(folder, recipe, tuple(overrides), tuple(variations), tuple(seeds), cells)


def _experiments(
    recipe: Path, base: Mapping[str, Any], chosen: Sequence[Mapping[str, str]], names: Sequence[str]
) -> list[Experiment]:
    experiments: list[Experiment] = []
    faults: dict[str, list[str]] = {}
    for choices, name in zip(chosen, names, strict=True):
        tables = _tables(base, choices)
        try:
            experiments.append(Experiment.model_validate(tables))
        except ValidationError as fault:
            for line in fault_lines(fault, tables):
                faults.setdefault(line, []).append(name)
    if faults:
        raise _many_faults(recipe, faults, len(names))
    return experiments


def _tables(base: Mapping[str, Any], choices: Mapping[str, str]) -> dict[str, Any]:
    try:
        return apply_overrides(dict(base), [f"{key}={text}" for key, text in choices.items()])
    except ConfigError as fault:
        raise ConfigError(fault.what, where="--vary", expected=fault.expected, hint=fault.hint) from None


def _many_faults(recipe: Path, faults: Mapping[str, Sequence[str]], number: int) -> ConfigError:
    lines = [
        line if len(names) == number else f"{line} ({names[0]}{f' and {len(names) - 1} more' if names[1:] else ''})"
        for line, names in list(faults.items())[:SHOWN]
    ]
    rest = [f"... and {len(faults) - SHOWN} more"] if len(faults) > SHOWN else []
    wrong = len({name for names in faults.values() for name in names})
    return ConfigError(
        f"{wrong} of {number} settings of the sweep cannot be used:\n    " + "\n    ".join([*lines, *rest]),
        where=f"{recipe} with --vary",
        expected="the keys and values listed in docs/recipes.md, in every cell; nothing was trained",
        hint="correct --vary, or the recipe",
    )


def _refuse_idle(experiments: Sequence[Experiment], variations: Sequence[Variation], overrides: Sequence[str]) -> None:
    """Raises ConfigError for a key, varied or set, that belongs to a stage which no cell runs."""
    for override in overrides:
        if all(is_idle(override.partition("=")[0].strip(), one) for one in experiments):
            refuse_idle(experiments[0], [override])
    for variation in variations:
        if all(is_idle(variation.key, one) for one in experiments):
            try:
                refuse_idle(experiments[0], [f"{variation.key}={','.join(variation.texts)}"])
            except ConfigError as fault:
                hint = fault.hint.replace("--set", "--vary")
                raise ConfigError(fault.what, where="--vary", expected=fault.expected, hint=hint) from None


def _refuse_equals(recipe: Path, experiments: Sequence[Experiment], chosen: Sequence[Mapping[str, str]]) -> None:
    seen: dict[str, str] = {}
    for experiment, choices in zip(experiments, chosen, strict=True):
        content, written = _content(experiment), ", ".join(f"{key}={text}" for key, text in choices.items())
        if content in seen:
            raise ConfigError(
                f"{seen[content]} and {written} are one and the same setting",
                where=f"{recipe} with --vary",
                expected="different settings in all cells",
                hint="drop one of the two values",
            )
        seen[content] = written


def _content(experiment: Experiment) -> str:
    """The settings as JSON, without those of stages that do not run."""
    idle: dict[str, Any] = {table.split(".")[1]: {} for table in idle_tables(experiment.transfer.kind)}
    training = experiment.training.model_copy(update=idle)
    return experiment.model_copy(update={"training": training}).model_dump_json()
