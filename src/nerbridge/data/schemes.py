"""Tags <-> spans in every scheme, and which scheme a file uses.

    scheme   New York  in  Rome       B opens, I continues, E ends, S is a span of one word
    BIO      B-LOC I-LOC O B-LOC
    BIOES    B-LOC E-LOC O S-LOC

Spans -> tags -> spans is the identity in all schemes but IO and bare, where neighbours of one label merge
(`count_merges` says how often).
"""

from collections.abc import Sequence
from itertools import pairwise

from nerbridge.data.scheme_detection import Detection, detect_scheme, examine_tags
from nerbridge.data.sentence import Span
from nerbridge.data.tag_grammar import (
    CLOSING,
    LETTERS,
    MERGING,
    OUTSIDE,
    UNNAMED_LABEL,
    Repair,
    Scheme,
    TagFault,
    expected_tags,
    parse_tag,
)
from nerbridge.data.tag_transitions import broken_transitions

__all__ = [
    "Detection",
    "Repair",
    "Scheme",
    "TagFault",
    "count_merges",
    "detect_scheme",
    "examine_tags",
    "spans_from_tags",
    "tags_from_spans",
]


def spans_from_tags(
    tags: Sequence[str],
    scheme: Scheme,
    repair: Repair = Repair.CONLLEVAL,
    *,
    delimiter: str = "-",
    unnamed_label: str | None = UNNAMED_LABEL,
) -> tuple[tuple[Span, ...], list[TagFault]]:
    """The spans of one sentence's tags, and every place where the tags break `scheme`.

    CONLLEVAL and REJECT read as the conlleval script does, STRICT keeps only well-formed spans; whether faults stop
    the reading is the caller's business. A tag unknown to `scheme` is a fault that cannot be repaired, read as O.
    unnamed_label: the label of bare letters (B, I, O without a label); None makes them unknown tags.

    >>> spans_from_tags(["B-PER", "I-PER", "O"], Scheme.BIO)
    ((Span(start=0, end=2, label='PER'),), [])
    """
    if all(tag == OUTSIDE for tag in tags):
        return (), []
    pieces: list[tuple[str, str]] = []
    faults: list[TagFault] = []
    for position, tag in enumerate(tags):
        letter, label = parse_tag(tag, scheme, delimiter) or ("", "")
        if letter not in ("", OUTSIDE) and not label:
            letter, label = (letter, unnamed_label) if unnamed_label else ("", "")
        if not letter:
            what = f"tag '{tag}' is not a {scheme} tag ({expected_tags(scheme, delimiter)})"
            faults.append(TagFault(position, tag, what, repairable=False))
        pieces.append((letter or OUTSIDE, label))
    faults.extend(broken_transitions(tags, pieces, scheme))
    return _read_spans(pieces, scheme, strict=repair is Repair.STRICT), faults


def _read_spans(pieces: list[tuple[str, str]], scheme: Scheme, *, strict: bool) -> tuple[Span, ...]:
    spans: list[Span] = []
    opener, start, label = "", 0, ""

    def close(end: int, *, complete: bool) -> None:
        if strict and scheme in CLOSING:
            keep = complete and opener in "BS"
        else:
            keep = not strict or scheme is not Scheme.BIO or opener == "B"
        if keep:
            spans.append(Span(start, end, label))

    for position, (letter, name) in enumerate(pieces):
        if opener and (letter in "OBS" or name != label):
            close(position, complete=False)
            opener = ""
        if letter == OUTSIDE:
            continue
        if not opener:
            opener, start, label = letter, position, name
        if letter in "ES":
            close(position + 1, complete=True)
            opener = ""
    if opener:
        close(len(pieces), complete=False)
    return tuple(spans)


def tags_from_spans(spans: Sequence[Span], length: int, scheme: Scheme, *, delimiter: str = "-") -> list[str]:
    """`length` tags that spell `spans` (sorted, not overlapping, inside the sentence).

    >>> tags_from_spans([Span(0, 2, "PER")], 3, Scheme.BIOES)
    ['B-PER', 'E-PER', 'O']
    """
    tags = [OUTSIDE] * length
    if scheme is Scheme.BARE:
        for span in spans:
            tags[span.start : span.end] = [span.label] * (span.end - span.start)
        return tags
    spelled = {canonical: prefix for prefix, canonical in LETTERS[scheme].items()}
    before: Span | None = None
    for span in spans:
        last = span.end - 1
        touches = before is not None and before.end == span.start and before.label == span.label
        for position in range(span.start, span.end):
            letter = "B" if position == span.start else "I"
            if scheme in CLOSING and position == last:
                letter = "S" if span.start == last else "E"
            elif scheme is Scheme.IO or (scheme is Scheme.IOB1 and not touches):
                letter = "I"
            tags[position] = f"{spelled[letter]}{delimiter}{span.label}"
        before = span
    return tags


def count_merges(spans: Sequence[Span], scheme: Scheme) -> int:
    """How many of `spans` would join their neighbour when written in `scheme` (only IO and bare merge)."""
    if scheme not in MERGING:
        return 0
    return sum(one.end == two.start and one.label == two.label for one, two in pairwise(spans))
