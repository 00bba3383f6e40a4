"""A run folder belongs to one experiment: claimed before anything is written, and told apart from anything else."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from nerbridge.config.experiment import Experiment
from nerbridge.errors import BundleError, ConfigError
from nerbridge.pipeline.files import read_json, write_json
from nerbridge.pipeline.processes import is_main, wait_for_all

EXPERIMENT = "experiment.json"
SHOWN = 4  # settings that a refusal lists
INPUTS = frozenset({EXPERIMENT, "recipe.toml", "environment.json", "data.json", "key"})  # written before training


def claim(experiment: Experiment, folder: Path) -> None:
    """Make `folder` the run folder of `experiment`, or find that it is already.

    Raises ConfigError when it holds another experiment or other files, or is no folder; BundleError when it is damaged.
    """
    refuse_foreign(experiment, folder)
    wait_for_all()
    if is_main():
        write_json(folder / EXPERIMENT, experiment.model_dump(mode="json"))
    wait_for_all()


def refuse_foreign(experiment: Experiment, folder: Path) -> None:
    """Raises what `claim` raises, and writes nothing; UnicodeEncodeError for a name that libraries cannot write to."""
    str(folder).encode()  # raises UnicodeEncodeError before the training, not behind it
    path = folder / EXPERIMENT
    if path.exists():
        _refuse_other(experiment, path)
    elif holds_files(folder):
        raise ConfigError(
            f"'{folder}' is not empty and no run folder",
            where=str(folder),
            expected="a new folder, or one of an earlier run of the same experiment",
            hint="choose another --output",
        )


def refuse_single_run(folder: Path) -> None:
    """Raises ConfigError when `folder` is a file or the run folder of one seed: several seeds need their own."""
    if (folder / EXPERIMENT).exists() or (folder.exists() and not folder.is_dir()):
        raise ConfigError(
            f"'{folder}' holds a run of one seed" if folder.is_dir() else f"'{folder}' is a file",
            where=str(folder),
            expected="a new folder, or one of an earlier run with --seeds",
            hint="choose another --output",
        )


def _refuse_other(experiment: Experiment, path: Path) -> None:
    try:
        there = read_json(path)
    except BundleError as fault:
        raise BundleError(
            fault.what, where=fault.where, expected=fault.expected, hint="choose another --output, or remove the folder"
        ) from fault
    ours = _with_later_keys(there)
    if ours is not None and not _holds_work(path.parent):
        return
    before, now = _decisive(ours or there), _decisive(experiment.model_dump(mode="json"))
    differing = [key for key in before if key in now and before[key] != now[key]]
    if not differing:  # keys of one side alone are news only where nothing else is: another kind brings its own keys
        differing = [key for key in {**before, **now} if (key in before) != (key in now)]
    if not differing:
        return
    shown = [f"{key} is {before.get(key)!r} there, {now.get(key)!r} here" for key in differing[:SHOWN]]
    more = [f"{len(differing) - SHOWN} more"] if len(differing) > SHOWN else []
    raise ConfigError(
        f"'{path.parent}' holds another experiment: {'; '.join([*shown, *more])}",
        where=str(path),
        expected="the same recipe, settings and seed, or a new folder",
        hint="choose another --output, or remove the folder",
    )


def _holds_work(folder: Path) -> bool:
    """Has anything been learnt there? A run whose encoder could not be loaded leaves its folder to the next try."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return any(path.name not in INPUTS for path in files)


def _with_later_keys(tables: dict[str, Any]) -> dict[str, Any] | None:
    """The settings with the defaults of keys that came after the folder was made; None where they are no experiment."""
    try:
        return Experiment.model_validate(tables).model_dump(mode="json")
    except ValidationError:
        return None


def _decisive(tables: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Dotted key -> value, without what changes no result."""
    flat: dict[str, Any] = {}
    for key, value in tables.items():
        if key in ("description", "checkpoint_seconds"):
            continue
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and value:
            flat |= _decisive(value, f"{name}.")
        elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            flat |= _decisive({str(number): item for number, item in enumerate(value)}, f"{name}.")
        elif value != {}:
            flat[name] = value
    return flat


def holds_files(folder: Path) -> bool:
    """Is there anything but hidden files? A run that was killed at once leaves a half-written one of those."""
    if folder.exists() and not folder.is_dir():
        return True
    return folder.exists() and any(not path.name.startswith(".") for path in folder.iterdir())
