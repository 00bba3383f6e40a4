"""MediaWiki dumps -> articles: those of a category, or all; mark-up removed."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from nerbridge.config.corpus import RawTextSettings
from nerbridge.corpus.compression import DamagedFileError
from nerbridge.corpus.document import Document
from nerbridge.corpus.dump_categories import CategoryLinks, CategoryTree
from nerbridge.corpus.dump_pages import ARTICLE, Dump, RawPage
from nerbridge.corpus.tally import Tally
from nerbridge.corpus.text_lines import pieces
from nerbridge.corpus.wikitext import plain_text


def wanted_categories(paths: Sequence[Path], settings: RawTextSettings) -> frozenset[int] | None:
    """The ids of the category that the settings name and of those below it, from all dumps; None when all are wanted.

    Reads every dump once. Raises DataError when no dump has the category.
    """
    if settings.category is None or not paths:
        return None
    tree = CategoryTree()
    for path in paths:
        try:
            tree.read(Dump(path, max_characters=settings.max_characters))
        except DamagedFileError:
            continue  # said when its articles are read; what stands before the damage counts
    return tree.below(settings.category, settings.category_depth)


def read_dump(path: Path, settings: RawTextSettings, tally: Tally, wanted: frozenset[int] | None) -> Iterator[RawPage]:
    """The articles of a dump that have one of the `wanted` categories; the other pages are counted in `tally`."""
    dump = Dump(path, max_characters=settings.max_characters)
    links = CategoryLinks(dump)
    for page in dump.pages(tally):
        if page.namespace != ARTICLE:
            tally.refuse("not_article")
        elif page.is_redirect:
            tally.refuse("redirect")
        elif wanted is not None and wanted.isdisjoint(links.of(page.data)):
            tally.refuse("other_category")
        else:
            yield page


def page_documents(raw: RawPage, settings: RawTextSettings, tally: Tally) -> list[Document]:
    """The text of an article, in several documents where it is very long; none for a broken page, which is counted."""
    page = raw.parse()
    if page is None:
        tally.refuse("broken_page")
        return []
    cut = list(pieces(plain_text(page.markup, raw.hidden_names), settings.max_characters))
    tally.cut += len(cut) - 1
    return [Document(piece, raw.origin, raw.number) for piece in cut]
