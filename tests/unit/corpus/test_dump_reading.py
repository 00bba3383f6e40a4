"""MediaWiki dumps: pages, categories with cycles, redirects, hostile XML."""

import bz2
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from nerbridge.config.corpus import RawTextSettings
from nerbridge.corpus.reading import read_documents
from nerbridge.corpus.tally import Tally
from nerbridge.errors import DataError

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="de">
  <siteinfo>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="6" case="first-letter">Datei</namespace>
      <namespace key="14" case="first-letter">Kategorie</namespace>
    </namespaces>
  </siteinfo>
"""


def page(title: str, text: str, *, namespace: int = 0, redirect: str = "") -> str:
    mark = f'\n    <redirect title="{escape(redirect)}" />' if redirect else ""
    return f"""  <page>
    <title>{escape(title)}</title>
    <ns>{namespace}</ns>
    <id>1</id>{mark}
    <revision>
      <id>2</id>
      <text bytes="1" xml:space="preserve">{escape(text)}</text>
    </revision>
  </page>
"""


PAGES = [
    page("Kategorie:Science", "[[Kategorie:Physics|*]] [[Category:Everything]]", namespace=14),  # a cycle
    page("Ada", "'''Ada''' wrote.\n[[Kategorie:Mathematics & more|Lovelace]]"),
    page("Kategorie:Physics", "About.\n[[kategorie:Science]]", namespace=14),
    page("Kategorie:Optics", "[[Category:physics]]", namespace=14),
    page("Kategorie:Mathematics & more", "[[Category : Science]] [[Category:Science]]", namespace=14),
    page("Lens", "A lens bends light.\n[[Category:optics]]"),
    page(
        "Song",
        "A song is sung. <!-- [[Category:Science]] --> <nowiki>[[Category:Science]]</nowiki>\n[[Category:Music]]",
    ),
    page("Lenses", "#WEITERLEITUNG [[Lens]] [[Category:Optics]]", redirect="Lens"),
    page("Old", "#redirect [[Ada]]\n[[Category:Science]]"),
    page("Datei:A.jpg", "[[Category:Science]]", namespace=6),
    page("Atom", "An atom is small. [[:Category:Music|see]]\n[[Category:Physics|Atom]]"),
]


def write_dump(path: Path, pages: list[str], *, end: str = "</mediawiki>\n") -> Path:
    """A multistream dump: head, pages in twos, and end are bzip2 streams of their own."""
    groups = [HEAD, *("".join(pages[i : i + 2]) for i in range(0, len(pages), 2)), end]
    data = [group.encode("utf-8", "surrogatepass") for group in groups]
    path.write_bytes(b"".join(map(bz2.compress, data)) if path.suffix == ".bz2" else b"".join(data))
    return path


def read(path: Path, tally: Tally | None = None, **settings: Any) -> list[str]:
    return [one.text for one in read_documents([path], RawTextSettings(**settings), tally=tally)]


def refused(tally: Tally) -> dict[str, int]:
    return {reason: size.documents for reason, size in tally.dropped.items()}


def test_all_articles_of_a_dump(tmp_path: Path) -> None:
    tally = Tally()
    found = read(write_dump(tmp_path / "dump.xml.bz2", PAGES), tally)
    assert [text.split(".")[0] for text in found] == [
        "Ada wrote",
        "A lens bends light",
        "A song is sung",
        "An atom is small",
    ]
    assert refused(tally) == {"not_article": 5, "redirect": 2}


@pytest.mark.parametrize(
    ("depth", "expected"),
    [(0, []), (1, ["Ada", "An atom"]), (2, ["Ada", "A lens", "An atom"]), (9, ["Ada", "A lens", "An atom"])],
)
def test_a_category_and_those_below_it(tmp_path: Path, depth: int, expected: list[str]) -> None:
    path = write_dump(tmp_path / "dump.xml.bz2", PAGES)
    tally = Tally()
    found = read(path, tally, category="science", category_depth=depth)
    assert len(found) == len(expected)
    assert all(text.startswith(start) for text, start in zip(found, expected, strict=True))
    assert refused(tally).get("other_category", 0) == 4 - len(expected)


def test_a_cycle_leads_back_up(tmp_path: Path) -> None:
    path = write_dump(tmp_path / "dump.xml", PAGES)
    assert len(read(path, Tally(), category="Physics", category_depth=5)) == 3  # Physics holds Science, which holds all


def test_an_unknown_category_is_an_error(tmp_path: Path) -> None:
    path = write_dump(tmp_path / "dump.xml.bz2", PAGES)
    with pytest.raises(DataError) as caught:
        read(path, category="Sciences")
    assert str(caught.value) == (
        "no page of the dump is the category 'Sciences' or names it\n"
        "  where: the category 'Sciences'\n"
        "  expected: a category as the dump spells it, without 'Category:'\n"
        "  hint: letter case counts, but for the first letter; look at the foot of an article that belongs to it; "
        "links that templates make stand in no page's text"
    )


def test_a_category_that_articles_alone_name(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write_dump(tmp_path / "dump.xml.bz2", PAGES)
    tally = Tally()
    with caplog.at_level("INFO", "nerbridge"):
        found = read(path, tally, category="music", category_depth=3)
    assert [text.split(".")[0] for text in found] == ["A song is sung"]
    assert refused(tally)["other_category"] == 3
    assert caplog.messages == [
        "no category page of the dump is 'music' or names it: the articles that name it are taken, "
        "and no sub-categories"
    ]


def test_categories_span_several_dumps(tmp_path: Path) -> None:
    write_dump(tmp_path / "one.xml", PAGES[:5])
    write_dump(tmp_path / "two.xml.bz2", PAGES[5:])
    settings = RawTextSettings(category="Science", category_depth=2)
    assert len(list(read_documents([tmp_path], settings, tally=Tally()))) == 3


def test_broken_pages_cost_only_themselves(tmp_path: Path) -> None:
    pages = [
        page("One", "First."),
        "<page><title>Two</title><ns>0</ns><revision><text>no end",  # the next page begins inside
        page("Three", "Third."),
        "<page><title>Four</title><ns>0</ns><revision><text>a < b & c</text></revision></page>\n",
        "<page><title>Five</title><ns>0</ns></page>\n",
        page("Six", "bad \x00 bytes \ud800"),
        page("Seven", "&nosuch; entity &amp;lt;"),
        page("Eight", "Eighth."),
    ]
    tally = Tally()
    found = read(write_dump(tmp_path / "dump.xml", pages, end="<page><title>cut off"), tally)
    assert found == ["First.", "Third.", "&nosuch; entity &lt;", "Eighth."]
    assert refused(tally) == {"broken_page": 5}
    assert ["it ends before </mediawiki>" in fault.what for fault in tally.faults] == [True]


def test_a_page_beyond_all_bounds_is_passed_over(tmp_path: Path) -> None:
    pages = [page("One", "First."), page("Two", "long " * 2_000_000), page("Three", "Third.")]
    tally = Tally()
    assert read(write_dump(tmp_path / "dump.xml", pages), tally, max_characters=10_000) == ["First.", "Third."]
    assert refused(tally) == {"long_page": 1}


def test_a_long_article_becomes_several_documents(tmp_path: Path) -> None:
    text = "\n\n".join(f"Paragraph {number} is here." for number in range(100))
    tally = Tally()
    found = read(write_dump(tmp_path / "dump.xml", [page("One", text)]), tally, max_characters=1000)
    assert "".join(found) == text.replace("\n\n", "\n")
    assert tally.cut == len(found) - 1 == 2


def test_a_truncated_dump_is_used_up_to_its_damage(tmp_path: Path) -> None:
    path = write_dump(tmp_path / "dump.xml.bz2", PAGES)
    path.write_bytes(path.read_bytes()[:-200])
    tally = Tally()
    assert len(read(path, tally, category="Science", category_depth=2)) == 2
    assert "'dump.xml.bz2' is damaged" in tally.faults[0].what


@pytest.mark.parametrize("name", ["dump.xml", "dump.xml.bz2"])
def test_a_dump_that_was_cut_between_two_pages_is_said_to_be(tmp_path: Path, name: str) -> None:
    tally = Tally()
    assert len(read(write_dump(tmp_path / name, PAGES, end=""), tally)) == 4
    (fault,) = tally.faults
    assert fault.what == (
        f"'{name}' is damaged: it ends before </mediawiki>, so pages may be missing; what stands before is used"
    )


def test_pages_without_a_dump_around_them_are_whole(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("".join(PAGES), encoding="utf-8")
    tally = Tally()
    assert len(read(tmp_path / "a.xml", tally)) == 4
    assert not tally.faults


def test_other_xml_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("<html><body>no dump</body></html>", encoding="utf-8")
    with pytest.raises(DataError, match="there is no <page> in it, so it is no MediaWiki dump"):
        read(tmp_path / "a.xml")
