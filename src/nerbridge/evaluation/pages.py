"""The templates of all pages, and what they need to show numbers and facts."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template


def page(name: str) -> Template:
    """A template of the folder `templates`; texts are escaped, a missing value is an error."""
    return _environment().get_template(name)


def flatten(facts: Mapping[str, object], prefix: str = "") -> list[tuple[str, str]]:
    """Nested facts as ("versions.torch", "2.5") pairs, in their order."""
    pairs: list[tuple[str, str]] = []
    for key, value in facts.items():
        if isinstance(value, Mapping):
            pairs += flatten(value, f"{prefix}{key}.")
        elif isinstance(value, list | tuple):
            pairs.append((f"{prefix}{key}", ", ".join(map(str, value))))
        else:
            pairs.append((f"{prefix}{key}", "none" if value is None else str(value)))
    return pairs


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = lambda fraction: f"{100 * fraction:.2f}"
    environment.filters["count"] = lambda number: f"{number:,.0f}" if number == int(number) else f"{number:,.1f}"
    return environment
