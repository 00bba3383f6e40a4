"""How the lines of a column file are cut: separator, number of columns, and which lines are no words."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from nerbridge.data.schemes import Repair, Scheme

BLANK = " \t\r"
MARKERS = (r"-DOCSTART-([ \t].*)?", r"[A-Z]+ID:\S*")


class Separator(StrEnum):
    """What stands between columns."""

    TAB = "tab"  # one TAB; words may hold spaces
    SPACE = "space"  # any run of spaces and TABs


@dataclass(frozen=True, slots=True)
class ColumnFormat:
    """How to read a column file; what is None is detected from the whole file.

    word_column, tag_column: index from 0, negative from the last; tag_column None reads words only.
    comment: a line that starts so, opens a sentence and cannot be a word line is left out; '' for none.
    markers: patterns of whole lines that are no words and end a sentence.
    delimiter: the character between letter and label of a tag.
    """

    separator: Separator | None = None
    word_column: int = 0
    tag_column: int | None = -1
    scheme: Scheme | None = None
    repair: Repair = Repair.CONLLEVAL
    encoding: str = "utf-8"
    comment: str = "#"
    markers: tuple[str, ...] = MARKERS
    delimiter: str = "-"
    domain: str = ""


class LineKind(StrEnum):
    """What a line of a column file is."""

    BLANK = "blank"
    MARKER = "marker"
    COMMENT = "comment"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """The cut of one file. width: columns of a word line. tags: tags seen on lines that do not look like comments."""

    settings: ColumnFormat
    separator: Separator
    width: int
    tags: frozenset[str] = frozenset()

    @property
    def tag_column(self) -> int | None:
        """The tag column as an index from 0, None where the file holds words only."""
        column = self.settings.tag_column
        if column is None or (self.width == 1 and column == -1):
            return None
        return column + self.width if column < 0 else column

    @property
    def word_column(self) -> int:
        """The word column as an index from 0."""
        column = self.settings.word_column
        return column + self.width if column < 0 else column

    def kinds(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, LineKind, str, list[str]]]:
        """(line number, kind, text, fields) per line; only word lines have fields."""
        marker = re.compile("|".join(f"(?:{pattern})" for pattern in self.settings.markers) or "(?!)")
        comment = self.settings.comment
        opens = True
        for number, text in lines:
            line = text.rstrip(BLANK)
            if not line:
                yield number, LineKind.BLANK, line, []
                opens = True
            elif marker.fullmatch(line):
                yield number, LineKind.MARKER, line, []
                opens = True
            else:
                fields = cut(line, self.separator)
                if opens and comment and line.startswith(comment) and self._is_comment(fields):
                    yield number, LineKind.COMMENT, line, []
                else:
                    opens = False
                    yield number, LineKind.WORD, line, fields

    def _is_comment(self, fields: list[str]) -> bool:
        if self.tag_column is None or len(fields) != self.width:
            return len(fields) != self.width
        tag = fields[self.tag_column]
        shaped = re.match(rf"[BIESLUM]{re.escape(self.settings.delimiter)}.", tag)
        return tag != "O" and tag not in self.tags and not shaped


def cut(line: str, separator: Separator) -> list[str]:
    """The fields of `line`. Only TAB and space part fields: other white space belongs to words."""
    if separator is Separator.TAB:
        return line.split("\t")
    return [part for part in line.replace("\t", " ").split(" ") if part]


@dataclass(slots=True)
class _Widths:
    tab_lines: int = 0
    plain_lines: int = 0
    by_tab: Counter[int] = field(default_factory=Counter)
    by_space: Counter[int] = field(default_factory=Counter)


def detect_layout(lines: Iterable[tuple[int, str]], settings: ColumnFormat) -> ColumnLayout:
    """The layout that most word lines of the file share; lines that look like comments have no vote if others exist."""
    marker = re.compile("|".join(f"(?:{pattern})" for pattern in settings.markers) or "(?!)")
    likely, doubtful = _Widths(), _Widths()
    endings: set[str] = set()
    for _, text in lines:
        line = text.rstrip(BLANK)
        if not line or marker.fullmatch(line):
            continue
        is_doubtful = bool(settings.comment) and line.startswith(settings.comment)
        widths = doubtful if is_doubtful else likely
        tabs = line.count("\t")
        widths.tab_lines += bool(tabs)
        widths.plain_lines += not tabs
        widths.by_tab[tabs + 1] += 1
        fields = cut(line, Separator.SPACE)
        widths.by_space[len(fields)] += 1
        if not is_doubtful:
            endings.update(_tags_of(line, fields, settings.tag_column))
    widths = likely if likely.by_tab else doubtful
    separator = settings.separator or (Separator.TAB if widths.tab_lines > widths.plain_lines else Separator.SPACE)
    votes = widths.by_tab if separator is Separator.TAB else widths.by_space
    width = max(votes, key=lambda columns: (votes[columns], columns)) if votes else 1
    return ColumnLayout(settings, separator, width, frozenset(endings))


def _tags_of(line: str, fields: list[str], column: int | None) -> Iterator[str]:
    for parts in (line.split("\t"), fields):
        if column is not None and -len(parts) <= column < len(parts):
            yield parts[column].strip(" ")
