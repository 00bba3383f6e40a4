"""Which packages a machine lacks that the benches need, told from a list of those that it has."""

import importlib.metadata
import re
import sys
from collections.abc import Collection, Iterable

from packaging.requirements import Requirement

NEEDED = ("nerbridge", "pytest-socket", "beartype")  # the last two: for tests on that machine
EXTRA = "corpus"
NAME = r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?"
HEADER = ("Package ", "#", "WARNING", "[notice]", "Editable project")


def normal(name: str) -> str:
    """The name of a package as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def names_in(text: str) -> set[str]:
    """Packages named in a list: the first column of `pip list`, requirements, or names alone.

    A line of anything else, such as a header or where a project lies, names none.
    """
    return {normal(name) for line in text.split("\n") for name in _names(line.strip())}


def _names(line: str) -> list[str]:
    if line.startswith(HEADER) or not line.strip("- "):
        return []
    if placed := re.match(rf"({NAME})(?:\[[^]]*\])? @ ", line):  # name @ file:///...
        return [placed[1]]
    if row := re.match(rf"({NAME})\s+v?\d", line):  # name version [folder]
        return [row[1]]
    words = re.split(r"[,\s]+", re.sub(r"\s*([<>=!~]=?=?)\s*", r"\1", line.partition(";")[0]).strip(", "))
    named = [re.fullmatch(rf"({NAME})(?:\[[^]]*\])?(?:[<>=!~].*)?", word) for word in words]
    return [found[1] for found in named if found] if all(named) else []


def lacking(there: Collection[str], needed: Iterable[str] = NEEDED) -> dict[str, str]:
    """Name -> version here of every package that `needed` and what they need in turn ask for and `there` lacks.

    Exits where a package is not installed here either.
    """
    waiting, found = list(needed), dict[str, str]()
    seen: set[str] = set()
    while waiting:
        name = normal(waiting.pop())
        if name in seen or name in there:
            continue
        seen.add(name)
        try:
            installed = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            sys.exit(f"error: {name} is not installed here, so its version is unknown: run `make setup` first")
        found[name] = installed.version
        for text in installed.requires or []:
            asked = Requirement(text)
            if asked.marker is None or asked.marker.evaluate({"extra": EXTRA}):
                waiting.append(asked.name)
    return found
