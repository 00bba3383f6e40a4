"""Which DBpedia class means which label: the tables shipped here for CrossNER's domains, or a file of the user's."""

import tomllib
from importlib.resources import files
from pathlib import Path

from nerbridge.config.loading import read_toml
from nerbridge.corpus.gazetteer_cleaning import check_label
from nerbridge.errors import ConfigError

GENERAL = "general"
PREFIX = "crossner/"


def load_classes(name: str) -> dict[str, str]:
    """Class -> label: of 'crossner/music' and the like, or of a TOML file with lines such as Guitarist = 'person'.

    Raises ConfigError when there is no such table, DataError for a label that cannot be one.
    """
    if name.startswith(PREFIX):
        return _shipped(name)
    tables = read_toml(Path(name))
    wrong = [key for key, label in tables.items() if not isinstance(label, str)]
    if wrong or not tables:
        raise ConfigError(
            f"the class '{wrong[0]}' has no label" if wrong else "the table of classes is empty",
            where=name,
            expected="lines of a class and its label in quotation marks",
            hint="Guitarist = 'person'",
        )
    for key, label in tables.items():
        check_label(label, f"{name}, class {key}")
    return tables


def _shipped(name: str) -> dict[str, str]:
    text = files("nerbridge.corpus").joinpath("dbpedia_classes.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    domain = name.removeprefix(PREFIX)
    domains = [key for key in tables if key != GENERAL]
    if domain not in domains:
        raise ConfigError(
            f"there is no table of classes '{name}'",
            where="--classes",
            expected=f"one of {', '.join(PREFIX + key for key in domains)}, or a TOML file",
            hint="write a file of your own, with lines such as: Guitarist = 'person'",
        )
    return {**tables[GENERAL], **tables[domain]}
