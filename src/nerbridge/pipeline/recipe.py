"""Recipes as TOML files: what a run did, ready to be run again."""

from pathlib import Path
from typing import Any

import tomli_w

from nerbridge.config.experiment import Experiment
from nerbridge.config.places import portable
from nerbridge.evaluation.files import write_text


def write_recipe(path: Path, experiment: Experiment, *, comment: str = "") -> None:
    """Write `experiment` as a recipe that `nerbridge train` runs; settings equal to their defaults are left out.

    What lies beside the recipe's folder is named from there, so that it may be moved with its data.
    """
    tables = portable(recipe_tables(experiment), path.parent)
    head = "".join(f"# {line}\n" for line in comment.splitlines())
    write_text(path, head + tomli_w.dumps(tables))


def recipe_tables(experiment: Experiment) -> dict[str, Any]:
    """The tables of a recipe. `kind` keys always stand, so that a reader sees which variant is meant."""
    tables: dict[str, Any] = _written(experiment.model_dump(mode="json", exclude_defaults=True))
    for key in ("encoder", "context", "tagger", "transfer"):
        tables[key] = {"kind": getattr(experiment, key).kind, **tables.get(key, {})}
    plan = tables.pop("training", {})
    training = {**plan.get("base", {}), **{k: v for k, v in plan.items() if k != "base" and v}}
    return {**tables, "training": training} if training else tables


def _written(value: Any) -> Any:
    """TOML has no null: the word "none" stands for it, where a default is something else."""
    match value:
        case None:
            return "none"
        case dict():
            return {key: _written(inner) for key, inner in value.items()}
        case list():
            return [_written(inner) for inner in value]
        case _:
            return value
