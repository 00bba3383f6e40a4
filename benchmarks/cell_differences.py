"""What a finished cell was made with otherwise than it is asked for now: its line then answers another question.

Recipe, settings (of a key that is set twice the last one counts) and encoder are compared: by names alone where the
line's paths were made names (`kept_runs.without_paths`). Older lines say no encoder; then none is compared.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from cell_lines import Key
from crossner_cells import Cell
from kept_runs import without_paths

from nerbridge.errors import ConfigError

CHECKPOINT = "encoder.checkpoint"
# What is so anyway: unset, encoders that recording was tried with are recorded, and every multi-cell context is.
USUAL = ("encoder.record=true", "context.record=true")
SHOWN = 5


def refuse_others(cells: Iterable[Cell], done: Mapping[Key, dict[str, Any]], where: str) -> None:
    """Raises ConfigError where a finished cell was made with another recipe, other settings or another encoder.

    done: line of every finished cell. where: the file of these lines.
    """
    found = [
        f"{cell.name} {cell.domain} seed {cell.seed}: {'; '.join(said)}"
        for cell in cells
        if (said := differences(cell, done.get(cell.key, {})))
    ]
    if not found:
        return
    more = [f"... and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    number = f"{len(found)} finished cell{'s were' if len(found) > 1 else ' was'}"
    raise ConfigError(
        "\n    ".join([f"{number} made otherwise than asked for now", *found[:SHOWN], *more]),
        where=where,
        expected="lines with the recipe, the settings and the encoder that are asked for",
        hint="give the row another name (NAME=RECIPE ...), take another folder for these runs, or take the cells as "
        "they are: --accept-other-settings",
    )


def differences(cell: Cell, line: Mapping[str, Any]) -> list[str]:
    """Everything that differs, as 'key was a, now b'; none where the line does not say what it was made with."""
    said = []
    if line.get("recipe", cell.recipe) != cell.recipe:
        said.append(f"recipe was {line['recipe']}, now {cell.recipe}")
    if "settings" not in line:
        return said
    before, now = _by_key(line["settings"], line.get("encoder")), _by_key(cell.settings, cell.encoder)
    if "encoder" not in line and CHECKPOINT not in before:
        now.pop(CHECKPOINT, None)
    return said + settings_differ(before, now)


def settings_differ(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Texts of settings by key, which differ: 'key was a, now b'."""
    keys = [key for key in dict.fromkeys((*before, *now)) if not _same(before.get(key), now.get(key))]
    return [f"{key} was {_value(before.get(key))}, now {_value(now.get(key))}" for key in keys]


def _by_key(settings: Iterable[str], encoder: str | None) -> dict[str, str]:
    """The last setting of every key; an encoder stands before them, as on the command line."""
    texts = [*([f"{CHECKPOINT}={encoder}"] if encoder else []), *settings]
    last = {text.partition("=")[0]: text for text in texts}
    return {key: text for key, text in last.items() if text not in USUAL}


def _same(before: str | None, now: str | None) -> bool:
    return before == now or (now is not None and before == without_paths(now))


def _value(text: str | None) -> str:
    return "unset" if text is None else text.partition("=")[2]
