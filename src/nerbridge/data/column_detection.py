"""Separator, number of columns and possible tags of a column file, found from all its lines."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from nerbridge.data.column_layout import BLANK, ColumnFormat, ColumnLayout, Separator, cut, marker_pattern

TAG = re.compile(r"[OBIESLUM]|[BIESLUM][^\w\s].+")  # a tag of any scheme with prefixes, whatever follows the letter
JOINED = re.compile(rf"""["']?.+[,;|]\s*["']?({TAG.pattern})["']?""")  # word and tag in other separators than ours
LABEL_COLUMNS = 4  # files of more columns without a single such tag are rare
MANY_LINES = 10  # of which not half may end in a label of their own
ENDS = re.compile(r"[.!?…。！？؟।]+")  # of sentences; no tag


@dataclass(slots=True)
class _Widths:
    tab_lines: int = 0
    plain_lines: int = 0
    by_tab: Counter[int] = field(default_factory=Counter)
    by_space: Counter[int] = field(default_factory=Counter)
    last: Counter[str] = field(default_factory=Counter)

    def add(self, line: str, number: int) -> None:
        tabs = line.count("\t")
        if tabs:
            self.tab_lines += number
        else:
            self.plain_lines += number
        self.by_tab[tabs + 1] += number
        fields = cut(line, Separator.SPACE)
        self.by_space[len(fields)] += number
        self.last[fields[-1]] += number


def detect_layout(lines: Iterable[tuple[int, str]], settings: ColumnFormat) -> ColumnLayout:
    """The layout that most word lines of the file share; lines that look like comments have no vote if others exist."""
    marker = marker_pattern(settings.markers)
    likely, doubtful = _Widths(), _Widths()
    endings: set[str] = set()
    joined: Counter[str] = Counter()
    for text, number in Counter(text for _, text in lines).items():  # most lines of a column file come again
        line = text.rstrip(BLANK)
        if not line or marker.fullmatch(line):
            continue
        if settings.comment and line.startswith(settings.comment):
            doubtful.add(line, number)
        else:
            likely.add(line, number)
            endings.update(_tags_of(line, settings.tag_column))
            if JOINED.fullmatch(line):
                joined[line] += number
    widths = likely if likely.by_tab else doubtful
    separator = settings.separator or (Separator.TAB if widths.tab_lines > widths.plain_lines else Separator.SPACE)
    votes = widths.by_tab if separator is Separator.TAB else widths.by_space
    width = max(votes, key=lambda columns: (votes[columns], columns)) if votes else 1
    text_lines = widths.last.total() if _is_text(widths.last, width, votes) else 0
    example = next(iter(joined), "") if width == 1 and joined.total() * 2 > likely.last.total() else ""
    return ColumnLayout(settings, separator, width, frozenset(endings), text_lines, example)


def _is_text(last: Counter[str], width: int, votes: Counter[int]) -> bool:
    """Do lines end in all kinds of words, and not in tags? last: the last fields, cut at spaces, and how often each.

    Either lines have all kinds of lengths, or almost every one ends in another word, or most end as sentences do. Two
    short columns with few labels, as in files of bare tags, are columns.
    """
    total = last.total()
    if width < 2 or sum(number for field, number in last.items() if TAG.fullmatch(field)) * 20 > total:
        return False
    uneven = votes[width] * 4 < total * 3
    varied = len(last) * 2 > total and (width > LABEL_COLUMNS or total >= MANY_LINES)
    ended = sum(number for field, number in last.items() if ENDS.fullmatch(field)) * 2 > total
    return uneven or varied or ended


def _tags_of(line: str, column: int | None) -> Iterator[str]:
    for separator in Separator:
        fields = cut(line, separator)
        if column is not None and -len(fields) <= column < len(fields):
            yield fields[column]
