"""A run folder belongs to one experiment: claimed before anything is written, and told apart from anything else."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from nerbridge.config.experiment import Experiment, recorded_experiment
from nerbridge.errors import BundleError, ConfigError
from nerbridge.evaluation.run_folder import DATA, EXPERIMENT
from nerbridge.pipeline.files import read_json, write_json
from nerbridge.pipeline.processes import is_main, wait_for_all
from nerbridge.pipeline.same_data import refuse_other_data
from nerbridge.pipeline.same_experiment import TABLE, differing_keys, with_names_of

SHOWN = 4  # settings that a refusal lists
RECIPE = "recipe.toml"
INPUTS = frozenset({EXPERIMENT, RECIPE, "environment.json", DATA, "key"})  # written before training


def claim(experiment: Experiment, folder: Path, record: Mapping[str, Any]) -> None:
    """Make `folder` the run folder of `experiment`, or find that it is already. record: what its data are.

    Raises ConfigError when it holds another experiment, other files or what was learnt from other data, or is no
    folder; BundleError when it is damaged.
    """
    refuse_foreign(experiment, folder)
    if holds_work(folder) and (folder / DATA).exists():
        refuse_other_data(record, folder)
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
    elif folder.exists() and not folder.is_dir():
        raise _is_file(folder)
    elif holds_files(folder):
        raise ConfigError(
            f"'{folder}' is not empty and no run folder",
            where=str(folder),
            expected="a new folder, or one of an earlier run of the same experiment",
            hint="choose another --output",
        )


def refuse_single_run(folder: Path) -> None:
    """Raises ConfigError when `folder` is a file or the run folder of one seed: several seeds need their own."""
    if folder.exists() and not folder.is_dir():
        raise _is_file(folder)
    if (folder / EXPERIMENT).exists():
        raise ConfigError(
            f"'{folder}' holds a run of one seed",
            where=str(folder),
            expected="a new folder, or one of an earlier run with --seeds",
            hint="choose another --output",
        )


def named_as_there(experiment: Experiment, folder: Path) -> Experiment:
    """`experiment` with the names that a run in `folder` has, where its own only follow from where its files lie.

    Raises BundleError when the folder is damaged.
    """
    if not (folder / EXPERIMENT).exists() or not holds_work(folder):
        return experiment
    there = _experiment_of(read_json(folder / EXPERIMENT))
    return experiment if there is None else with_names_of(experiment, there)


def _is_file(folder: Path) -> ConfigError:
    return ConfigError(
        f"'{folder}' is a file",
        where=str(folder),
        expected="a new folder, or one of an earlier run of the same experiment",
        hint="choose another --output",
    )


def _refuse_other(experiment: Experiment, path: Path) -> None:
    try:
        there = read_json(path)
    except BundleError as fault:
        raise BundleError(
            fault.what, where=fault.where, expected=fault.expected, hint="choose another --output, or remove the folder"
        ) from fault
    ours = _experiment_of(there)
    if ours is not None and not holds_work(path.parent):
        return
    tables = there if ours is None else ours.model_dump(mode="json")  # with the defaults of keys that came later
    differing = differing_keys(tables, experiment, path.parent / RECIPE)
    if not differing:
        return
    shown = [
        f"{key} is {_said(before)} there, {_said(now)} here" for key, (before, now) in islice(differing.items(), SHOWN)
    ]
    more = [f"{len(differing) - SHOWN} more"] if len(differing) > SHOWN else []
    raise ConfigError(
        f"'{path.parent}' holds another experiment: {'; '.join([*shown, *more])}",
        where=str(path),
        expected="the same recipe, settings and seed, or a new folder",
        hint="choose another --output, or remove the folder",
    )


def holds_work(folder: Path) -> bool:
    """Has anything been learnt there? A run whose encoder could not be loaded leaves its folder to the next try."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return any(path.name not in INPUTS for path in files)


def _experiment_of(tables: dict[str, Any]) -> Experiment | None:
    """The experiment of a run folder; None where the tables are none."""
    try:
        return recorded_experiment(tables)
    except ValidationError:
        return None


def _said(value: Any) -> str:
    return "not set" if value is None else "set" if value == TABLE else repr(value)


def holds_files(folder: Path) -> bool:
    """Is there anything but hidden files? A run that was killed at once leaves a half-written one of those."""
    if folder.exists() and not folder.is_dir():
        return True
    return folder.exists() and any(not path.name.startswith(".") for path in folder.iterdir())
