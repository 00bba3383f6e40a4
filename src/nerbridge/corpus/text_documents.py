"""Plain text -> documents: a line, a block of wrapped lines, or a whole file each."""

from collections.abc import Iterator
from pathlib import Path

from nerbridge.config.corpus import RawTextSettings
from nerbridge.corpus.compression import open_bytes
from nerbridge.corpus.document import Document
from nerbridge.corpus.tally import Tally
from nerbridge.corpus.text_lines import decoded, text_lines


def read_text(path: Path, settings: RawTextSettings, tally: Tally) -> Iterator[Document]:
    """The documents of a text file; empty lines are none."""
    with open_bytes(path) as stream:
        lines = decoded(text_lines(stream, settings.encoding, settings.max_characters), str(path), tally)
        if settings.unit == "line":
            yield from _lines(lines, str(path), tally)
        else:
            yield from _joined(lines, str(path), settings, tally)


def _lines(lines: Iterator[tuple[int, str, bool]], origin: str, tally: Tally) -> Iterator[Document]:
    for number, text, ends in lines:
        tally.cut += not ends
        if text and not text.isspace():
            yield Document(text, origin, number)


def _joined(
    lines: Iterator[tuple[int, str, bool]], origin: str, settings: RawTextSettings, tally: Tally
) -> Iterator[Document]:
    """Blocks are one paragraph, their lines joined by spaces; the lines of a file are its paragraphs."""
    wrapped = settings.unit == "block"
    waiting: list[str] = []
    length, first = 0, 1
    for number, text, ends in lines:
        blank = not text or text.isspace()
        too_long = length + len(text) > settings.max_characters
        if waiting and (too_long or (blank and wrapped)):
            tally.cut += too_long
            yield Document((" " if wrapped else "\n").join(waiting), origin, first)
            waiting, length = [], 0
        if not blank:
            first = first if waiting else number
            waiting.append(text)
            length += len(text) + 1
            tally.cut += not ends
    if waiting:
        yield Document((" " if wrapped else "\n").join(waiting), origin, first)
