"""Lines of text in bounded pieces, whatever the length of a line."""

import io
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from nerbridge.corpus.tally import Tally

# Where a long text may be cut, best first: behind a line, behind a sentence, behind a word.
_BORDERS = (re.compile(r"\n"), re.compile(r"""[.!?。！？]["'”’»)\]]*\s"""), re.compile(r"\s"))
_TAIL = 4  # a border counts in the last quarter of a piece
UNREADABLE = "\ufffd"  # stands for bytes that are not the encoding

Line = tuple[int, str, bool]


def text_lines(stream: BinaryIO, encoding: str, limit: int) -> Iterator[Line]:
    """(line number from 1, text without LF, is it the end of its line?) of every line, in pieces of `limit` characters.

    Bytes that are not `encoding` become U+FFFD. Lines end at LF only. A long line is cut where `cut_position` says.
    """
    # Not closed here: the stream belongs to who opened it.
    wrapper = io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="\n")
    number, rest = 1, ""
    try:
        while piece := wrapper.readline(limit - len(rest)):
            text = (rest + piece).removeprefix("\ufeff") if number == 1 else rest + piece
            if text.endswith("\n"):
                yield number, text[:-1], True
                number, rest = number + 1, ""
            elif len(text) < limit:  # the last line, without LF; or a short read of the same line
                rest = text
            else:
                cut = cut_position(text, limit)
                yield number, text[:cut], False
                rest = text[cut:]
        if rest:
            yield number, rest, True
    finally:
        if not stream.closed:
            wrapper.detach()


def decoded(lines: Iterable[Line], file: str, tally: Tally) -> Iterator[Line]:
    """The same lines; those that hold U+FFFD are counted in `tally` for `file`, a long one in each of its pieces."""
    for line in lines:
        if UNREADABLE in line[1]:
            tally.undecoded[file] = tally.undecoded.get(file, 0) + 1
        yield line


def cut_position(text: str, limit: int) -> int:
    """Where to cut `text` so that at most `limit` characters stand before: behind a line, else a sentence, else a word.

    >>> cut_position("One two. Three four", 16)
    9
    """
    start = limit - limit // _TAIL
    for border in _BORDERS:
        ends = [match.end() for match in border.finditer(text, start, limit)]
        if ends:
            return ends[-1]
    return limit


def pieces(text: str, limit: int) -> Iterator[str]:
    """`text` in pieces of at most `limit` characters, cut where `cut_position` says."""
    start = 0
    while len(text) - start > limit:
        cut = start + cut_position(text[start : start + limit], limit)
        yield text[start:cut]
        start = cut
    yield text[start:]
