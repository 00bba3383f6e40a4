"""The sections at the end of docs/results.md, one for each result file, and the marks in the rows that lead to them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parent / "results"
DOCS = Path(__file__).parents[1] / "docs"
CODE_OR_LINK = re.compile(r"(`[^`]*`|\[[^\]]*\]\([^)]*\))")
NAME = re.compile(r"(?<![\w/.-])(docs/)?([a-z0-9]+(?:-[a-z0-9]+)*)(\.md)?(?![\w/-])")  # 'dapt-mpnet', 'docs/adapt.md'


def marks_of(files: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """File name -> the number of its section, as a link to it."""
    return {one["file"]: f"[{number}](#{_anchor(_title(number, one))})" for number, one in enumerate(files, start=1)}


def sections(files: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What the runs of each file were made with, numbered as the rows are marked."""
    yield "## What the runs were made with\n"
    for number, one in enumerate(files, start=1):
        yield f"### {_title(number, one)}\n"
        if one["note"]:
            yield f"{with_links(one['note'])}\n"
        yield "\n".join(one["made_with"]) + "\n"


def with_links(note: str, pages: Path = PAGES, docs: Path = DOCS) -> str:
    """`note` with links in the place of the bare names of pages that are there; code and links stay as they are.

    A page of results is known by its ending or by a name of several parts, one of docs by its folder and ending.
    """

    def linked(found: re.Match[str]) -> str:
        folder, name, ending = found.groups()
        if folder:
            there, address = ending and (docs / f"{name}.md").is_file(), f"{name}.md"
        else:
            there = (ending or "-" in name) and (pages / f"{name}.md").is_file()
            address = f"../benchmarks/results/{name}.md"
        return f"[{found[0]}]({address})" if there else found[0]

    parts = CODE_OR_LINK.split(note)  # every second one is code or a link
    return "".join(part if number % 2 else NAME.sub(linked, part) for number, part in enumerate(parts))


def _title(number: int, one: Mapping[str, Any]) -> str:
    return f"{number}. `{one['file']}`"


def _anchor(title: str) -> str:
    """How GitHub names the heading `title`."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
