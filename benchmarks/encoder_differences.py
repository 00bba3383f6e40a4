"""What a finished encoder was made with otherwise than it is asked for now: it is then another encoder.

Its own pretraining.json says settings and encoder; how often checkpoints are written changes nothing, and a setting
that it does not name yet is not compared.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cell_differences import SHOWN
from dapt_cells import FINISHED, Cell

from nerbridge.config.pretraining_loading import pretraining_settings
from nerbridge.errors import ConfigError


def refuse_others(cells: Iterable[Cell], runs: Path, encoder: str, settings: Sequence[str]) -> None:
    """Raises ConfigError where a finished encoder is of other settings or was another one before.

    encoder: what goes on learning. settings: of every pre-training, beside its masking.
    """
    found = []
    for cell in cells:
        now = settings_of(cell, settings)
        if said := differences(made_with(cell.encoder(runs)), {"encoder": encoder, "settings": now}):
            found.append(f"{cell.name}: {'; '.join(said)}")
    if not found:
        return
    more = [f"... and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    number = f"{len(found)} finished encoder{'s were' if len(found) > 1 else ' was'}"
    raise ConfigError(
        "\n    ".join([f"{number} made otherwise than asked for now", *found[:SHOWN], *more]),
        where=str(runs / "encoders"),
        expected="encoders with the settings and the encoder that are asked for",
        hint="give the new ones another name (--name-suffix), or take these as they are: --accept-other-settings",
    )


def settings_of(cell: Cell, settings: Sequence[str]) -> dict[str, Any]:
    """All settings of a pre-training, as its pretraining.json has them. Raises ConfigError where one is wrong."""
    made = pretraining_settings([f"masking={cell.masking}", *settings])
    return made.model_dump(mode="json", exclude={"checkpoint_seconds"})


def made_with(folder: Path) -> dict[str, Any]:
    """What a finished encoder says of itself; nothing where there is none, or it is damaged."""
    try:
        content = json.loads((folder / FINISHED).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Everything that both say and that differs, as 'key was a, now b'."""
    texts = [*_both(before, now, ["encoder"])]
    if isinstance(there := before.get("settings"), dict):
        texts += _both(there, now["settings"], list(now["settings"]))
    return texts


def _both(before: Mapping[str, Any], now: Mapping[str, Any], keys: Sequence[str]) -> Iterable[str]:
    return (f"{key} was {before[key]}, now {now[key]}" for key in keys if key in before and before[key] != now[key])
