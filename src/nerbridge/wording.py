"""Numbers in sentences for people."""


def counted(number: int, one: str, many: str = "") -> str:
    """'1 sentence', '2,345 sentences', '2 entities': the number with its noun.

    one: the noun for 1. many: for all others; by default what `plural` makes of `one`.
    """
    return f"{number:,} {one if number == 1 else many or plural(one)}"


def plural(noun: str) -> str:
    """'sentence' -> 'sentences', 'entity' -> 'entities', 'day' -> 'days'; the end of `noun` changes."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"
