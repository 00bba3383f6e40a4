"""The pages of a MediaWiki XML dump, as bytes, one at a time.

A dump is one XML document of any size, but `<page>` and `</page>` can stand nowhere else than around a page (text is
escaped). So pages are cut out by these marks and parsed on their own: a broken one costs nothing but itself, memory is
bounded by the longest page, and most pages are refused by a look at their bytes.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import cast
from xml.etree import ElementTree

from nerbridge.corpus.compression import BUFFER, DamagedFileError, open_bytes
from nerbridge.corpus.tally import Tally

BEGIN, END = b"<page>", b"</page>"
OPEN, CLOSE = b"<mediawiki", b"</mediawiki>"  # around all pages; what was cut out of a dump may have neither
ARTICLE, FILE, CATEGORY = 0, 6, 14  # numbers of namespaces
BYTES_PER_CHARACTER = 4  # of a page, against the longest document: tables, references, escapes
_HEAD = 8_192  # bytes of a page in which title, namespace and redirect stand
_NAMESPACE = re.compile(rb"<ns>\s*(-?\d+)\s*</ns>")
_NAMESPACE_NAME = re.compile(rb'<namespace key="(-?\d+)"[^>]*>([^<]*)</namespace>')
_TEXT_REDIRECT = re.compile(rb"<text[^>]*>\s*#\s*redirect\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RawPage:
    """The bytes from <page> to </page> of the page `number` (from 1) of the dump `origin`.

    hidden_names: what the wiki calls its namespaces of files and categories.
    """

    data: bytes
    origin: str
    number: int
    hidden_names: tuple[str, ...] = ()

    @property
    def namespace(self) -> int:
        """The number of its namespace; 0 are articles. Where a dump has no numbers, all are articles."""
        found = _NAMESPACE.search(self.data, 0, _HEAD)
        return int(found[1]) if found else ARTICLE

    @property
    def is_redirect(self) -> bool:
        """Does it only lead to another page?"""
        return self.data.find(b"<redirect", 0, _HEAD) >= 0 or _TEXT_REDIRECT.search(self.data, 0, _HEAD) is not None

    def parse(self) -> "Page | None":
        """Title and mark-up of its last revision, None when it is no sound XML or holds no text."""
        try:
            page = ElementTree.fromstring(self.data)
        except ElementTree.ParseError:
            return None
        texts = page.findall("revision/text")
        if not texts:
            return None
        return Page(page.findtext("title") or "", texts[-1].text or "")


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page."""

    title: str
    markup: str


class Dump:
    """One dump. names: of its namespaces, by number; known when the first page has come."""

    def __init__(self, path: Path, *, max_characters: int) -> None:
        self.path = path
        self.names: dict[int, str] = {}
        self._limit = max_characters * BYTES_PER_CHARACTER
        self._buffer = bytearray()
        self._inside = False  # does the buffer begin with a page?
        self._open = False  # was the mark before all pages read, and the one behind them not yet?

    def pages(self, tally: Tally) -> Iterator[RawPage]:
        """Every page, in order; those that are too long, or have no end, are counted in `tally`.

        Raises DamagedFileError behind the last page of a file that ends too early, between two pages too.
        """
        self._buffer.clear()
        self._inside = self._open = False
        number = 0
        hidden: tuple[str, ...] = ()
        try:
            with open_bytes(self.path) as stream:
                read = cast(BufferedIOBase, stream).read1  # `read` would lose what stands before a damage
                while block := read(BUFFER):
                    searched = len(self._buffer)
                    self._buffer += block
                    for data in self._cut(max(searched - len(END), 0), tally):
                        number += 1
                        hidden = hidden or tuple(self.names[key] for key in (FILE, CATEGORY) if key in self.names)
                        yield RawPage(data, str(self.path), number, hidden)
        finally:
            if self._inside:
                tally.refuse("broken_page")
                self._inside = False
        if not number:
            raise DamagedFileError("there is no <page> in it, so it is no MediaWiki dump")
        if self._open:
            raise DamagedFileError("it ends before </mediawiki>, so pages may be missing")

    def _cut(self, searched: int, tally: Tally) -> Iterator[bytes]:
        """The pages that end in the buffer; what was searched before is not searched again."""
        while True:
            if not self._inside:
                if not self._find_begin():
                    return
                searched = 0
            end = self._buffer.find(END, searched)
            other = self._buffer.rfind(BEGIN, len(BEGIN), end if end >= 0 else len(self._buffer))
            if other >= 0:  # a page within a page: the first one has no end
                tally.refuse("broken_page")
                del self._buffer[:other]
                searched = max(end - other, 0) if end >= 0 else 0
            elif end >= 0:
                page = bytes(self._buffer[: end + len(END)])
                del self._buffer[: end + len(END)]
                self._inside = False
                yield page
            elif len(self._buffer) > self._limit:
                tally.refuse("long_page")
                self._buffer.clear()
                self._inside = False
            else:
                return

    def _find_begin(self) -> bool:
        """Moves the buffer to the next page; without one, what may be the start of its mark stays."""
        begin = self._buffer.find(BEGIN)
        between = bytes(self._buffer[: begin if begin >= 0 else len(self._buffer)])
        self._open = (self._open or OPEN in between) and CLOSE not in between
        if not self.names:  # they stand before the first page
            for key, name in _NAMESPACE_NAME.findall(between):
                self.names[int(key)] = html.unescape(name.decode("utf-8", "replace"))
        self._inside = begin >= 0
        keep = begin if begin >= 0 else max(len(self._buffer) - len(CLOSE) + 1, 0)
        del self._buffer[:keep]
        return self._inside
