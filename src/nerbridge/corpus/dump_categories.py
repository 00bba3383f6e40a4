"""Which articles of a dump belong to a category: the links of its category pages, followed down to a depth.

A category page names its parents, so one pass over the dump gives the whole graph. It may have cycles: every category
is visited once, at its least depth. Links that a template makes stand in no page's text and are not seen.
Memory: 16 bytes per link between categories (some 100 MB for the English Wikipedia), whatever the size of the text.
"""

import hashlib
import html
import re
from array import array
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from nerbridge.corpus.dump_pages import CATEGORY, Dump
from nerbridge.corpus.tally import Tally

_SPACES = re.compile(r"[\s_]+")
_TITLE = re.compile(rb"<title>([^<]*)</title>")
_HIDDEN = re.compile(rb"&lt;!--.*?--&gt;|&lt;nowiki\s*&gt;.*?&lt;/nowiki\s*&gt;", re.DOTALL)
_NAME = rb"[ _]*:[ _]*([^\]|{}\[\n]+)"


def category_id(name: str) -> int:
    """64 bits that stand for a category; '_' is a space and the first letter is a capital, as in MediaWiki.

    >>> category_id("machine_learning") == category_id(" Machine  learning")
    True
    """
    plain = _SPACES.sub(" ", name).strip()
    plain = plain[:1].upper() + plain[1:]
    return int.from_bytes(hashlib.blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


class CategoryLinks:
    """Finds the links to categories in the pages of one dump, under the English name of the namespace and its own."""

    def __init__(self, dump: Dump) -> None:
        self._dump = dump
        self._pattern: re.Pattern[bytes] | None = None

    def of(self, data: bytes) -> Iterator[int]:
        """The ids of the categories that a page names, links in comments aside; with repetitions."""
        pattern = self._pattern or self._compile()  # the names are known when the first page has come
        if pattern.search(data) is None:
            return
        visible = _HIDDEN.sub(b"", data) if b"&lt;" in data else data
        for name in pattern.findall(visible):
            yield category_id(_text(name))

    def _compile(self) -> re.Pattern[bytes]:
        own = self._dump.names.get(CATEGORY, "Category")
        names = {re.escape(name.encode("utf-8")) for name in ("Category", own, own.lower())}
        self._pattern = re.compile(rb"\[\[[ _]*(?i:" + b"|".join(sorted(names)) + rb")" + _NAME)
        return self._pattern


class CategoryTree:
    """The links between categories, gathered from any number of dumps."""

    def __init__(self) -> None:
        self._children = array("Q")
        self._parents = array("Q")

    def read(self, dump: Dump) -> None:
        """Takes the links of the dump's category pages. Raises DamagedFileError as `Dump.pages` does."""
        links = CategoryLinks(dump)
        for page in dump.pages(Tally()):  # what is wrong with pages is counted when articles are read
            if page.namespace != CATEGORY:
                continue
            title = _TITLE.search(page.data)
            child = category_id(_text(title[1]).partition(":")[2]) if title else 0
            self.add(child, links.of(page.data))

    def add(self, child: int, parents: Iterable[int]) -> None:
        """Takes the links of one category page."""
        for parent in parents:
            self._children.append(child)
            self._parents.append(parent)

    def knows(self, name: str) -> bool:
        """Is a category page named so, or does one name it as its parent?"""
        root = category_id(name)
        return root in self._parents or root in self._children

    def below(self, name: str, depth: int) -> frozenset[int]:
        """The ids of category `name` and of those at most `depth` levels below it.

        A category without a page, which no other names either, has none below it.
        """
        children, parents = _as_numbers(self._children), _as_numbers(self._parents)
        root = category_id(name)
        order = np.argsort(parents, kind="stable")
        children, parents = children[order], parents[order]
        level = np.array([root], dtype=np.uint64)
        known = level
        for _ in range(depth):
            starts, ends = np.searchsorted(parents, level, "left"), np.searchsorted(parents, level, "right")
            reached = np.concatenate([children[a:b] for a, b in zip(starts, ends, strict=True)])
            level = np.setdiff1d(reached, known)
            known = np.union1d(known, level)
            if not len(level):
                break
        return frozenset(known.tolist())


def _text(data: bytes) -> str:
    """What stands in an XML text of a dump: its escapes undone, and then those of the mark-up itself."""
    return html.unescape(html.unescape(data.decode("utf-8", "replace")))


def _as_numbers(values: "array[int]") -> NDArray[np.uint64]:
    return np.frombuffer(values, dtype=np.uint64) if values else np.empty(0, dtype=np.uint64)
