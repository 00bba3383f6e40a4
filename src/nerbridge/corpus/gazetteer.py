"""Names by label, gathered from lists, tables, DBpedia or labelled data, and what was left out on the way."""

import hashlib
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nerbridge.data.labels import canonical

SHOWN = 3  # examples of each kind of name that was left out


@dataclass(slots=True)
class NameCounts:
    """What became of the entries that were read.

    read: entries; left_out: reason -> entries; changed: what was mended -> entries; examples: reason -> the first few.
    """

    read: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def leave_out(self, reason: str, name: str, where: str = "") -> None:
        """Count one entry that is not used; where: the file and line that it stands in."""
        self.left_out[reason] += 1
        shown = self.examples.setdefault(reason, [])
        if len(shown) < SHOWN:
            shown.append(f"{where}: {name[:60]}" if where else name[:60])

    def as_json(self) -> dict[str, Any]:
        """The counts and examples for a manifest."""
        return {
            "read": self.read,
            "left_out": dict(self.left_out.most_common()),
            "changed": dict(+self.changed),
            "examples": {reason: list(names) for reason, names in self.examples.items()},
        }

    def report(self) -> list[str]:
        """Lines for the user, one for each reason."""
        lines = [f"{count:,} {what}" for what, count in sorted(self.changed.items()) if count]
        for reason, count in sorted(self.left_out.items(), key=lambda item: -item[1]):
            lines.append(f"{count:,} left out: {reason}" + such_as(self.examples.get(reason, ())))
        return lines


def such_as(examples: Iterable[str]) -> str:
    """ " (such as 'Yes', 'Air')", to stand behind a reason; nothing without examples."""
    shown = ", ".join(map(repr, examples))
    return f" (such as {shown})" if shown else ""


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Names and their labels.

    labels: in the order of their bits. names: name -> bits, bit i set when the name is in the list of labels[i]. A name
    has single spaces, is NFC, and holds at least one letter.
    """

    labels: tuple[str, ...]
    names: Mapping[str, int]
    counts: NameCounts = field(default_factory=NameCounts, compare=False)

    def __len__(self) -> int:
        return len(self.names)

    def names_by_label(self) -> dict[str, int]:
        """How many names each label has; a name of two labels counts in both."""
        totals = dict.fromkeys(self.labels, 0)
        for bits, count in Counter(self.names.values()).items():
            for label in labels_of_bits(self.labels, bits):
                totals[label] += count
        return totals

    def sha256(self) -> str:
        """64 hexadecimal digits over names and labels; the order in which they were read does not count."""
        digest = hashlib.sha256("\0".join(self.labels).encode())
        for name in sorted(self.names):
            digest.update(f"\n{name}\0{self.names[name]}".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    def record(self) -> dict[str, Any]:
        """What tells these names from others, for the records of a run."""
        return {"names": len(self), "fingerprint": self.sha256()}

    def respelled(self, onto: Iterable[str]) -> "tuple[Gazetteer, dict[str, str]]":
        """This gazetteer with its labels spelled as in `onto` (organization -> organisation), and what was respelled.

        Only spellings of the explicit table of `nerbridge.data.labels` are equated; lists of one label are united.
        """
        spelled = {canonical(label): label for label in onto}
        renames = {
            label: spelled[canonical(label)]
            for label in self.labels
            if label not in spelled.values() and canonical(label) in spelled
        }
        return self.renamed(renames), renames

    def renamed(self, renames: Mapping[str, str]) -> "Gazetteer":
        """This gazetteer with other names for some of its labels (old -> new); lists of one label are united."""
        renamed = [renames.get(label, label) for label in self.labels]
        labels = tuple(dict.fromkeys(renamed))
        if len(labels) == len(renamed):
            return Gazetteer(labels, self.names, self.counts)
        moves = [1 << labels.index(label) for label in renamed]
        return Gazetteer(labels, _all_moved(self.names, moves), self.counts)

    def parted(self, labels: Container[str]) -> "tuple[Gazetteer, Gazetteer]":
        """The lists of `labels` alone, and those of all other labels without the names that the first have too."""
        own = tuple(label for label in self.labels if label in labels)
        moves = [1 << own.index(label) if label in own else 0 for label in self.labels]
        names = {name: bits for name, bits in _all_moved(self.names, moves).items() if bits}
        rest = {name: bits for name, bits in self.names.items() if name not in names}
        return Gazetteer(own, names, self.counts), Gazetteer(self.labels, rest, self.counts)


def labels_of_bits(labels: tuple[str, ...], bits: int) -> tuple[str, ...]:
    """The labels whose bits are set, in their order."""
    return tuple(label for place, label in enumerate(labels) if bits >> place & 1)


def _all_moved(names: Mapping[str, int], moves: list[int]) -> dict[str, int]:
    """Every name with its bits moved: bit i to the bits `moves[i]`."""
    moved = {bits: _moved(bits, moves) for bits in set(names.values())}
    return {name: moved[bits] for name, bits in names.items()}


def _moved(bits: int, moves: list[int]) -> int:
    moved = 0
    for place, target in enumerate(moves):
        if bits >> place & 1:
            moved |= target
    return moved
