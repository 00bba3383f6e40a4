"""Recipe files: TOML -> Experiment, with overrides and errors that name the file, the key and the way out."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from nerbridge.config.effects import refuse_idle
from nerbridge.config.experiment import Experiment
from nerbridge.config.faults import RECIPE_HINT, config_error
from nerbridge.config.missing import missing_recipe, recipe_folder
from nerbridge.config.places import anchored
from nerbridge.errors import ConfigError


def load_experiment(path: Path, overrides: Sequence[str] = ()) -> Experiment:
    """The experiment of a recipe file after `overrides` such as 'training.target.epochs=5'.

    Relative paths start from the recipe's folder where the recipe has them, and from the current one in overrides.
    Raises ConfigError for a missing or malformed file, unknown keys, values out of range, and overrides of stages that
    do not run.
    """
    try:
        experiment = parse_experiment(apply_overrides(read_recipe(path), overrides), where=str(path))
    except RecursionError:
        raise _unreadable(path, "its tables are nested too deeply") from None
    refuse_idle(experiment, overrides)
    return experiment


def read_recipe(path: Path) -> dict[str, Any]:
    """The tables of a recipe file, its relative paths taken from its folder. Raises ConfigError."""
    folder = path.parent if path.is_file() else Path()  # a pipe lies nowhere
    return anchored(read_toml(path), folder)


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file. Raises ConfigError when it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise missing_recipe(path) from None
    except IsADirectoryError:
        raise recipe_folder(path) from None
    except (OSError, ValueError, RecursionError) as fault:
        raise _unreadable(path, str(fault)) from None


def _unreadable(path: Path, reason: str) -> ConfigError:
    return ConfigError(
        f"the recipe cannot be read: {reason}",
        where=str(path),
        expected="a TOML file in UTF-8",
        hint="see docs/recipes.md for an example",
    )


def apply_overrides(tables: dict[str, Any], overrides: Sequence[str]) -> dict[str, Any]:
    """A copy of `tables` with 'dotted.key=value' applied; values are TOML, a bare word is a string.

    Relative paths that are left then start from the current folder. Raises ConfigError for an override of another form.
    """
    result: dict[str, Any] = _deep_copy(tables)
    for override in overrides:
        key, sign, text = override.partition("=")
        if not sign or not key.strip():
            raise ConfigError(
                f"override '{override}' has no '='",
                where="--set",
                expected="key=value, such as seed=2",
                hint="quote it when it holds spaces: --set 'target.dataset=\"crossner/ai\"'",
            )
        _assign(result, key.strip().split("."), parse_value(text.strip()), override)
    return anchored(result, Path())


def parse_experiment(tables: dict[str, Any], *, where: str, hint: str = RECIPE_HINT) -> Experiment:
    """Validated settings. where, hint: for the ConfigError that lists every wrong key at once."""
    try:
        return Experiment.model_validate(tables)
    except ValidationError as fault:
        raise config_error(fault, tables, where, hint) from None


def parse_value(text: str) -> Any:
    """What an override's text stands for: a TOML value, or the text itself where it is none."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):  # no TOML, or a number or nesting beyond all bounds
        return text


def _assign(tables: dict[str, Any], keys: list[str], value: Any, override: str) -> None:
    node: Any = tables
    for key in keys[:-1]:
        node = _below(node, key)
        if not isinstance(node, dict | list):
            raise ConfigError(
                f"override '{override}' goes through '{key}', which is no table",
                where="--set",
                expected="a dotted path of tables",
                hint="look at the recipe's own keys",
            )
    if isinstance(node, list):
        raise ConfigError(
            f"override '{override}' ends in a list",
            where="--set",
            expected="a key of a table",
            hint='name the element and its key, such as source.0.datasets=["conll2003"]',
        )
    node[keys[-1]] = value


def _below(node: Any, key: str) -> Any:
    """The value under `key`, a new table where a table has none; None where there is nothing to go through."""
    if isinstance(node, list):
        return node[int(key)] if key.isdigit() and int(key) < len(node) else None
    return node.setdefault(key, {})


def _deep_copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _deep_copy(inner) for key, inner in value.items()}
    return [_deep_copy(inner) for inner in value] if isinstance(value, list) else value
