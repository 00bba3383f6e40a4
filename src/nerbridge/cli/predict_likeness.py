"""The warning of `nerbridge predict` about files that are tagged as running text and look like something else."""

from collections.abc import Iterator

from nerbridge.cli.console import console
from nerbridge.inference.items import InputFormat, Item
from nerbridge.inference.likeness import LOOKED_AT, looks_like
from nerbridge.inference.standard_input import STANDARD_INPUT

LIKENESS = {
    InputFormat.CONLL: "a column file (a word and its tag on each line)",
    InputFormat.JSONL: "JSON lines (an object on each line)",
}


def watched(items: Iterator[Item], path: str) -> Iterator[Item]:
    """The same items, none of them read ahead; a warning when the first lines look like those of another format."""
    first: list[str] = []
    for item in items:
        if len(first) < LOOKED_AT:
            first.append(item.text or "")
            if len(first) == LOOKED_AT:
                _warn_of_likeness(first, path)
        yield item
    if len(first) < LOOKED_AT:
        _warn_of_likeness(first, path)


def _warn_of_likeness(lines: list[str], path: str) -> None:
    form = looks_like(lines)
    if form is not None:
        name = "standard input" if path == STANDARD_INPUT else f"'{path}'"
        console.warning(
            f"{name} looks like {LIKENESS[form]}, yet every line is tagged as a text of its own; "
            f"to read it as what it is: --input-format {form}"
        )
