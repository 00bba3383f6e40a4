"""Every key that a recipe may have, read off the settings classes: for documentation and for hints."""

import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from nerbridge.config.base import NamesPlace, Settings
from nerbridge.config.experiment import Experiment
from nerbridge.config.training import STAGE_DEFAULTS, STAGE_KINDS, TrainingPlan, TrainingSettings

BOUNDS = (("ge", ">="), ("gt", ">"), ("le", "<="), ("lt", "<"))


@dataclass(frozen=True)
class SettingsRow:
    """One key: the values it takes, its default ("" when it must be given), what it means, and if it names a place."""

    key: str
    values: str
    default: str
    description: str
    place: NamesPlace | None = None


@dataclass(frozen=True)
class SettingsTable:
    """One table of a recipe: its dotted name ("" for the top), how it is written, what it is, and its keys."""

    name: str
    header: str
    about: str
    rows: tuple[SettingsRow, ...]


def list_tables(settings: type[Settings] = Experiment) -> tuple[SettingsTable, ...]:
    """The tables of a recipe, top first, variants of one table one after the other; what several have stands once.

    settings: those of a command that has no recipe, instead.
    """
    return tuple(dict.fromkeys(_tables(settings, "", "(top of the file)")))


def known_keys(settings: type[Settings] = Experiment) -> frozenset[str]:
    """Every dotted key and table name, list positions left out: 'source.datasets', 'training.target.epochs'."""
    tables = list_tables(settings)
    keys = {table.name for table in tables}
    keys |= {f"{table.name}.{row.key}".lstrip(".") for table in tables for row in table.rows}
    if settings is Experiment:
        keys |= {f"training.{kind}" for kind in STAGE_KINDS}
        stages = ("source.training", *(f"training.{kind}" for kind in STAGE_KINDS))
        keys |= {f"{stage}.{key}" for stage in stages for key in TrainingSettings.model_fields}
    return frozenset(keys - {""})


def kinds_with(key: str, settings: type[Settings] = Experiment) -> tuple[str, ...]:
    """The kinds of its table that have the dotted `key` of `settings`; empty where the table has no kinds."""
    *path, last = (part for part in key.split(".") if not part.isdigit())
    found: list[type[Settings]] = [settings]
    for part in path:
        fields = [one.model_fields[part] for one in found if part in one.model_fields]
        found = [inner for field in fields for inner in _inner(field.annotation)]
    having = [one.model_fields for one in found if last in one.model_fields and "kind" in one.model_fields]
    return tuple(dict.fromkeys(str(fields["kind"].default) for fields in having))


def _tables(settings: type[Settings], name: str, header: str) -> Iterator[SettingsTable]:
    rows = [_row(key, field) for key, field in settings.model_fields.items() if not _inner(field.annotation)]
    rows.sort(key=lambda row: row.key != "kind")  # the rest stays in the order of the class
    yield SettingsTable(name, header, _about(settings), tuple(rows))
    for key, field in settings.model_fields.items():
        for inner in _inner(field.annotation):
            below = f"{name}.{key}".lstrip(".")
            if inner is TrainingPlan:
                yield _training_table()
                continue
            header = f"[[{below}]]" if get_origin(field.annotation) is tuple else f"[{below}]"
            variant = inner.model_fields.get("kind")
            yield from _tables(inner, below, f'{header} kind = "{variant.default}"' if variant else header)


def _training_table() -> SettingsTable:
    rows = []
    for key, field in TrainingSettings.model_fields.items():
        row = _row(key, field)
        differs = [
            f"{kind} {_written(STAGE_DEFAULTS[kind][key])}" for kind in STAGE_KINDS if key in STAGE_DEFAULTS[kind]
        ]
        rows.append(SettingsRow(key, row.values, "; ".join([row.default, *differs]), row.description))
    header = "[training], [training.source], [training.target], [training.joint]"
    return SettingsTable("training", header, _about(TrainingSettings), tuple(rows))


def _inner(annotation: Any) -> list[type[Settings]]:
    """The settings classes that a field holds, one for each variant."""
    if isinstance(annotation, type) and issubclass(annotation, Settings):
        return [annotation]
    return [found for argument in get_args(annotation) for found in _inner(argument)]


def _about(settings: type[Settings]) -> str:
    return " ".join((settings.__doc__ or "").split())


def _row(key: str, field: FieldInfo) -> SettingsRow:
    bounds = [f"{sign} {getattr(m, name)}" for m in field.metadata for name, sign in BOUNDS if hasattr(m, name)]
    place = next((m for m in field.metadata if isinstance(m, NamesPlace)), None)
    kind = "file" if place is not None and not place.only_folders else _values(field.annotation)
    if place is not None and get_origin(field.annotation) is tuple:
        kind = "list of files"
    return SettingsRow(key, ", ".join([kind, *bounds]), _default(field), field.description or "", place)


def _values(annotation: Any) -> str:
    if get_origin(annotation) is Literal:
        return ", ".join(_written(value) for value in get_args(annotation))
    if get_origin(annotation) in (Union, types.UnionType):
        return " or ".join(_values(inner) for inner in get_args(annotation) if inner is not type(None))
    if get_origin(annotation) is tuple:
        return f"list of {_values(get_args(annotation)[0])}"
    names = {str: "text", int: "integer", float: "number", bool: "true, false"}
    return names.get(annotation, "table")


def _default(field: FieldInfo) -> str:
    if field.default_factory is not None:
        return "empty"
    return "" if field.default is PydanticUndefined else _written(field.default)


def _written(value: Any) -> str:
    """`value` as a recipe has it."""
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case tuple():
            return "[]" if not value else str(list(value))
        case _:
            return str(value)
