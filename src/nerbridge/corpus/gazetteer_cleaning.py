"""Entries of name lists -> names that can be looked for; everything left out is counted with its reason."""

import re
import unicodedata

from nerbridge.config.gazetteer import GazetteerSettings
from nerbridge.corpus.gazetteer import Gazetteer, NameCounts
from nerbridge.errors import DataError

BRACKETS = re.compile(r"(?<=\S) \([^()]*\)$")

EMPTY = "empty"
CONTROL = "holds a control character"
NO_LETTER = "holds no letter"
REPEATED = "the same name again in the list of one label"


class NameCollector:
    """Takes names with their labels, one at a time, and makes a Gazetteer of them."""

    def __init__(self, settings: GazetteerSettings | None = None) -> None:
        self.settings = settings or GazetteerSettings()
        self.counts = NameCounts()
        self._bits: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._too_short = f"shorter than {self.settings.min_length} characters"
        self._too_long = f"longer than {self.settings.max_length} characters"

    def bit(self, label: str, where: str) -> int:
        """The bit of `label`, which is made known. Raises DataError for a name that no label can have."""
        if label not in self._bits:
            check_label(label, where)
            self._bits[label] = 1 << len(self._bits)
        return self._bits[label]

    def add(self, entry: str, bits: int, where: str = "") -> None:
        """Take the entry of a list, from the line `where`, for the labels whose `bits` are set."""
        counts = self.counts
        counts.read += 1
        name = self._cleaned(entry)
        if reason := self._fault(name):
            counts.leave_out(reason, entry, where)
            return
        known = self._names.get(name, 0)
        if known | bits == known:
            counts.leave_out(REPEATED, entry, where)
        self._names[name] = known | bits

    def skip(self, reason: str, entry: str, where: str = "") -> None:
        """Count an entry that could not even be read."""
        self.counts.read += 1
        self.counts.leave_out(reason, entry, where)

    def gazetteer(self) -> Gazetteer:
        """Everything taken so far."""
        return Gazetteer(tuple(self._bits), self._names, self.counts)

    def _cleaned(self, entry: str) -> str:
        name = " ".join(entry.split())
        if not name.isascii():
            name = unicodedata.normalize("NFC", name)
        if self.settings.cut_brackets and name.endswith(")"):
            name, cut = BRACKETS.subn("", name)
            self.counts.changed["lost the brackets behind them"] += cut
        return name

    def _fault(self, name: str) -> str:
        if not name:
            return EMPTY
        if len(name) < self.settings.min_length:
            return self._too_short
        if len(name) > self.settings.max_length:
            return self._too_long
        if not name.isprintable() and any(unicodedata.category(c) in ("Cc", "Cs") for c in name):
            return CONTROL
        return "" if any(map(str.isalpha, name)) else NO_LETTER


def check_label(label: str, where: str) -> None:
    """Raises DataError unless `label` can stand in a file of labels: not empty, without control characters."""
    if label.strip() and not any(unicodedata.category(c) in ("Cc", "Cs") for c in label):
        return
    raise DataError(
        f"{label!r} cannot be a label",
        where=where,
        expected="a name of printable characters",
        hint="rename the list or the type; the name of a list <label>.txt is its label",
    )
