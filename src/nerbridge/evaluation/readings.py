"""Two readings of tag sequences: what counts as an entity when a sequence is malformed.

conlleval: lenient; an I- (or E-) after O or after another label opens a span, an open span always counts.
strict: only well-formed pieces count. BIO: a B- and the I- of the same label behind it; other I- are dropped.
    BIOES: S-, or B- I-* E- of one label; everything else is dropped.

Well-formed sequences read the same both ways. The two schemes must be told apart by the caller, never guessed: a lone
B- is an entity in BIO and malformed in BIOES.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, get_args

from nerbridge.data.sentence import Span

Reading = Literal["conlleval", "strict"]
READINGS: tuple[Reading, ...] = get_args(Reading)
_PREFIXES = {"BIO": "BI", "BIOES": "BIES"}


def check_tags(tags: Sequence[str], scheme: str) -> None:
    """Raises ValueError unless every tag is O or a prefix of `scheme` (BIO or BIOES), a hyphen and a label."""
    if scheme not in _PREFIXES:
        raise ValueError(f"scheme '{scheme}' is not one of {', '.join(_PREFIXES)}")
    for tag in tags:
        prefix, hyphen, label = tag.partition("-")
        if tag != "O" and not (len(prefix) == 1 and prefix in _PREFIXES[scheme] and hyphen and label):
            raise ValueError(f"'{tag}' is not a tag of scheme {scheme}")


def read_tags(tags: Sequence[str], *, scheme: str = "BIO", reading: Reading = "conlleval") -> tuple[Span, ...]:
    """The spans of one sentence's tags, in order.

    scheme: BIO (IOB2) or BIOES. reading: see the module. Raises ValueError for a tag outside the scheme.

    >>> read_tags(["O", "I-person"]), read_tags(["O", "I-person"], reading="strict")
    ((Span(start=1, end=2, label='person'),), ())
    """
    check_tags(tags, scheme)
    return _read_lenient(tags) if reading == "conlleval" else _read_strict(tags, scheme)


def count_malformed(tags: Sequence[str], scheme: str = "BIO") -> int:
    """The number of illegal neighbours in one sentence's tags, its two edges included."""
    padded = ["O", *tags, "O"]
    return sum(not _legal(first, second, scheme) for first, second in pairwise(padded))


def _legal(first: str, second: str, scheme: str) -> bool:
    inside = second[0] in "IE"
    continues = inside and first[0] in "BI" and first[2:] == second[2:]
    if scheme == "BIOES" and first[0] in "BI":
        return continues
    return continues or not inside


def _read_lenient(tags: Sequence[str]) -> tuple[Span, ...]:
    spans: list[Span] = []
    start, open_label = 0, ""
    for position, tag in enumerate([*tags, "O"]):
        prefix, _, label = tag.partition("-")
        if open_label and (prefix in "OBS" or label != open_label):
            spans.append(Span(start, position, open_label))
            open_label = ""
        if prefix != "O" and not open_label:
            start, open_label = position, label
        if prefix in "ES":
            spans.append(Span(start, position + 1, label))
            open_label = ""
    return tuple(spans)


def _read_strict(tags: Sequence[str], scheme: str) -> tuple[Span, ...]:
    spans: list[Span] = []
    start, open_label = 0, ""
    for position, tag in enumerate([*tags, "O"]):
        prefix, _, label = tag.partition("-")
        continues = bool(open_label) and prefix in "IE" and label == open_label
        if open_label and not continues:
            if scheme == "BIO":  # in BIOES an open span without its E- is malformed
                spans.append(Span(start, position, open_label))
            open_label = ""
        if prefix == "B":
            start, open_label = position, label
        elif prefix == "S":
            spans.append(Span(position, position + 1, label))
        elif prefix == "E" and continues:
            spans.append(Span(start, position + 1, label))
            open_label = ""
    return tuple(spans)
