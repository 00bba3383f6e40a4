"""When two experiments are the same: their settings, without what changes no result and without where files lie.

A project may be moved: then its paths differ, and so do names that follow from them. What the files hold is compared by
`nerbridge.pipeline.same_data`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nerbridge.config.experiment import Experiment
from nerbridge.config.files import FilesSettings, domain_of
from nerbridge.config.loading import load_experiment
from nerbridge.config.places import names_place
from nerbridge.errors import NerbridgeError

READ_WHOLE = ("target.files.", "source.files.", "transfer.")  # places whose content data.json has fingerprints of
TABLE = "a table"  # stands for its content
FILES = frozenset({"train", "dev", "test", "domain"})  # keys of a table of FilesSettings


def differing_keys(there: Mapping[str, Any], here: Experiment, recipe: Path) -> dict[str, tuple[Any, Any]]:
    """Dotted key -> value there and here, of settings that make another experiment.

    there: the tables of a run folder, whose recipe is `recipe`. Files that `same_data` compares may lie elsewhere;
    other files may where they lie as before, seen from the recipe. Names that follow from paths here do not count.
    """
    before, now = _decisive(there), _decisive(here.model_dump(mode="json"))
    differing = [key for key in before if key in now and before[key] != now[key]]
    free = {key for key in _derived_names(here) if key in before} | set(moved_keys(before, now))
    if any(names_place(plain_key(key)) and key not in free for key in differing):
        moved = _read_from(recipe)
        free |= {key for key in differing if names_place(plain_key(key)) and moved.get(key) == now[key]}
    differing = [key for key in differing if key not in free]
    alone = [key for key in {**before, **now} if (key in before) != (key in now)]
    differing += [key for key in alone if not differing or not _is_explained(key, before, now)]
    found: dict[str, tuple[Any, Any]] = {}
    for key in differing:
        table = next((one for one in _above(key) if one in before or one in now), None)
        name = table or key  # a table that the other side lacks is named once
        found[name] = _value(before, name), _value(now, name)
    return {key: pair for key, pair in found.items() if pair[0] != pair[1]}


def _above(key: str) -> list[str]:
    """'corpus.text.unit' -> ['corpus', 'corpus.text']."""
    parts = key.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def _value(side: Mapping[str, Any], name: str) -> Any:
    """The value of a key; of a table, that it is there."""
    return TABLE if any(key.startswith(f"{name}.") for key in side) else side.get(name)


def _is_explained(key: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Is a key of one side alone no news beside others? A table of another kind, or a longer list, brings its own."""
    kinds = [f"{table}.kind" for table in _above(key)]
    items = [f"{table}." for table in _above(key) if table.rpartition(".")[2].isdigit()]
    longer = any(not any(one.startswith(item) for one in side) for item in items for side in (before, now))
    return longer or any(before.get(kind) != now.get(kind) for kind in kinds)


def moved_keys(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Keys of files that were read whole, and that lie elsewhere now."""
    return [
        key
        for key, value in before.items()
        if value and now.get(key) and value != now[key] and is_read_whole(plain_key(key))
    ]


def is_read_whole(key: str) -> bool:
    """Does data.json hold fingerprints of what the place `key` leads to?"""
    return key.startswith(READ_WHOLE) and names_place(key)


def plain_key(key: str) -> str:
    """'source.0.files.0.train' -> 'source.files.train'."""
    return ".".join(part for part in key.split(".") if not part.isdigit())


def with_names_of(experiment: Experiment, there: Experiment) -> Experiment:
    """`experiment` with the names of `there` in place of those that only follow from where its files lie."""
    names = _derived_names(experiment)
    update: dict[str, Any] = {"name": there.name} if "name" in names else {}
    files, before = experiment.target.files, there.target.files
    if files is not None and before is not None:
        renamed = _renamed(files, before)
        update["target"] = experiment.target.model_copy(update={"files": renamed})
    stages = [
        stage.model_copy(update={"files": tuple(map(_renamed, stage.files, old.files))})
        if len(stage.files) == len(old.files)
        else stage
        for stage, old in zip(experiment.source, there.source, strict=False)
    ]
    if len(stages) == len(experiment.source):
        update["source"] = tuple(stages)
    return experiment.model_copy(update=update)


def _renamed(files: FilesSettings, before: FilesSettings) -> FilesSettings:
    """The files with the domain's name as it was; unchanged where the name was given, or is still the same."""
    if not _is_derived(files) or files.name == before.name:
        return files
    return files.model_copy(update={"domain": before.name})


def _is_derived(files: FilesSettings) -> bool:
    paths = [path for path in (files.train, files.dev, files.test) if path]
    return files.domain is None or files.domain in [domain_of(path) for path in paths]


def _derived_names(experiment: Experiment) -> list[str]:
    """Keys of names that follow from where files lie, as `adapt` and [target.files] make them."""
    target = experiment.target.files
    raw = experiment.corpus.files if experiment.corpus is not None else ()
    paths = [*raw, *getattr(experiment.transfer, "target_raw", ())]
    if target is not None:
        paths += [path for path in (target.train, target.dev, target.test) if path]
    names = ["name"] if experiment.name in {f"adapt-{domain_of(path)}" for path in paths} else []
    if target is not None and (_is_derived(target) or target.domain in [domain_of(path) for path in paths]):
        names.append("target.files.domain")
    return names + [
        f"source.{place}.files.{number}.domain"
        for place, stage in enumerate(experiment.source)
        for number, files in enumerate(stage.files)
        if _is_derived(files)
    ]


def _read_from(recipe: Path) -> dict[str, Any]:
    """The settings of a run folder's recipe, its paths seen from where it lies now; empty where it cannot be read."""
    try:
        return _decisive(load_experiment(recipe).model_dump(mode="json"))
    except NerbridgeError:
        return {}


def _decisive(tables: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Dotted key -> value, without what changes no result; domains are called as they are, named or not."""
    flat: dict[str, Any] = {}
    if set(tables) >= FILES:
        paths = [str(tables[split]) for split in ("train", "dev", "test") if tables[split]]
        tables = {**tables, "domain": tables["domain"] or domain_of("".join(paths[:1]))}
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
