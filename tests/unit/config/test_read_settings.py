"""[target.files.read] has the options of the readers, all of them, with the readers' own defaults."""

from dataclasses import fields
from typing import Any

import pytest

from nerbridge.config.loading import parse_experiment
from nerbridge.config.reading import ReadSettings
from nerbridge.data.column_format import ColumnFormat
from nerbridge.data.jsonl_format import JsonlFormat
from nerbridge.data.reader_options import OPTIONS
from nerbridge.errors import ConfigError

DEFAULTS = {field.name: field.default for kind in (ColumnFormat, JsonlFormat) for field in fields(kind)}


def test_the_options_are_those_of_the_command_line() -> None:
    assert set(ReadSettings.model_fields) == set(OPTIONS)
    assert set(DEFAULTS) - set(OPTIONS) == {"markers", "domain"}


@pytest.mark.parametrize("name", sorted(set(OPTIONS) - {"format"}))
def test_defaults_are_those_of_the_readers(name: str) -> None:
    assert ReadSettings.model_fields[name].default == DEFAULTS[name]


@pytest.mark.parametrize("name", [name for name, kind in OPTIONS.items() if hasattr(kind, "__members__")])
def test_values_are_those_of_the_readers(name: str) -> None:
    for value in OPTIONS[name]:  # type: ignore[attr-defined]
        settings = ReadSettings.model_validate({name: str(value)})
        assert settings.options() == ({} if DEFAULTS.get(name) == value else {name: str(value)})


def test_a_wrong_option_is_named_as_the_recipe_has_it() -> None:
    read: dict[str, Any] = {"bordres": "snap", "end_shift": "far", "tag_column": None}
    tables = {
        "name": "x",
        "transfer": {"kind": "direct"},
        "target": {"files": {"train": "a.txt", "read": read}},
    }
    with pytest.raises(ConfigError) as caught:
        parse_experiment(tables, where="recipe.toml")
    assert caught.value.what.splitlines() == [
        "3 settings cannot be used:",
        "    target.files.read.tag_column: should be a whole number, not None",
        "    target.files.read.end_shift: should be a whole number, not 'far'",
        "    target.files.read.bordres: there is no such key; nearest is 'target.files.read.borders'",
    ]
