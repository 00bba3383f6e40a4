"""MediaWiki mark-up -> running text, one paragraph a line: what a reader sees of an article's prose.

Headings, lists, tables, templates, references, formulas, pictures and categories are left out; of links, bold type and
other tags the text stays. Blocks are cut out by `wikitext_blocks`, what remains is parsed by mwparserfromhell.
"""

import re
from functools import lru_cache
from types import ModuleType

from nerbridge.corpus.text_lines import pieces
from nerbridge.corpus.wikitext_blocks import BlockRemover
from nerbridge.errors import MissingExtraError

_NO_PROSE = re.compile(r"\s*(?:[*#:;]|={1,6}[^=].*=\s*$|-{4,}|\||!|__[A-Z]+__\s*$)")
_SWITCH = re.compile(r"__[A-Z]{3,}__")
_SPACES = re.compile(r"[ \t\u00a0]{2,}")
_EMPTY_BRACKETS = re.compile(r" ?\([\s,;:]*\)")  # left by templates of pronunciation and the like
_PARSED = 8_000  # characters that are parsed at once: the parser's time may grow with their square


def plain_text(markup: str, hidden_names: tuple[str, ...] = ()) -> str:
    """The running text of an article.

    hidden_names: what the wiki calls its namespaces of files and categories, besides the English names.

    >>> plain_text("'''Ada''' wrote [[Program (x)|programs]].<ref>A book.</ref>\\n* a list\\n[[Category:People]]")
    'Ada wrote programs.'
    """
    text = _remover(hidden_names).running_text(markup)
    lines = [line for line in _SWITCH.sub("", text).split("\n") if line.strip() and not _NO_PROSE.match(line)]
    if not lines:
        return ""
    parse = mwparserfromhell().parse
    shown = "\n".join(str(parse(piece, skip_style_tags=False).strip_code()) for piece in _parsed_at_once(lines))
    paragraphs = (_EMPTY_BRACKETS.sub("", _SPACES.sub(" ", line)).strip() for line in shown.split("\n"))
    return "\n".join(line for line in paragraphs if line)


def mwparserfromhell() -> ModuleType:
    """The parser. Raises MissingExtraError when it is not installed."""
    try:
        import mwparserfromhell as parser
    except ModuleNotFoundError:
        raise MissingExtraError("mwparserfromhell (for MediaWiki dumps)", "corpus") from None
    return parser


def _parsed_at_once(lines: list[str]) -> list[str]:
    """Lines joined to pieces of a bounded length; mark-up of running text does not go beyond its line."""
    groups: list[str] = []
    group: list[str] = []
    length = 0
    for line in lines:
        for piece in pieces(line, _PARSED):
            if group and length + len(piece) > _PARSED:
                groups.append("\n".join(group))
                group, length = [], 0
            group.append(piece)
            length += len(piece) + 1
    groups.append("\n".join(group))
    return groups


@lru_cache(maxsize=16)
def _remover(hidden_names: tuple[str, ...]) -> BlockRemover:
    names = "|".join(re.escape(name) for name in ("file", "image", "media", "category", *hidden_names))
    # Or an old link to the same article in another language, which stands at the foot of the page: [[de:Titel]].
    return BlockRemover(re.compile(rf"[\s_]*(?:(?i:{names})[\s_]*:|[a-z]{{2,3}}(?:-[a-z]+)*:[^|\[\]]+$)"))
