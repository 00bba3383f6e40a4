"""The part of an adaptation that raw text takes: the tables of a recipe, with defaults for a laptop."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nerbridge.errors import ConfigError

# How much is learnt, by name: what differs from the defaults of [pretraining].
AMOUNTS: Mapping[str, Mapping[str, Any]] = {
    # at most 200 steps of 4,096 pieces (0.8 million), minutes on a laptop's CPU with a small encoder
    "short": {"max_steps": 200, "batch_rows": 16, "head_steps": 60, "evaluate_every": 100},
    "standard": {},
    "full": {"max_steps": "none"},
}


def raw_tables(
    raw: Sequence[str], gazetteer: Sequence[str], level: str | None, amount: str | None = None
) -> dict[str, Any]:
    """The tables [corpus], [gazetteer], [selection] and [pretraining]; none without raw text.

    amount: of pre-training, a name of `AMOUNTS`; None is "short".
    Raises ConfigError for another amount, for lists, a level or an amount without raw text, and for paths that do not
    exist.
    """
    if amount is not None and amount not in AMOUNTS:
        raise ConfigError(
            f"'{amount}' is no amount of pre-training",
            where="--pretraining",
            expected=f"one of {', '.join(AMOUNTS)}",
            hint="single settings: --set pretraining.max_steps=500, pretraining.epochs=3, ... (docs/pretraining.md)",
        )
    if not raw:
        _refuse_idle(gazetteer, level, amount)
        return {}
    check_lists(gazetteer, "labelled sentences and a first tagger name what to look for")
    check_raw(raw)
    tables: dict[str, Any] = {"corpus": {"files": [whole(path) for path in raw]}}
    if gazetteer:
        tables["gazetteer"] = {"files": [whole(path) for path in gazetteer]}
    if level is not None:
        tables["selection"] = {"level": level}
    return {**tables, "pretraining": dict(AMOUNTS[amount or "short"])}


def check_raw(raw: Sequence[str]) -> None:
    """Raises ConfigError for a path of raw text that is empty."""
    if "" in raw:
        raise ConfigError(
            "a path of raw text is empty",
            where="--raw",
            expected="a file, a folder or a pattern",
            hint="'.' is the current folder; is a variable of the shell not set?",
        )


def check_lists(paths: Sequence[str], otherwise: str) -> None:
    """Raises ConfigError for lists of names that are not there. otherwise: what teaches names without --gazetteer."""
    for path in paths:
        if not path or not Path(path).exists():
            raise ConfigError(
                f"there are no lists of names at '{path}'",
                where="--gazetteer",
                expected="a folder of <label>.txt, or a file of names; docs/gazetteers.md lists the kinds",
                hint=f"check the path; without --gazetteer, {otherwise}",
            )


def whole(path: str) -> str:
    """The absolute path; links stay, because those that a shell makes for pipes have no other name."""
    return os.path.abspath(path)  # noqa: PTH100 (`resolve` follows links, `absolute` keeps '..')


def _refuse_idle(gazetteer: Sequence[str], level: str | None, amount: str | None) -> None:
    options = {"--gazetteer": gazetteer, "--level": level, "--pretraining": amount}
    given = [name for name, value in options.items() if value]
    if given:
        raise ConfigError(
            f"{' and '.join(given)} {'has' if len(given) == 1 else 'have'} no effect without raw text",
            where="nerbridge adapt",
            expected="--raw FILE: sentences are chosen from it by names and by level, and learnt",
            hint=f"add --raw, or drop {' and '.join(given)}",
        )
