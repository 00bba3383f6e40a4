"""What is wrong with a recipe, or other settings, said so that their author finds the key and the way out."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from nerbridge.config.base import Settings
from nerbridge.config.effects import STAGES, idle_tables, transfer_kind
from nerbridge.config.experiment import DEFAULT_KINDS, Experiment
from nerbridge.config.listing import kinds_with, known_keys
from nerbridge.config.training import STAGE_KINDS
from nerbridge.errors import ConfigError
from nerbridge.wording import counted

LONGEST_VALUE = 60  # characters of a wrong value that a message shows
RAW_TABLES = ("corpus.", "gazetteer.", "selection.", "pretraining.")  # without effect where there is no raw text
INNER_TABLES = ("source.training.", "encoder.parts.")  # with the same keys as tables that messages name
KINDS_OF_VALUES = {
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "int_type": "a whole number",
    "float_parsing": "a number",
    "float_type": "a number",
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "string_type": "a text",
    "tuple_type": "a list",
    "list_type": "a list",
}
LISTED = 4  # keys that a message proposes
RECIPE_HINT = "correct the recipe, or override with --set key=value"
RECIPE_PAGE = "docs/recipes.md"


def config_error(
    fault: ValidationError,
    tables: Mapping[str, Any],
    where: str,
    hint: str = RECIPE_HINT,
    *,
    settings: type[Settings] = Experiment,
    page: str = RECIPE_PAGE,
    options: Mapping[str, str] | None = None,
) -> ConfigError:
    """pydantic's findings about `tables` as one error: each key as the recipe has it, its value, what was expected.

    settings, page: what the tables were read as and where its keys are listed, if that is no recipe. options: key ->
    the option of the command line that sets it.
    """
    lines = [_with_option(line, options or {}) for line in fault_lines(fault, tables, settings)]
    proposed = [text for item in fault.errors() if (text := _proposal(item, tables, settings)) is not None]
    return ConfigError(
        f"{counted(len(lines), 'setting')} cannot be used:\n    " + "\n    ".join(lines),
        where=where,
        expected=f"the keys and values listed in {page}",
        hint="; ".join(dict.fromkeys(proposed)) if len(proposed) == len(lines) else hint,
    )


def fault_lines(fault: ValidationError, tables: Mapping[str, Any], settings: type[Settings] = Experiment) -> list[str]:
    """One line per finding: 'target.num_train: should be greater than 0, not -1'."""
    found = fault.errors()
    places = [item["loc"] for item in found]
    return [_line(item, tables, settings) for item in found if not _follows(item, places)]


def _with_option(line: str, options: Mapping[str, str]) -> str:
    """'selection.levels.0: should ...' -> '--levels (selection.levels): should ...'."""
    key, sign, rest = line.partition(": ")
    plain = ".".join(part for part in key.split(".") if not part.isdigit())
    return f"{options[plain]} ({plain}){sign}{rest}" if plain in options else line


def _follows(item: ErrorDetails, places: Sequence[tuple[int | str, ...]]) -> bool:
    """Is a list too short only because an item of it is faulty, which is said beside it?"""
    own = item["loc"]
    return item["type"] == "too_short" and any(len(one) > len(own) and one[: len(own)] == own for one in places)


def _line(item: ErrorDetails, tables: Mapping[str, Any], settings: type[Settings]) -> str:
    key = _written_key(item["loc"], tables)
    whole = "(whole recipe)" if settings is Experiment else "(all settings)"
    if item["type"] == "extra_forbidden":
        if kinds := _other_kinds(item, key, settings):
            own, others = item["loc"][-2], " or ".join(f"'{kind}'" for kind in kinds)
            return f"{key}: kind '{own}' has no such key; it goes with {_table_of(key)}.kind = {others}"
        return f"{key}: there is no such key{_nearest(key, tables, settings)}"
    if item["type"] == "missing":
        return f"{key}: must be given"
    if item["type"] == "union_tag_not_found":
        return f"{key}: needs its kind"
    if item["type"] == "union_tag_invalid":
        return f"{key}.kind: should be one of {', '.join(_kinds(item))}, not {_shown(item['ctx']['tag'])}"
    if item["type"] in ("model_type", "dict_type", "model_attributes_type"):
        return f"{key}: should be a table, not {_shown(item['input'])}"
    if (wanted := KINDS_OF_VALUES.get(item["type"])) is not None:
        return f"{key or whole}: should be {wanted}, not {_shown(item['input'])}"
    if item["type"] == "too_short":
        items = counted(item["ctx"]["min_length"], "item")
        return f"{key}: should have at least {items}, not {item['ctx']['actual_length']}"
    message = item["msg"].removeprefix("Value error, ").removeprefix("Input ").removeprefix("String ")
    given = "" if isinstance(item["input"], dict) or item["type"] == "value_error" else f", not {_shown(item['input'])}"
    return f"{key or whole}: {message}{given}{_nearest_value(item)}"


def _proposal(item: ErrorDetails, tables: Mapping[str, Any], settings: type[Settings]) -> str | None:
    """'--set training.target.epochs=3' for a key without its table and its value, '--set transfer.kind=multi_task' for
    a key of another kind; None for all other findings."""
    key, value = _written_key(item["loc"], tables), item["input"]
    if item["type"] != "extra_forbidden":
        return None
    if kinds := _other_kinds(item, key, settings):
        return f"--set {_table_of(key)}.kind={kinds[0]}, or leave {key} out"
    if not isinstance(value, str | int | float):
        return None
    homes = _homes(key, tables, settings)
    return f"--set {homes[0]}={str(value).lower() if isinstance(value, bool) else value}" if homes else None


def _other_kinds(item: ErrorDetails, key: str, settings: type[Settings]) -> tuple[str, ...]:
    """The kinds of its table that have a key which this one lacks."""
    return kinds_with(key, settings) if len(item["loc"]) > 1 and key in known_keys(settings) else ()


def _table_of(key: str) -> str:
    return key.rpartition(".")[0]


def _kinds(item: ErrorDetails) -> list[str]:
    """The names of the variants that a tagged union has."""
    return [kind.strip("' ") for kind in item["ctx"]["expected_tags"].split(",")]


def _written_key(place: Sequence[int | str], tables: Any) -> str:
    """The dotted key of `place` without the names of variants, which pydantic adds and no recipe has."""
    parts: list[str] = []
    node = tables
    for part in place:
        default = DEFAULT_KINDS.get(parts[-1]) if parts else None
        if isinstance(node, Mapping) and part not in node and part == node.get("kind", default):
            continue
        parts.append(str(part))
        inside = isinstance(node, Mapping) and part in node
        listed = isinstance(node, list) and isinstance(part, int) and part < len(node)
        node = node[part] if inside or listed else None
    return ".".join(parts)


def _nearest(key: str, tables: Mapping[str, Any], settings: type[Settings]) -> str:
    """; nearest is 'tagger.dropout'. A key without its table, such as 'epochs', gets every table that has it.

    One in the wrong table, such as 'target.train', gets the table below the same top that has it: 'target.files.train'.
    """
    plain = ".".join(part for part in key.split(".") if not part.isdigit())
    known = sorted(known_keys(settings))
    if homes := _homes(plain, tables, settings):
        found = homes
    else:
        found = difflib.get_close_matches(plain, _same_end(plain, known), n=1, cutoff=0.0)
        found = found or difflib.get_close_matches(plain, known, n=1, cutoff=0.75)
    if not found and "." not in plain:
        last = difflib.get_close_matches(plain, sorted({one.rpartition(".")[2] for one in known}), n=1, cutoff=0.75)
        found = _homes(last[0], tables, settings) if last else []
    listed = " or ".join(f"'{one}'" for one in found)
    return f"; nearest is {listed}" if listed else ""


def _same_end(key: str, known: Sequence[str]) -> list[str]:
    """The known keys with the same last part below the same top table."""
    (top, inside, _), (_, _, last) = key.partition("."), key.rpartition(".")
    return [one for one in known if inside and one.startswith(f"{top}.") and one.rpartition(".")[2] == last]


def _homes(name: str, tables: Mapping[str, Any], settings: type[Settings]) -> list[str]:
    """The full keys that end in `name`; of a recipe only those of steps that run, that of the last stage first.

    None for a key with its table.
    """
    if "." in name:
        return []
    homes = [one for one in sorted(known_keys(settings)) if one.rpartition(".")[2] == name]
    if settings is not Experiment:
        return homes[:LISTED]
    idle = (*INNER_TABLES, *idle_tables(transfer_kind(tables)), *(() if "corpus" in tables else RAW_TABLES))
    last = f"training.{STAGES.get(transfer_kind(tables), STAGE_KINDS)[-1]}."
    running = [one for one in homes if not one.startswith(idle)]
    return sorted(running, key=lambda one: not one.startswith(last))[:LISTED]


def _nearest_value(item: ErrorDetails) -> str:
    """; nearest is 'entity', for a text that is not among those that are allowed."""
    if item["type"] != "literal_error" or not isinstance(item["input"], str):
        return ""
    near = difflib.get_close_matches(item["input"], re.findall(r"'([^']*)'", item["ctx"]["expected"]), n=1)
    return f"; nearest is '{near[0]}'" if near else ""


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."
