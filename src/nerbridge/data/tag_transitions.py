"""Which pairs of neighbouring tags a scheme does not allow."""

from collections.abc import Sequence

from nerbridge.data.tag_grammar import MERGING, OUTSIDE, Scheme, TagFault


def broken_transitions(tags: Sequence[str], pieces: list[tuple[str, str]], scheme: Scheme) -> list[TagFault]:
    """One fault per illegal pair of neighbours, at its second word (at the last word where the sentence ends)."""
    if scheme in MERGING:
        return []
    faults: list[TagFault] = []
    before, label = OUTSIDE, ""
    for position, (letter, name) in enumerate([*pieces, (OUTSIDE, "")]):
        is_open = before in "BI"
        if scheme is Scheme.IOB1:
            broken = letter == "B" and name != label
        elif scheme is Scheme.BIO:
            broken = letter == "I" and name != label
        elif letter in "IE":
            broken = not is_open or name != label
        else:
            broken = is_open
        if broken:
            first = f"'{tags[position - 1]}'" if position else "the sentence start"
            second = f"'{tags[position]}'" if position < len(tags) else "the sentence end"
            at = min(position, len(tags) - 1)
            faults.append(TagFault(at, tags[at], f"{second} cannot follow {first} in {scheme}"))
        before, label = letter, name
    return faults
