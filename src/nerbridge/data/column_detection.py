"""Separator, number of columns and possible tags of a column file, found from all its lines."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from nerbridge.data.column_format import BLANK, ColumnFormat, marker_pattern
from nerbridge.data.column_header import with_header
from nerbridge.data.column_layout import ColumnLayout
from nerbridge.data.comma_detection import commas_are_spaced, find_quoting, word_lines
from nerbridge.data.separators import QUOTING, Separator, cut

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
    texts = Counter(text for _, text in lines)  # most lines of a column file come again
    if settings.separator in QUOTING:
        return with_header(_by_quoting(texts, settings, settings.separator), texts)
    layout, clear = _by_white_space(texts, settings)
    if settings.separator is None and layout.separator is Separator.SPACE and (not clear or commas_are_spaced(texts)):
        sure, likely = find_quoting(texts, settings)
        layout = replace(layout, parted=likely) if sure is None else _by_quoting(texts, settings, sure)
    return with_header(layout, texts)


def _by_white_space(texts: Mapping[str, int], settings: ColumnFormat) -> tuple[ColumnLayout, bool]:
    """The layout where TAB or space parts columns, and whether most lines have such columns with a tag in the last."""
    marker = marker_pattern(settings.markers)
    likely, doubtful = _Widths(), _Widths()
    endings: set[str] = set()
    joined: Counter[str] = Counter()
    for text, number in texts.items():
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
    layout = ColumnLayout(settings, separator, width, frozenset(endings), text_lines, example)
    return layout, width > 1 and _num_tags(widths.last) * 2 >= widths.last.total()


def _by_quoting(texts: Mapping[str, int], settings: ColumnFormat, separator: Separator) -> ColumnLayout:
    """The layout where commas or semicolons part columns."""
    widths: Counter[int] = Counter()
    tags: set[str] = set()
    column = settings.tag_column
    for text, fields in word_lines(texts, separator, settings):
        widths[len(fields)] += texts[text]
        if column is not None and -len(fields) <= column < len(fields):
            tags.add(fields[column])
    width = max(widths, key=lambda columns: (widths[columns], columns)) if widths else 1
    return ColumnLayout(settings, separator, width, frozenset(tags))


def _is_text(last: Counter[str], width: int, votes: Counter[int]) -> bool:
    """Do lines end in all kinds of words, and not in tags? last: the last fields, cut at spaces, and how often each.

    Either lines have all kinds of lengths, or almost every one ends in another word, or most end as sentences do. Two
    short columns with few labels, as in files of bare tags, are columns.
    """
    total = last.total()
    if width < 2 or _num_tags(last) * 20 > total:
        return False
    uneven = votes[width] * 4 < total * 3
    varied = len(last) * 2 > total and (width > LABEL_COLUMNS or total >= MANY_LINES)
    ended = sum(number for field, number in last.items() if ENDS.fullmatch(field)) * 2 > total
    return uneven or varied or ended


def _num_tags(last: Counter[str]) -> int:
    return sum(number for field, number in last.items() if TAG.fullmatch(field))


def _tags_of(line: str, column: int | None) -> Iterator[str]:
    for separator in (Separator.TAB, Separator.SPACE):
        fields = cut(line, separator)
        if column is not None and -len(fields) <= column < len(fields):
            yield fields[column]
