"""What is known of a public data set before one of its files is opened: one TOML card each, in `cards/`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from nerbridge.data.column_format import ColumnFormat
from nerbridge.data.labels import LabelSet
from nerbridge.data.schemes import Scheme
from nerbridge.data.separators import Separator
from nerbridge.errors import DataError

PUBLIC_SOURCE = "https://raw.githubusercontent.com"


@dataclass(frozen=True, slots=True)
class CardFile:
    """One file: its path under the data root, its path in the source repository, its SHA-256, what it must hold.

    counts: sentences, words and entities (as conlleval reads them) of a labelled file, names of a name list.
    """

    path: str
    source: str
    sha256: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CardFormat:
    """How the labelled files are written; the word is in the first of the columns, the tag in the last."""

    columns: int
    separator: Separator
    scheme: Scheme

    def column_format(self, domain: str) -> ColumnFormat:
        """What the reader of column files needs to know, nothing left to detection; `domain` goes into sentences."""
        return ColumnFormat(separator=self.separator, scheme=self.scheme, domain=domain)


@dataclass(frozen=True, slots=True)
class Card:
    """A data set: where it comes from, under which terms, how it is written and what it must hold.

    files: by split (train, dev, test) for sentences; by label for a name list (`format` is None).
    """

    name: str
    domain: str
    title: str
    notes: tuple[str, ...]
    repository: str
    commit: str
    licence: str
    licence_file: CardFile | None
    format: CardFormat | None
    files: Mapping[str, CardFile]
    labels: LabelSet

    @property
    def holds_sentences(self) -> bool:
        """Labelled sentences, not lists of names?"""
        return self.format is not None

    def every_file(self) -> tuple[CardFile, ...]:
        """The files of all splits and the licence file, if there is one."""
        licence = () if self.licence_file is None else (self.licence_file,)
        return (*self.files.values(), *licence)

    def url(self, file: CardFile, base: str = PUBLIC_SOURCE) -> str:
        """Where `file` can be downloaded from, in the pinned state of the source repository."""
        return f"{base}/{self.repository}/{self.commit}/{file.source}"


def card_names() -> tuple[str, ...]:
    """The names of all data sets that have a card, sorted."""
    return tuple(_cards())


def find_card(name: str) -> Card:
    """The card of data set `name`. Raises DataError, with the nearest names, when there is none."""
    cards = _cards()
    if name in cards:
        return cards[name]
    near = get_close_matches(name, cards, n=3)
    raise DataError(
        f"there is no data set '{name}'",
        where=f"the name '{name}'",
        expected=f"one of {len(cards)}: {', '.join(cards)}",
        hint=f"nearest is '{near[0]}'" if near else "`nerbridge data list` describes them; your own files need paths",
    )


def names_a_file(name: str) -> bool:
    """Is `name` that of a file, there or not, rather than of a data set, perhaps misspelt?

    A file has a suffix, or is named from a root, the home or the current folder, or lies in a folder that is there and
    is not nearly called like a data set.
    """
    path = Path(name)
    if name in _cards():
        return False
    below = path.parent != Path() and path.parent.is_dir() and not get_close_matches(name, _cards())
    return path.exists() or bool(path.suffix) or path.is_absolute() or name.startswith((".", "~")) or below


@cache
def _cards() -> Mapping[str, Card]:
    folder = files(__package__) / "cards"
    cards = [parse_card(file.read_text(encoding="utf-8")) for file in folder.iterdir() if file.name.endswith(".toml")]
    return MappingProxyType({card.name: card for card in sorted(cards, key=lambda card: card.name)})


def parse_card(text: str) -> Card:
    """The card written as TOML in `text`; a missing or unknown key is our own bug and raises KeyError or TypeError."""
    table = tomllib.loads(text)
    layout = table.get("format")
    licence_file = table["licence"].get("file")
    return Card(
        name=table["name"],
        domain=table["domain"],
        title=table["title"],
        notes=tuple(table["notes"]),
        repository=table["source"]["repository"],
        commit=table["source"]["commit"],
        licence=table["licence"]["text"],
        licence_file=None if licence_file is None else _file(licence_file),
        format=None if layout is None else _format(layout),
        files={split: _file(entry) for split, entry in table["files"].items()},
        labels=LabelSet.of(table["labels"], table["labels"]),
    )


def _format(layout: Mapping[str, Any]) -> CardFormat:
    return CardFormat(layout["columns"], Separator(layout["separator"]), Scheme(layout["scheme"]))


def _file(entry: Mapping[str, Any]) -> CardFile:
    return CardFile(entry["path"], entry["source"], entry["sha256"], dict(entry.get("counts", {})))
