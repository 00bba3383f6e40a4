"""Writes a MediaWiki dump of any size whose content is known: what a reader must find in it, and what it must not.

Prose is made of sentences drawn at random from built or raw text, so that its words are those of real text and no two
paragraphs are alike but for those planted. Around it stands what dumps have: namespaces, redirects, categories in a
tree with cycles, templates within templates, tables, references, comments, pictures, lists.

Planted near-duplicates carry a word of their own (`zqnear17`), exact ones stand in capitals: what was missed shows.
"""

import bz2
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

ROOT = "Field of study"
CHILDREN = (8, 6, 4)  # sub-categories of a category, by depth
READ_DEPTH = 2  # to which the dump is to be read; repetitions are planted in what is read alone
PAGES_PER_STREAM = 100  # bzip2 streams of their own, as in multistream dumps
HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>Made up</sitename>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="6" case="first-letter">File</namespace>
      <namespace key="10" case="first-letter">Template</namespace>
      <namespace key="14" case="first-letter">Category</namespace>
    </namespaces>
  </siteinfo>
"""
FURNITURE = (
    "{{Short description|Made up}}\n{{Infobox thing\n| name = Thing\n| born = {{birth date|1900|1|2}}\n"
    "| known = {{hlist|[[One]]|{{nowrap|[[Two|two]]}}}}\n}}",
    "[[File:Picture.jpg|thumb|left|A picture of [[something]] with {{small|a template}}]]",
    '{| class="wikitable"\n|-\n! Head !! Other\n|-\n| cell || {{yes}}\n|}',
    "* A list item\n* Another [[item]]\n# numbered",
    "<!-- a comment\nover lines, with {{brackets -->",
)
LAST = "== References ==\n{{reflist|30em}}\n{{Authority control}}"
DECORATIONS = (
    "[[{}]]",
    "[[Target page|{}]]",
    "''{}''",
    "'''{}'''",
    "{}<ref>{{{{cite book|last=Doe|title=A [[book]] of things|year=1999}}}}</ref>",
    '{}<ref name="a" />',
    "{}{{{{citation needed|date=May 2010}}}}",
    "[https://example.org/page {}]",
)


@dataclass
class Truth:
    """What is in a dump. articles and paragraphs by depth of their category below ROOT, "elsewhere" for the others."""

    bytes: int = 0
    pages: int = 0
    redirects: int = 0
    other_namespaces: int = 0
    articles: dict[str, int] = field(default_factory=dict)
    paragraphs: dict[str, int] = field(default_factory=dict)
    planted_exact: int = 0
    planted_near: int = 0

    def as_json(self) -> dict[str, Any]:
        """For the result file."""
        return asdict(self)


class DumpMaker:
    """sentences: the pool that prose is drawn from. share: of the articles, those in the category ROOT or below."""

    def __init__(self, sentences: Sequence[str], seed: int = 1, *, share: float = 0.3) -> None:
        self.truth = Truth()
        self._sentences = sentences
        self._numbers = random.Random(seed)
        self._share = share
        self._earlier: list[str] = []  # paragraphs that repetitions are made of
        self._tree = [[ROOT]]
        for depth, children in enumerate(CHILDREN):
            above = self._tree[depth]
            self._tree.append([f"{name} {number}" for name in above for number in range(children)])

    def write(self, path: Path, size: int) -> Truth:
        """Writes at least `size` bytes of XML, bzip2 in many streams, and returns what is in them."""
        waiting = list(self._category_pages())
        self._numbers.shuffle(waiting)
        with path.open("wb") as stream:
            self._write(stream, HEAD)
            number = 0
            while self.truth.bytes < size or waiting:
                pages = [self._page(number + i) for i in range(PAGES_PER_STREAM)]
                pages += [waiting.pop() for _ in range(min(3, len(waiting)))]
                number += PAGES_PER_STREAM
                self.truth.pages += len(pages)
                self._write(stream, "".join(pages))
            self._write(stream, "</mediawiki>\n")
        return self.truth

    def _write(self, stream: Any, text: str) -> None:
        data = text.encode("utf-8")
        self.truth.bytes += len(data)
        stream.write(bz2.compress(data))

    def _category_pages(self) -> Iterator[str]:
        """The tree, with three kinds of cycles: to the root, to the category itself, between neighbours."""
        lowest = self._tree[-1]
        yield self._xml(f"Category:{ROOT}", 14, f"About. [[Category:{lowest[0]}]] [[Category:Everything]]")
        for above, names in zip(self._tree, self._tree[1:], strict=False):
            for number, name in enumerate(names):
                parents = [above[number * len(above) // len(names)]]
                if number % 10 == 3:
                    parents += [name, names[(number + 1) % len(names)]]
                yield self._xml(f"Category:{name}", 14, "\n".join(f"[[Category:{parent}|*]]" for parent in parents))
        self.truth.other_namespaces += sum(map(len, self._tree))

    def _page(self, number: int) -> str:
        kind = self._numbers.random()
        if kind < 0.15:
            self.truth.redirects += 1
            return self._xml(f"Redirect {number}", 0, f"#REDIRECT [[Article {number}]]", redirect=f"Article {number}")
        if kind < 0.2:
            self.truth.other_namespaces += 1
            namespace, name = self._numbers.choice([(1, "Talk"), (6, "File"), (10, "Template")])
            return self._xml(f"{name}:Page {number}", namespace, f"[[Category:{ROOT}]] {self._paragraph()}")
        return self._article(number)

    def _article(self, number: int) -> str:
        inside = self._numbers.random() < self._share
        depth = self._numbers.randrange(len(self._tree)) if inside else None
        category = f"Elsewhere {number % 500}" if depth is None else self._numbers.choice(self._tree[depth])
        paragraphs = [self._paragraph() for _ in range(self._numbers.randint(3, 9))]
        if depth is not None and depth <= READ_DEPTH:
            paragraphs = [self._planted(one) for one in paragraphs]
        key = "elsewhere" if depth is None else str(depth)
        self.truth.articles[key] = self.truth.articles.get(key, 0) + 1
        self.truth.paragraphs[key] = self.truth.paragraphs.get(key, 0) + len(paragraphs)
        parts = [FURNITURE[0]]
        for place, paragraph in enumerate(paragraphs):
            parts.append(self._decorated(paragraph))
            if place % 2:
                parts += [f"== Section {place} ==", FURNITURE[1 + (number + place) % (len(FURNITURE) - 1)]]
        return self._xml(f"Article {number}", 0, "\n\n".join([*parts, LAST, f"[[Category:{category}|{number}]]"]))

    def _paragraph(self) -> str:
        return " ".join(self._numbers.choices(self._sentences, k=self._numbers.randint(3, 7)))

    def _planted(self, paragraph: str) -> str:
        """Now and then an earlier paragraph again: the same words, or with one word in 25 changed."""
        kind = self._numbers.random()
        if kind < 0.02 and self._earlier:
            self.truth.planted_exact += 1
            return self._numbers.choice(self._earlier).upper()
        if kind < 0.07 and self._earlier:
            words = self._numbers.choice(self._earlier).split(" ")
            marks = sorted(self._numbers.sample(range(len(words)), max(len(words) // 25, 1)))
            for mark in marks:
                words[mark] = f"zqnear{self.truth.planted_near}"
            self.truth.planted_near += 1
            return " ".join(words)
        if kind < 0.4 and len(self._earlier) < 100_000:
            self._earlier.append(paragraph)
        return paragraph

    def _decorated(self, paragraph: str) -> str:
        words = paragraph.split(" ")
        for _ in range(len(words) // 15):
            place = self._numbers.randrange(len(words))
            if words[place].isalnum():
                words[place] = self._numbers.choice(DECORATIONS).format(words[place])
        return " ".join(words)

    @staticmethod
    def _xml(title: str, namespace: int, text: str, *, redirect: str = "") -> str:
        mark = f'\n    <redirect title="{escape(redirect)}" />' if redirect else ""
        return (
            f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{namespace}</ns>\n    <id>1</id>{mark}\n"
            f'    <revision>\n      <id>2</id>\n      <text bytes="1" xml:space="preserve">{escape(text)}</text>\n'
            "    </revision>\n  </page>\n"
        )
