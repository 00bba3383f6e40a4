"""Labels whose names are almost the same or mean the same: probably a slip. They are pointed out, never equated."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from nerbridge.data.labels import canonical
from nerbridge.wording import counted

SHORTEST_LONGER = 4  # letters of the longer name from which one letter more is a likely slip: 'bee' and 'beer'
SHORTEST_EQUAL = 5  # from which another letter is: shorter names, such as 'DNA' and 'RNA', differ so on purpose
LIKE = 0.75  # from 0 to 1: from which on a name is proposed for another


@dataclass(frozen=True, slots=True)
class NearLabels:
    """Two labels of nearly one name, the rarer one first. difference: 'case only', 'one letter' or 'spelling only'."""

    rarer: str
    other: str
    num_rarer: int
    num_other: int
    difference: str

    def __str__(self) -> str:
        mentions = counted(self.num_rarer, "mention")
        return (
            f"label '{self.rarer}' ({mentions}) differs from '{self.other}' ({self.num_other:,}) by {self.difference}"
        )


def near_labels(counts: Mapping[str, int]) -> list[NearLabels]:
    """Each key of `counts` (label -> mentions) beside the most frequent one of nearly the same name, if there is one;
    names that the alias table equates, such as 'LOC' and 'location', are among them.

    Digits part names on purpose ('type1', 'type2').
    """
    pairs = []
    by_frequency = sorted(counts, key=lambda label: (-counts[label], label))
    for place, label in enumerate(by_frequency):
        for other in by_frequency[:place]:
            difference = _difference(label, other)
            if difference:
                pairs.append(NearLabels(label, other, counts[label], counts[other], difference))
                break
    return sorted(pairs, key=lambda pair: pair.rarer)


def nearest_label(label: str, known: Iterable[str]) -> str | None:
    """The one of `known` that is spelled most like `label`, letter case aside; None where none is like it."""
    folded = {name.casefold(): name for name in known}
    near = get_close_matches(label.casefold(), folded, n=1, cutoff=LIKE)
    return folded[near[0]] if near else None


def with_nearest(labels: Iterable[str], known: Iterable[str]) -> str:
    """ "Algorithms (is it 'algorithm'?), field": `labels`, each with the nearest of `known`, where one is near."""
    known = tuple(known)
    pairs = [(label, nearest_label(label, known)) for label in labels]
    return ", ".join(label if near is None else f"{label} (is it '{near}'?)" for label, near in pairs)


def _difference(one: str, two: str) -> str:
    one, two = one.casefold(), two.casefold()
    if one == two:
        return "case only"
    short, long = sorted((one, two), key=len)
    first = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) == len(long):
        slip = len(long) >= SHORTEST_EQUAL and short[first + 1 :] == long[first + 1 :] and short[first].isalpha()
    else:
        slip = len(long) >= SHORTEST_LONGER and short[first:] == long[first + 1 :]
    if slip and long[first].isalpha():
        return "one letter"
    return "spelling only" if canonical(one) == canonical(two) else ""
