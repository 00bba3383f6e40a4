"""Files and folders that settings name: where relative ones start."""

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from nerbridge.config.base import NamesPlace
from nerbridge.config.listing import list_tables


def anchored(tables: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """A copy of a recipe's tables in which every relative path is absolute, taken from `folder`.

    Which keys hold paths is read off the settings classes (`NamesPlace`); what has not the form of a recipe stays.
    """

    def change(text: str, named: NamesPlace) -> str:
        return _absolute(text, named, folder)

    return {key: _with_places(value, key, change) for key, value in tables.items()}


def portable(tables: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """A copy of the tables for a recipe file in `folder`: what lies in the same project is named from there.

    A project that is moved as a whole, its data and runs together, then still finds its files. Of the same project is
    what lies beside `folder`, what lies with it below the current folder, and what shares a folder with it that is
    neither a top one nor the home folder or above; all others stand with their absolute paths.
    """

    def change(text: str, named: NamesPlace) -> str:  # noqa: ARG001 (whatever it names)
        return _relative(text, folder)

    return {key: _with_places(value, key, change) for key, value in tables.items()}


def _with_places(value: Any, key: str, change: Callable[[str, NamesPlace], str]) -> Any:
    """`value` with every text that names a place changed; `key` is where it stands, list positions left out."""
    match value:
        case dict():
            return {inner: _with_places(below, f"{key}.{inner}", change) for inner, below in value.items()}
        case list():
            return [_with_places(below, key, change) for below in value]
        case str() if (named := _places().get(key)) is not None:
            return change(value, named)
        case _:
            return value


def _relative(text: str, folder: Path) -> str:
    start = Path(os.path.abspath(folder))  # noqa: PTH100
    if not os.path.isabs(text):  # noqa: PTH117
        return text
    shared = next((above for above in (start, *start.parents) if Path(text).is_relative_to(above)), None)
    return os.path.relpath(text, start) if shared is not None and _is_project(shared, start) else text


def _is_project(shared: Path, start: Path) -> bool:
    """Would `shared` be moved as a whole, with all that lies below it?"""
    if len(shared.parts) == 1:  # the root
        return False
    here = Path.cwd()
    if shared in (start, start.parent) or (len(here.parts) > 1 and shared.is_relative_to(here)):
        return True
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 (`Path.home` raises where there is none)
    return len(shared.parts) > 2 and not home.is_relative_to(shared)


def _absolute(text: str, named: NamesPlace, folder: Path) -> str:
    """The absolute path; links stay, because those that a shell makes for pipes have no other name."""
    if text in ("", "none", *named.names):
        return text
    path = os.path.abspath(folder / os.path.expanduser(text))  # noqa: PTH100, PTH111 (`resolve` follows links)
    if not named.only_folders:
        return path
    written_as_path = text.startswith((".", "~"))
    return path if written_as_path or Path(path).is_dir() else text


def names_place(key: str) -> bool:
    """Does the setting `key`, such as 'source.files.train' (list positions left out), name files or a folder?"""
    return key in _places()


@cache
def _places() -> Mapping[str, NamesPlace]:
    """Dotted key, list positions left out -> what kind of place it names."""
    rows = ((f"{table.name}.{row.key}", row.place) for table in list_tables() for row in table.rows)
    return {key: place for key, place in rows if place is not None}
