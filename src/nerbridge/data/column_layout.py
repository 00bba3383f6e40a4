"""How the lines of a column file are cut: separator, number of columns, and which lines are no words."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from nerbridge.data.column_format import BLANK, ColumnFormat, marker_pattern
from nerbridge.data.column_names import NamedColumns
from nerbridge.data.separators import QUOTING, Separator, cut

KNOWN_LINES = 1 << 16  # different lines whose cut is kept while a file is read


class LineKind(StrEnum):
    """What a line of a column file is."""

    BLANK = "blank"
    MARKER = "marker"
    COMMENT = "comment"
    NAMES = "names"  # of the columns
    WORD = "word"


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """The cut of one file. width: columns of a word line. tags: tags seen on lines that do not look like comments.

    text_lines: the number of lines when they look like running text, sentences without tags; else 0.
    joined: a line of a file of one column that ends in another separator and a tag, when most lines do.
    parted: the comma or semicolon that cuts most lines alike, where the separator is another one.
    header: the fields of a first line that only names columns. named: the columns that are taken from it.
    """

    settings: ColumnFormat
    separator: Separator
    width: int
    tags: frozenset[str] = frozenset()
    text_lines: int = 0
    joined: str = ""
    parted: Separator | None = None
    header: tuple[str, ...] = ()
    named: NamedColumns | None = None

    @property
    def tag_column(self) -> int | None:
        """The tag column as an index from 0, None where the file holds words only."""
        column = self.settings.tag_column
        if column is None or (self.width == 1 and column == -1):
            return None
        named = self.named.tag if self.named else None
        return self._from_front(column) if named is None else named

    @property
    def word_column(self) -> int:
        """The word column as an index from 0."""
        named = self.named.word if self.named else None
        return self._from_front(self.settings.word_column) if named is None else named

    @property
    def sentence_column(self) -> int | None:
        """The column whose values tell sentences apart as an index from 0; None where there is none."""
        column = self.named.sentence if self.named else self.settings.sentence_column
        return None if column is None else self._from_front(column)

    def taken_by_name(self) -> str:
        """The columns that are not where they are by default, because the header says so; '' where there are none."""
        usual = {"sentence": None, "word": 0, "tag": self.width - 1}
        found = {"sentence": self.sentence_column, "word": self.word_column, "tag": self.tag_column}
        taken = [name for name in found if self.named and found[name] not in (None, usual[name])]
        return ", ".join(f"{name} {found[name]}" for name in taken)

    def _from_front(self, column: int) -> int:
        return column + self.width if column < 0 else column

    def kinds(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, LineKind, str, tuple[str, ...]]]:
        """(line number, kind, text, fields) per line; only word lines have fields."""
        comment = self.settings.comment
        known: dict[str, tuple[LineKind, str, tuple[str, ...]]] = {}  # most lines of a column file come again
        opens = True
        for number, text in lines:
            found = known.get(text)
            if found is None:
                found = self._kind(text.rstrip(BLANK))
                if len(known) < KNOWN_LINES:
                    known[text] = found
            kind, line, fields = found
            if kind is not LineKind.WORD:
                opens = True
            elif opens and comment and line.startswith(comment) and self._is_comment(line, fields):
                kind, fields = LineKind.COMMENT, ()
            else:
                opens = False
            yield number, kind, line, fields

    def _kind(self, line: str) -> tuple[LineKind, str, tuple[str, ...]]:
        """What a line is wherever it stands (a comment is a word here), the line, and its fields if it is a word."""
        kind = between(line, self.separator, self.settings.markers)
        if kind is not None:
            return kind, line, ()
        fields = cut(line, self.separator)
        if self.header and fields == self.header:
            return LineKind.NAMES, line, ()
        return LineKind.WORD, line, fields

    def _is_comment(self, line: str, fields: tuple[str, ...]) -> bool:
        """A line such as '# id 12' that cannot be a word with its tag; '#' alone and '#word' never are comments."""
        mark = self.settings.comment
        if len(fields) != self.width:
            return len(fields) > self.width or line[len(mark) : len(mark) + 1] in (" ", "\t", mark[-1])
        if self.tag_column is None or not (fields[0] == mark or " " in fields[0]):
            return False
        tag = fields[self.tag_column]
        shaped = re.match(rf"[BIESLUM]{re.escape(self.settings.delimiter)}.", tag)
        return tag != "O" and tag not in self.tags and not shaped


def between(line: str, separator: Separator, markers: tuple[str, ...]) -> LineKind | None:
    """BLANK or MARKER for a line that stands between sentences, else None; `line` has no white space at its end.

    Where commas or semicolons part columns, empty fields alone make a blank line, and markers may have fields behind.
    """
    if not line:
        return LineKind.BLANK
    if separator in QUOTING:
        line = " ".join(cut(line, separator)).rstrip()
        if not line:
            return LineKind.BLANK
    return LineKind.MARKER if marker_pattern(markers).fullmatch(line) else None
