"""Options of file formats, given by name in commands and recipes."""

from enum import StrEnum
from typing import Any

from nerbridge.errors import ConfigError


def settle(settings: Any, **kinds: type[StrEnum]) -> None:
    """Turns the named fields of frozen `settings` into members of their enumerations; None stays.

    Raises ConfigError for a value that is no member.
    """
    for name, kind in kinds.items():
        value = getattr(settings, name)
        if value is None or isinstance(value, kind):
            continue
        try:
            object.__setattr__(settings, name, kind(value))
        except ValueError:
            raise ConfigError(
                f"'{value}' is no {name}",
                where=f"the option {name}",
                expected=f"one of {', '.join(kind)}",
                hint="correct it, or leave the option out",
            ) from None


def with_options(*options: str) -> str:
    """How a hint names options of reading: for a command, and for a recipe, where texts stand in quotes."""
    pairs = [option.partition("=") for option in options]
    table = ", ".join(f"{name} = {value if value.lstrip('-').isdigit() else repr(value)}" for name, _, value in pairs)
    return f"with {' '.join(f'--read {option}' for option in options)} (in a recipe: read = {{ {table} }})"
