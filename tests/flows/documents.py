"""The project's Markdown pages, taken apart for the tests that hold them to the truth."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
SHELL_WORDS = {"<<<", "|", ">", "&&", "#", ";"}


@dataclass(frozen=True)
class Block:
    """A fenced block of code: where its first line stands, its language, its text."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(language: str) -> list[Block]:
    """The fenced blocks of `language` in all pages."""
    pages = {page: page.read_text(encoding="utf-8") for page in PAGES}
    return [
        Block(page, text[: match.start()].count("\n") + 2, language, match[2])
        for page, text in pages.items()
        for match in FENCE.finditer(text)
        if match[1] == language
    ]


def shell_commands() -> Iterator[tuple[str, list[str]]]:
    """(place, words) of every `nerbridge` command in shell blocks; what follows `<<<`, `|` or `#` is left out."""
    for block in blocks("sh"):
        joined = re.sub(r"\\\n *", "", block.text)
        for number, line in enumerate(joined.splitlines(), start=block.line):
            _, found, rest = line.strip().partition("nerbridge ")
            if found:
                yield f"{block.page.name}:{number}", _words(rest)


def mentioned_commands() -> Iterator[tuple[str, list[str]]]:
    """(place, words) of every `nerbridge` command in the running text, often without its arguments."""
    for page in PAGES:
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        for match in re.finditer(r"`nerbridge ([a-z][^`]*)`", text):
            yield f"{page.name}: {match[0]}", _words(match[1])


def _words(rest: str) -> list[str]:
    words = shlex.split(rest)
    return words[: next((n for n, word in enumerate(words) if word in SHELL_WORDS), len(words))]


def links(page: Path) -> list[tuple[str, str]]:
    """(file, anchor) of every link in `page` that stays in the project; an empty file means the page itself."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", text)
    split = [target.partition("#") for target in targets if not re.match(r"[a-z]+:", target)]
    return [(file, anchor) for file, _, anchor in split]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
