"""Do commas or semicolons part the columns of a file? Asked only where TAB and space find no columns with tags."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from nerbridge.data.column_format import BLANK, ColumnFormat
from nerbridge.data.column_layout import between
from nerbridge.data.column_names import named_columns, names_columns
from nerbridge.data.separators import QUOTING, Separator, cut

TAG = re.compile(r"[OBIESLUM]|[BIESLUM][^\w\s]\S.*")  # a tag of any scheme with prefixes
TWICE = re.compile(rf".*\s(?:{TAG.pattern})")  # a word with its tag: what follows is another tag, as in 'Ada O,O'
SPACED = re.compile(r".*\S[,;] +\S+")  # commas with spaces behind, which would pass for ends of words
FEW = 5  # different lines that have to be so
SOUGHT = 20  # of the first different lines
Lines = Mapping[str, int]  # text -> how often it stands in the file


@dataclass(slots=True)
class _Votes:
    """Word lines: all of them, by the number of fields, and those whose tag field holds any tag, or O."""

    separator: Separator
    total: int = 0
    widths: Counter[int] = field(default_factory=Counter)
    tagged: int = 0
    outside: int = 0

    def add(self, fields: tuple[str, ...], column: int, number: int) -> None:
        self.total += number
        self.widths[len(fields)] += number
        if len(fields) < 2 or not -len(fields) <= column < len(fields) or TWICE.fullmatch(fields[-2]):
            return
        self.tagged += number * bool(TAG.fullmatch(fields[column]))
        self.outside += number * (fields[column] == "O")

    @property
    def width(self) -> int:
        """The number of fields that nearly all lines have; 0 where they have several."""
        width, number = max(self.widths.items(), key=lambda item: item[1], default=(0, 0))
        return width if width > 1 and number * 10 >= self.total * 9 else 0

    @property
    def likely(self) -> bool:
        """One width of nearly all lines, or of most, and tags in them: worth a hint."""
        most = max((number for width, number in self.widths.items() if width > 1), default=0)
        return bool(self.width) or (most * 4 >= self.total * 3 and 2 * self.tagged > self.total)

    @property
    def beyond_doubt(self) -> bool:
        """One width, and nearly all lines tagged; labels without prefix show by the O of most lines."""
        return bool(self.width) and (self.tagged * 10 >= self.total * 9 or self.outside * 2 > self.total)


def find_quoting(lines: Lines, settings: ColumnFormat) -> tuple[Separator | None, Separator | None]:
    """The separator that parts word and tag beyond doubt, and the one that seems to."""
    votes = [_count(lines, separator, settings) for separator in QUOTING]
    votes.sort(key=lambda each: (each.beyond_doubt, each.tagged, each.width), reverse=True)
    best = votes[0]
    return best.separator if best.beyond_doubt else None, best.separator if best.likely else None


def commas_are_spaced(lines: Iterable[str]) -> bool:
    """Does every one of the first lines hold a comma with a space behind, in front of its last field?"""
    sought = list(islice(filter(str.strip, lines), SOUGHT))
    return len(sought) >= FEW and all(map(SPACED.fullmatch, sought))


def word_lines(
    lines: Iterable[str], separator: Separator, settings: ColumnFormat
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(text, fields) of the lines that are no blank lines, no markers and, if others exist, look like no comments."""
    words = [text for text in lines if between(text.rstrip(BLANK), separator, settings.markers) is None]
    comment = settings.comment
    likely = [text for text in words if not text.startswith(comment)] if comment else words
    return ((text, cut(text.rstrip(BLANK), separator)) for text in likely or words)


def _count(lines: Lines, separator: Separator, settings: ColumnFormat) -> _Votes:
    votes = _Votes(separator)
    column = -1 if settings.tag_column is None else settings.tag_column
    for place, (text, fields) in enumerate(word_lines(lines, separator, settings)):
        if place == 0 and names_columns(fields):
            named = named_columns(fields).tag
            column = named if named is not None and settings.names_no_column else column
        else:
            votes.add(fields, column, lines[text])
    return votes
