"""MediaWiki dumps -> articles: those of a category, or all; mark-up removed."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from nerbridge.config.corpus import RawTextSettings
from nerbridge.corpus.compression import DamagedFileError
from nerbridge.corpus.document import Document
from nerbridge.corpus.dump_categories import CategoryLinks, CategoryTree, category_id
from nerbridge.corpus.dump_pages import ARTICLE, Dump, RawPage
from nerbridge.corpus.tally import Tally
from nerbridge.corpus.text_lines import pieces
from nerbridge.corpus.wikitext import plain_text
from nerbridge.errors import DataError

logger = logging.getLogger(__name__)


def wanted_categories(paths: Sequence[Path], settings: RawTextSettings) -> frozenset[int] | None:
    """The ids of the category that the settings name and of those below it, from all dumps; None when all are wanted.

    Reads every dump once, and again where no category page tells of the category: articles may name it all the same.
    Raises DataError when no page does.
    """
    name = settings.category
    if name is None or not paths:
        return None
    tree = CategoryTree()
    for path in paths:
        try:
            tree.read(Dump(path, max_characters=settings.max_characters))
        except DamagedFileError:
            continue  # said when its articles are read; what stands before the damage counts
    if not tree.knows(name):
        if not any(_has_article(path, category_id(name), settings) for path in paths):
            raise _unknown(name)
        logger.info(
            "no category page of the dump is '%s' or names it: the articles that name it are taken, and no "
            "sub-categories",
            name,
        )
    return tree.below(name, settings.category_depth)


def _has_article(path: Path, category: int, settings: RawTextSettings) -> bool:
    """Does an article of this dump name the category?"""
    try:
        return next(read_dump(path, settings, Tally(), frozenset({category})), None) is not None
    except DamagedFileError:
        return False  # no article before the damage does


def _unknown(name: str) -> DataError:
    return DataError(
        f"no page of the dump is the category '{name}' or names it",
        where=f"the category '{name}'",
        expected="a category as the dump spells it, without 'Category:'",
        hint="letter case counts, but for the first letter; look at the foot of an article that belongs to it; "
        "links that templates make stand in no page's text",
    )


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
