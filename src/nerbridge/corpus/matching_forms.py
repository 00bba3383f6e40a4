"""How a name is written in text: with which capitals, and cut into which words."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Literal

from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.data.stop_words import STOP_WORDS
from nerbridge.data.tokenization import tokenize

Case = Literal["smart", "exact", "lower"]
Cut = Callable[[str], list[str]]
# Small words that open names and lose their capital inside a sentence: "the Who", "de Gaulle", "van Gogh".
_FOREIGN = "al da de del den der des di do dos du el il la las le les lo los van von y"
OPENERS = STOP_WORDS | frozenset(_FOREIGN.split())
PLAIN = re.compile(r"(?:[^\W_]| )+")  # letters, digits, spaces: cut at spaces whatever the rules
TITLED = 5  # names of several words that a list needs to tell how it writes nouns


def cut_words(name: str) -> list[str]:
    """The words of `name`, cut as raw text is cut."""
    return [name[start:end] for start, end in tokenize(name)]


def noun_labels(gazetteer: Gazetteer) -> int:
    """The bits of labels whose names are nouns under titles, such as 'Random forest' among fields of research.

    Most of such a label's names of several words have no capital behind their first letter.
    """
    several: Counter[int] = Counter()
    titled: Counter[int] = Counter()
    for name, bits in gazetteer.names.items():
        if " " in name:
            several[bits] += 1
            titled[bits] += name[1:] == name[1:].lower() and name != name.upper()
    nouns = 0
    for place in range(len(gazetteer.labels)):
        bit = 1 << place
        total = sum(count for bits, count in several.items() if bits & bit)
        if total >= TITLED and sum(count for bits, count in titled.items() if bits & bit) > total / 2:
            nouns |= bit
    return nouns


def case_forms(name: str, case: Case) -> tuple[str, ...]:
    """The ways in which `name` may be written, whatever its label.

    smart: as it stands; 'neural network' with a large first letter too, as a sentence opens; 'The Who' with a small one
    too, as inside a sentence. lower: in small letters; text is compared in small letters too. exact: as it stands.
    """
    if case == "lower":
        return (name.lower(),)
    first, _, rest = name.partition(" ")
    small, opens = name == name.lower(), first.lower() in OPENERS and first[1:] == first[1:].lower()
    return with_other_first_letter(name) if case == "smart" and rest and (small or opens) else (name,)


def noun_forms(name: str) -> tuple[str, ...]:
    """The ways in which the name of a noun may be written: 'Random forest' is 'random forest', but 'BERT' is itself."""
    return with_other_first_letter(name) if name[1:] == name[1:].lower() else (name,)


def with_other_first_letter(name: str) -> tuple[str, ...]:
    """`name`, and the same with its first letter small for large, large for small; one of them where that is equal."""
    return tuple(dict.fromkeys((name, name[0].swapcase() + name[1:])))


def word_forms(name: str, cut: Cut = cut_words) -> Iterator[str]:
    """The ways in which `name` is cut into words, joined by single spaces: as it stands, and by the rules of `cut`."""
    yield name
    if not PLAIN.fullmatch(name):
        by_rules = " ".join(cut(name))
        if by_rules != name:
            yield by_rules
