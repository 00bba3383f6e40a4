"""How the lines of a column file are cut: separator, number of columns, and which lines are no words."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from nerbridge.data.format_options import settle
from nerbridge.data.schemes import Repair, Scheme
from nerbridge.errors import ConfigError

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
    Values of enumerations may be given by name ('tab', 'BIOES', 'strict'); an unknown name raises ConfigError.
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

    def __post_init__(self) -> None:
        settle(self, separator=Separator, scheme=Scheme, repair=Repair)


class LineKind(StrEnum):
    """What a line of a column file is."""

    BLANK = "blank"
    MARKER = "marker"
    COMMENT = "comment"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """The cut of one file. width: columns of a word line. tags: tags seen on lines that do not look like comments.

    text_lines: the number of lines when they look like running text, sentences without tags; else 0.
    joined: a line of a file of one column that ends in a separator of other kinds and a tag, when most lines do.
    """

    settings: ColumnFormat
    separator: Separator
    width: int
    tags: frozenset[str] = frozenset()
    text_lines: int = 0
    joined: str = ""

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

    def kinds(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, LineKind, str, tuple[str, ...]]]:
        """(line number, kind, text, fields) per line; only word lines have fields."""
        marker = marker_pattern(self.settings.markers)
        comment = self.settings.comment
        opens = True
        for number, text in lines:
            line = text.rstrip(BLANK)
            if not line:
                yield number, LineKind.BLANK, line, ()
                opens = True
            elif marker.fullmatch(line):
                yield number, LineKind.MARKER, line, ()
                opens = True
            else:
                fields = cut(line, self.separator)
                if opens and comment and line.startswith(comment) and self._is_comment(line, fields):
                    yield number, LineKind.COMMENT, line, ()
                else:
                    opens = False
                    yield number, LineKind.WORD, line, fields

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


@lru_cache(maxsize=1 << 16)
def cut(line: str, separator: Separator) -> tuple[str, ...]:
    """The fields of `line`. Only TAB and space part fields: other white space belongs to words.

    Spaces at the edges of a field are dropped.
    """
    if separator is Separator.TAB:
        return tuple(part.strip(" ") for part in line.split("\t"))
    return tuple(part for part in line.replace("\t", " ").split(" ") if part)


@lru_cache(maxsize=16)
def marker_pattern(markers: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for whole lines that are no words. Raises ConfigError when one of `markers` is no pattern."""
    for marker in markers:
        try:
            re.compile(marker)
        except re.error as error:
            raise ConfigError(
                f"'{marker}' is no pattern: {error}",
                where="the option markers",
                expected="a regular expression",
                hint="escape characters such as '(' with a backslash",
            ) from error
    return re.compile("|".join(f"(?:{marker})" for marker in markers) or "(?!)")
