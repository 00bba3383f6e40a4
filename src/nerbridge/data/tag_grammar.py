"""The tag schemes, their letters, and what one tag says.

Every scheme is read through four canonical letters: B opens a span, I continues one, E ends one, S is a whole span.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType

OUTSIDE = "O"
UNNAMED_LABEL = "entity"  # the label of spans in files whose tags are bare B, I, O


class Scheme(StrEnum):
    """How spans are spelled as one tag per word."""

    BIO = "BIO"  # IOB2: every span opens with B-
    IOB1 = "IOB1"  # B- only where a span follows another of the same label
    BIOES = "BIOES"  # E- ends, S- is a span of one word
    BMES = "BMES"  # BIOES with M- for I-
    BILOU = "BILOU"  # BIOES with L- for E- and U- for S-
    IO = "IO"  # I- only: neighbours of one label merge
    BARE = "bare"  # label names without prefix: neighbours of one label merge

    @classmethod
    def _missing_(cls, value: object) -> "Scheme | None":
        """Names in any case, and the other common names of three schemes."""
        name = str(value).upper()
        name = {"IOB2": "BIO", "IOB": "IOB1", "IOBES": "BIOES"}.get(name, name)
        return next((scheme for scheme in cls if scheme.value.upper() == name), None)


class Repair(StrEnum):
    """What becomes of a malformed tag sequence; each such place is counted whatever is chosen."""

    CONLLEVAL = "conlleval"  # as the conlleval script reads: I- after O or another label opens a span
    STRICT = "strict"  # malformed pieces are dropped
    REJECT = "reject"  # each malformed place is a fault


LETTERS = MappingProxyType(
    {
        Scheme.BIO: MappingProxyType({"B": "B", "I": "I"}),
        Scheme.IOB1: MappingProxyType({"B": "B", "I": "I"}),
        Scheme.BIOES: MappingProxyType({"B": "B", "I": "I", "E": "E", "S": "S"}),
        Scheme.BMES: MappingProxyType({"B": "B", "M": "I", "E": "E", "S": "S"}),
        Scheme.BILOU: MappingProxyType({"B": "B", "I": "I", "L": "E", "U": "S"}),
        Scheme.IO: MappingProxyType({"I": "I"}),
    }
)
MERGING = frozenset({Scheme.IO, Scheme.BARE})
CLOSING = frozenset({Scheme.BIOES, Scheme.BMES, Scheme.BILOU})


@dataclass(frozen=True, slots=True)
class TagFault:
    """A place where tags break their scheme.

    position: index of the word. repairable: False for a tag that the scheme does not know; no policy mends that.
    """

    position: int
    tag: str
    what: str
    repairable: bool = True


@lru_cache(maxsize=65536)
def parse_tag(tag: str, scheme: Scheme, delimiter: str = "-") -> tuple[str, str] | None:
    """The canonical letter (O, B, I, E or S) and the label of `tag`, or None when `scheme` has no such tag.

    The tag is split at the first `delimiter` only: labels may contain it. A bare letter has the label ''.

    >>> parse_tag("B-Multi-tissue_structure", Scheme.BIO)
    ('B', 'Multi-tissue_structure')
    """
    if tag == OUTSIDE:
        return OUTSIDE, ""
    if scheme is Scheme.BARE:
        return ("I", tag) if tag else None
    prefix, found, label = tag.partition(delimiter)
    letter = LETTERS[scheme].get(prefix)
    if letter is None or (found and not label):
        return None
    return letter, label


def expected_tags(scheme: Scheme, delimiter: str = "-") -> str:
    """The shapes of tags in `scheme`, for messages."""
    if scheme is Scheme.BARE:
        return "O or the name of a label"
    return ", ".join([OUTSIDE, *(f"{prefix}{delimiter}<label>" for prefix in LETTERS[scheme])])
