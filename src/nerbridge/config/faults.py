"""What is wrong with a recipe, said so that its author finds the key and the way out."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from nerbridge.config.listing import known_keys
from nerbridge.errors import ConfigError

LONGEST_VALUE = 60  # characters of a wrong value that a message shows


def config_error(fault: ValidationError, tables: Mapping[str, Any], where: str) -> ConfigError:
    """pydantic's findings about `tables` as one error: each key as the recipe has it, its value, what was expected."""
    lines = fault_lines(fault, tables)
    return ConfigError(
        f"{len(lines)} setting{'s' if len(lines) > 1 else ''} cannot be used:\n    " + "\n    ".join(lines),
        where=where,
        expected="the keys and values listed in docs/recipes.md",
        hint="correct the recipe, or override with --set key=value",
    )


def fault_lines(fault: ValidationError, tables: Mapping[str, Any]) -> list[str]:
    """One line per finding: 'target.num_train: should be greater than 0, not -1'."""
    return [_line(item, tables) for item in fault.errors()]


def _line(item: ErrorDetails, tables: Mapping[str, Any]) -> str:
    key = _written_key(item["loc"], tables)
    if item["type"] == "extra_forbidden":
        return f"{key}: there is no such key{_nearest(key)}"
    if item["type"] == "missing":
        return f"{key}: must be given"
    if item["type"] == "union_tag_not_found":
        return f"{key}: needs its kind"
    if item["type"] == "union_tag_invalid":
        return f"{key}.kind: should be one of {', '.join(_kinds(item))}, not {_shown(item['ctx']['tag'])}"
    if item["type"] in ("model_type", "dict_type"):
        return f"{key}: should be a table, not {_shown(item['input'])}"
    message = item["msg"].removeprefix("Value error, ").removeprefix("Input ").removeprefix("String ")
    given = "" if isinstance(item["input"], dict) or item["type"] == "value_error" else f", not {_shown(item['input'])}"
    return f"{key or '(whole recipe)'}: {message}{given}"


def _kinds(item: ErrorDetails) -> list[str]:
    """The names of the variants that a tagged union has."""
    return [kind.strip("' ") for kind in item["ctx"]["expected_tags"].split(",")]


def _written_key(place: Sequence[int | str], tables: Any) -> str:
    """The dotted key of `place` without the names of variants, which pydantic adds and no recipe has."""
    parts: list[str] = []
    node = tables
    for part in place:
        if isinstance(node, Mapping) and part not in node and part == node.get("kind"):
            continue
        parts.append(str(part))
        inside = isinstance(node, Mapping) and part in node
        listed = isinstance(node, list) and isinstance(part, int) and part < len(node)
        node = node[part] if inside or listed else None
    return ".".join(parts)


def _nearest(key: str) -> str:
    plain = ".".join(part for part in key.split(".") if not part.isdigit())
    found = difflib.get_close_matches(plain, sorted(known_keys()), n=1, cutoff=0.75)
    return f"; nearest is '{found[0]}'" if found else ""


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."
