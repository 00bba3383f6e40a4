"""Label sets, their descriptions, and the explicit table of spellings that mean the same label."""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nerbridge.data.sentence import Origin, Sentence
from nerbridge.errors import LabelError

# Every spelling -> the one name that two spellings are compared by. Nothing outside this table is ever equated, and
# every use of it is reported to the user.
ALIASES: Mapping[str, str] = {
    "per": "person",
    "pers": "person",
    "person": "person",
    "people": "person",
    "loc": "location",
    "location": "location",
    "org": "organisation",
    "organisation": "organisation",
    "organization": "organisation",
    "misc": "misc",
    "miscellaneous": "misc",
}


def canonical(label: str) -> str:
    """The name by which `label` is compared with labels of another data set."""
    return ALIASES.get(label.lower(), label)


@dataclass(frozen=True, slots=True)
class LabelSet:
    """Names of labels, sorted and distinct, with a description for each that has one.

    >>> LabelSet.of(["person", "band"]).names
    ('band', 'person')
    """

    names: tuple[str, ...]
    descriptions: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        if list(self.names) != sorted(set(self.names)):
            raise LabelError(
                f"label names must be sorted and distinct: {', '.join(self.names)}",
                where="a set of labels",
                expected="sorted, distinct names",
                hint="make the set with LabelSet.of",
            )

    @classmethod
    def of(cls, names: Iterable[str], descriptions: Mapping[str, str] | None = None) -> "LabelSet":
        """A label set of `names` in any order, repeated or not."""
        return cls(tuple(sorted(set(names))), dict(descriptions or {}))

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __len__(self) -> int:
        return len(self.names)

    def union(self, other: "LabelSet") -> "LabelSet":
        """Both sets by name; align spellings first with `respell`."""
        return LabelSet.of((*self.names, *other.names), {**other.descriptions, **self.descriptions})

    def without(self, other: "LabelSet") -> "LabelSet":
        """The labels that `other` lacks."""
        return LabelSet.of((n for n in self.names if n not in other.names), self.descriptions)


def respell(
    labels: LabelSet,
    onto: LabelSet,
    *,
    aliases: Mapping[str, str] | None = None,
    sentences: Iterable[Sentence] = (),
    data: str = "the data set",
) -> dict[str, str]:
    """Which of `labels` are another spelling of a label in `onto`: {'PER': 'person'}; equal names are left out.

    aliases: spelling -> label of `onto`, which a model was trained with; they win over the table.
    sentences, data: those that have `labels`, and the name of their data set, for messages.
    Raises LabelError when two labels would become one.
    """
    by_canonical = {canonical(name): name for name in onto.names}
    own = {name: label for name, label in (aliases or {}).items() if label in onto.names}
    renames: dict[str, str] = {}
    for name in labels.names:
        target = own.get(name, by_canonical.get(canonical(name)))
        if name in onto.names or target is None:
            continue
        if target in labels.names:
            raise _both_mean(target, name, target, sentences, data)
        if other := next((earlier for earlier, meant in renames.items() if meant == target), None):
            raise _both_mean(target, name, other, sentences, data)
        renames[name] = target
    return renames


def _both_mean(meant: str, name: str, other: str, sentences: Iterable[Sentence], data: str) -> LabelError:
    """What is said of two labels of one data set that both mean the label `meant` of another."""
    places: dict[str, Origin] = {}
    for sentence in sentences:
        if sentence.origin is not None:
            for label in {span.label for span in sentence.spans} & {name, other}:
                places.setdefault(label, sentence.origin)
    found = [f"'{label}' in the sentence at {places[label]}" for label in (name, other) if label in places]
    file = Path(places[name].path) if name in places else Path("FILE")
    new = file.with_name(f"renamed-{file.name}") if name in places else "NEW"
    command = shlex.join(["nerbridge", "data", "convert", str(file), str(new), "--rename", f"{name}={other}"])
    return LabelError(
        f"labels '{name}' and '{other}' both mean '{meant}'",
        where=": ".join([data, ", ".join(found)] if found else [data]),
        expected="one spelling per label inside a data set",
        hint=f"make them one with `{command}`, and name the new file instead",
    )
