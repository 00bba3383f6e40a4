"""Cuts out of MediaWiki mark-up what is no running text: comments, templates, tables, references, formulas, pictures.

One pass from left to right with a stack of what is open, so the time grows with the length of the text alone, whatever
stands in it: parsers take minutes for a page of some ten thousand opened brackets. What is never closed stays, as
MediaWiki shows it, but for comments, which then hide the rest of the page.
"""

import re

_CODE = ("math", "chem", "ce", "syntaxhighlight", "source", "score", "hiero")
_DROPPED = frozenset((*_CODE, "ref", "references", "gallery", "imagemap", "mapframe", "timeline", "graph"))
_SHOWN = frozenset(("nowiki", "pre"))  # nothing inside is mark-up, and it is shown
_MARK = re.compile(
    rf"""(?P<comment><!--)
    | <(?P<tag>{"|".join(sorted(_DROPPED | _SHOWN))})\b[^<>]*?(?P<empty>/?)>
    | (?P<open>\{{\{{ | ^[ :]*\{{\| | \[\[)
    | (?P<close>\}}\}} | \|\}}(?!\}}(?!\}})) | \]\])
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_OPENERS = {"}}": "{{", "|}": "{|", "]]": "[["}


class BlockRemover:
    """hidden: matches the content of links that show no text, such as files and categories."""

    def __init__(self, hidden: re.Pattern[str]) -> None:
        self._hidden = hidden

    def running_text(self, markup: str) -> str:
        """`markup` without the blocks; links to pages, bold type, list signs and headings stay."""
        cuts = self._cuts(markup)
        kept, start = [], 0
        for begin, end in cuts:
            kept.append(markup[start:begin])
            start = end
        kept.append(markup[start:])
        return "".join(kept)

    def _cuts(self, markup: str) -> list[tuple[int, int]]:
        """(start, end) of everything that is left out, in order, none inside another."""
        cuts: list[tuple[int, int]] = []
        opened: list[tuple[str, int]] = []
        never_closed: set[str] = set()
        position = 0
        while match := _MARK.search(markup, position):
            position = match.end()
            if match["open"]:
                opened.append((match["open"].lstrip(" :"), match.start()))
            elif match["close"]:
                self._close(markup, match, opened, cuts)
            elif match["comment"]:
                end = markup.find("-->", position)
                position = end + 3 if end >= 0 else len(markup)
                cuts.append((match.start(), position))
            else:
                position = _past_tag(markup, match, cuts, never_closed)
        return cuts

    def _close(
        self, markup: str, match: re.Match[str], opened: list[tuple[str, int]], cuts: list[tuple[int, int]]
    ) -> None:
        """Closes the last block of this kind; what was opened inside it and not closed is text."""
        opener = _OPENERS[match["close"]]
        for depth in range(len(opened) - 1, max(len(opened) - 1 - _DEEPEST, -1), -1):
            if opened[depth][0] == opener:
                break
        else:
            return
        start = opened[depth][1]
        del opened[depth:]
        if opener == "[[" and not self._hidden.match(markup, start + 2, match.start()):
            return
        while cuts and cuts[-1][0] >= start:
            cuts.pop()
        cuts.append((start, match.end()))


_DEEPEST = 100  # a close sign reaches so many open ones back: pages need fewer than ten, and time stays bounded


def _past_tag(markup: str, match: re.Match[str], cuts: list[tuple[int, int]], never_closed: set[str]) -> int:
    """Where to go on behind a tag whose content is no mark-up; cuts it out where it is not shown."""
    tag = match["tag"].lower()
    end = match.end()
    if not match["empty"] and tag not in never_closed:
        closing = re.compile(rf"</{tag}\s*>", re.IGNORECASE).search(markup, match.end())
        if closing is None:
            never_closed.add(tag)
            return end
        end = closing.end()
    if tag in _DROPPED:
        cuts.append((match.start(), end))
    return end
