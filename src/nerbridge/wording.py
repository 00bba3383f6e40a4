"""Numbers in sentences for people."""

import re

_OF_ONE = {"are": "is", "were": "was", "share": "shares"}  # verbs behind "that"


def counted(number: int, one: str, many: str = "") -> str:
    """'1 sentence', '2,345 sentences', '2 entities': the number with its noun.

    one: the noun for 1. many: for all others; by default what `plural` makes of `one`.
    """
    return f"{number:,} {one if number == 1 else many or plural(one)}"


def counted_as(number: int, many: str) -> str:
    """'1 line that is no text', '2 lines that are no text': the number with what is said of many.

    many: begins with the noun, in a plural that ends in s.
    """
    if number != 1:
        return f"{number:,} {many}"
    noun, *others = many.split(" ")
    said = " ".join([noun.removesuffix("s"), *others])
    return "1 " + re.sub(r"(?<=\bthat )(are|were|share)\b", lambda verb: _OF_ONE[verb[0]], said)


def plural(noun: str) -> str:
    """'sentence' -> 'sentences', 'entity' -> 'entities', 'day' -> 'days'; the end of `noun` changes."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"
