"""What lines that are about to be read as texts look like: column files and JSON lines are not meant to be."""

import re
from collections.abc import Iterable

from nerbridge.inference.items import InputFormat

LOOKED_AT = 20  # lines from the start of a file; more say no more
FEWEST = 3  # lines of which nobody can say that they are meant so
TAGGED = re.compile(r"\S.*?[ \t]+(?:O|[BIESLUM]-\S+)[ \t]*")  # a word, perhaps more columns, and a tag at the end
RECORD = re.compile(r'\{\s*"\w+"\s*:.*\}\s*')


def looks_like(lines: Iterable[str]) -> InputFormat | None:
    """The format that more than half of the lines have the form of, blank ones left out; None for running text."""
    filled = [line for line in lines if line.strip()]
    for form, pattern in ((InputFormat.CONLL, TAGGED), (InputFormat.JSONL, RECORD)):
        matching = sum(pattern.fullmatch(line) is not None for line in filled)
        if matching >= FEWEST and 2 * matching > len(filled):
            return form
    return None
