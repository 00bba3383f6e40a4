"""MediaWiki mark-up -> running text, one paragraph a line: what a reader sees of an article's prose.

Headings, lists, tables, templates, references, formulas, pictures and categories are left out; of links, bold type and
other tags the text stays. Blocks are cut out by `wikitext_blocks`, what remains is parsed by mwparserfromhell.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from types import ModuleType

from nerbridge.corpus.text_lines import pieces
from nerbridge.corpus.wikitext_blocks import BlockRemover
from nerbridge.errors import MissingExtraError

_NO_PROSE = re.compile(r"\s*(?:[*#:;]|={1,6}[^=].*=\s*$|-{4,}|\||!|__[A-Z]+__\s*$)")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_SWITCH = re.compile(r"__[A-Z]{3,}__")
_SPACES = re.compile(r"[ \t\u00a0]{2,}")
_EMPTY_BRACKETS = re.compile(r" ?\([\s,;:]*\)")  # left by templates of pronunciation and the like
_OPENED = re.compile(r"\(\s*[;,:]\s*")
_PARSED = 4_000  # characters that are parsed at once: the parser's time may grow with their square


def plain_text(markup: str, hidden_names: tuple[str, ...] = ()) -> str:
    """The running text of an article.

    hidden_names: what the wiki calls its namespaces of files and categories, besides the English names.

    >>> plain_text("'''Ada''' wrote [[Program (x)|programs]].<ref>A book.</ref>\\n* a list\\n[[Category:People]]")
    'Ada wrote programs.'
    """
    text = _remover(hidden_names).running_text(markup)
    text = _BREAK.sub(" ", _SWITCH.sub("", text))
    lines = [line for line in text.split("\n") if line.strip() and not _NO_PROSE.match(line)]
    if not lines:
        return ""
    shown = "\n".join(_shown(group) for group in _groups(lines))
    return "\n".join(line for line in map(_tidied, shown.split("\n")) if line)


def _shown(markup: str) -> str:
    """What the parser leaves of a bounded piece, or of a longer line piece by piece."""
    parse = mwparserfromhell().parse
    return "".join(str(parse(piece).strip_code(collapse=False)) for piece in pieces(markup, _PARSED))


def _tidied(line: str) -> str:
    return _SPACES.sub(" ", _OPENED.sub("(", _EMPTY_BRACKETS.sub("", line))).strip()


def mwparserfromhell() -> ModuleType:
    """The parser. Raises MissingExtraError when it is not installed."""
    try:
        import mwparserfromhell as parser
    except ModuleNotFoundError:
        raise MissingExtraError("mwparserfromhell (for MediaWiki dumps)", "corpus") from None
    return parser


def _groups(lines: list[str]) -> Iterator[str]:
    """Lines joined as long as they are short together; mark-up of running text does not go beyond its line."""
    group: list[str] = []
    length = 0
    for line in lines:
        if group and length + len(line) > _PARSED:
            yield "\n".join(group)
            group, length = [], 0
        group.append(line)
        length += len(line) + 1
    yield "\n".join(group)


@lru_cache(maxsize=16)
def _remover(hidden_names: tuple[str, ...]) -> BlockRemover:
    names = "|".join(re.escape(name) for name in ("file", "image", "media", "category", *hidden_names))
    # Or an old link to the same article in another language, which stands at the foot of the page: [[de:Titel]].
    return BlockRemover(re.compile(rf"[\s_]*(?:(?i:{names})[\s_]*:|[a-z]{{2,3}}(?:-[a-z]+)*:[^|\[\]]+$)"))
