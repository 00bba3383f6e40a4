"""The part of an adaptation that raw text takes: the tables of a recipe, with defaults for a laptop."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nerbridge.errors import ConfigError

# Of `adapt` alone: at most 200 steps of 4,096 pieces (0.8 million), minutes on a laptop's CPU with a small encoder.
SMALL_PRETRAINING: Mapping[str, Any] = {"max_steps": 200, "batch_rows": 16, "head_steps": 60, "evaluate_every": 100}


def raw_tables(raw: Sequence[str], gazetteer: Sequence[str], level: str | None) -> dict[str, Any]:
    """The tables [corpus], [gazetteer], [selection] and [pretraining]; none without raw text.

    Raises ConfigError for lists or a level without raw text, and for paths that do not exist.
    """
    if not raw:
        _refuse_idle(gazetteer, level)
        return {}
    for path in gazetteer:
        _require_list(path)
    if "" in raw:
        raise ConfigError(
            "a path of raw text is empty",
            where="--raw",
            expected="a file, a folder or a pattern",
            hint="'.' is the current folder; is a variable of the shell not set?",
        )
    tables: dict[str, Any] = {"corpus": {"files": [whole(path) for path in raw]}}
    if gazetteer:
        tables["gazetteer"] = {"files": [whole(path) for path in gazetteer]}
    if level is not None:
        tables["selection"] = {"level": level}
    return {**tables, "pretraining": dict(SMALL_PRETRAINING)}


def whole(path: str) -> str:
    """The absolute path; links stay, because those that a shell makes for pipes have no other name."""
    return os.path.abspath(path)  # noqa: PTH100 (`resolve` follows links, `absolute` keeps '..')


def _refuse_idle(gazetteer: Sequence[str], level: str | None) -> None:
    given = [name for name, value in (("--gazetteer", gazetteer), ("--level", level)) if value]
    if given:
        raise ConfigError(
            f"{' and '.join(given)} {'has' if len(given) == 1 else 'have'} no effect without raw text",
            where="nerbridge adapt",
            expected="--raw FILE, whose sentences are chosen by names and by level",
            hint=f"add --raw, or drop {' and '.join(given)}",
        )


def _require_list(path: str) -> None:
    if not path or not Path(path).exists():
        raise ConfigError(
            f"there are no lists of names at '{path}'",
            where="--gazetteer",
            expected="a folder of <label>.txt, or a file of names; docs/gazetteers.md lists the kinds",
            hint="check the path; without --gazetteer, labelled sentences and a first tagger name what to look for",
        )
