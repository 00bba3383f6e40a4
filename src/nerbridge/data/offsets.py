"""Character offsets -> words: units of counting, word borders, and which systematic error explains the misses."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from nerbridge.data.jsonl_format import OffsetUnit
from nerbridge.data.sentence import Span
from nerbridge.wording import counted

Offsets = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Claim:
    """A span as a file states it: offsets in the file's unit, end exclusive."""

    start: int
    end: int
    label: str


class OffsetMap:
    """Offsets of one text in another unit -> code points."""

    def __init__(self, text: str, unit: OffsetUnit) -> None:
        self.length = len(text)
        self._positions: dict[int, int] | None = None
        if unit is OffsetUnit.CODE_POINTS or text.isascii():
            return
        position = 0
        self._positions = {0: 0}
        for index, character in enumerate(text, start=1):
            point = ord(character)
            if unit is OffsetUnit.UTF16:
                position += 2 if point > 0xFFFF else 1
            else:
                position += 1 if point < 0x80 else 2 if point < 0x800 else 3 if point < 0x10000 else 4
            self._positions[position] = index

    def code_point(self, offset: int) -> int | None:
        """The code point at `offset`; None outside the text or inside a character."""
        if self._positions is not None:
            return self._positions.get(offset)
        return offset if 0 <= offset <= self.length else None


class TextUnits:
    """A text whose offsets can be asked for in any unit; each unit's table is made once, when needed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._maps: dict[OffsetUnit, OffsetMap] = {}

    def code_point(self, offset: int, unit: OffsetUnit) -> int | None:
        """The code point at `offset` counted in `unit`; None outside the text or inside a character."""
        if unit not in self._maps:
            self._maps[unit] = OffsetMap(self.text, unit)
        return self._maps[unit].code_point(offset)


def span_at(start: int, end: int, label: str, offsets: Offsets) -> Span | None:
    """The words that begin at code point `start` and stop at `end`, or None when these are no word borders."""
    first = bisect_left(offsets, (start, 0))
    last = bisect_right(offsets, end, key=lambda pair: pair[1]) - 1
    fits = first <= last and offsets[first][0] == start and offsets[last][1] == end
    return Span(first, last + 1, label) if fits else None


def span_touching(start: int, end: int, label: str, offsets: Offsets) -> Span | None:
    """All words that share a character with `start` to `end`, or None when it holds white space only."""
    first = bisect_right(offsets, start, key=lambda pair: pair[1])
    stop = bisect_left(offsets, end, key=lambda pair: pair[0])
    return Span(first, stop, label) if first < stop else None


def keep_longest(spans: Sequence[Span]) -> tuple[list[Span], list[Span]]:
    """(spans without overlap, sorted; spans left out): longer ones win, the first of equals."""
    kept: list[Span] = []
    dropped: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start - one.end, one.start)):
        place = bisect_left(kept, span.start, key=lambda one: one.start)
        clashes = (place > 0 and kept[place - 1].end > span.start) or (
            place < len(kept) and kept[place].start < span.end
        )
        if clashes:
            dropped.append(span)
        else:
            kept.insert(place, span)
    return kept, dropped


# What people get wrong -> (what it is called, the options to read the file with instead).
EXPLANATIONS = {
    "high": ("every offset is 1 too high", ("start_shift=-1", "end_shift=-1")),
    "low": ("every offset is 1 too low", ("start_shift=1", "end_shift=1")),
    "inclusive": ("the ends are inclusive", ("end_shift=1",)),
    "from one": ("the starts count from 1", ("start_shift=-1",)),
    "utf16": ("the offsets count UTF-16 units", ("offsets=utf16",)),
    "bytes": ("the offsets count bytes", ("offsets=bytes",)),
    "codepoints": ("the offsets count code points", ("offsets=codepoints",)),
}
SHIFTS = {"high": (-1, -1), "low": (1, 1), "inclusive": (0, 1), "from one": (-1, 0)}


@dataclass(slots=True)
class MissSurvey:
    """Counts, over a whole file, which systematic error would put the missed spans on word borders."""

    unit: OffsetUnit
    claims: int = 0
    misses: int = 0
    explained: Counter[str] = field(default_factory=Counter)

    def add_miss(self, claim: Claim, units: TextUnits, offsets: Offsets) -> None:
        """Tries every explanation on one missed span."""

        def fits(unit: OffsetUnit, left: int = 0, right: int = 0) -> bool:
            start, end = units.code_point(claim.start + left, unit), units.code_point(claim.end + right, unit)
            return start is not None and end is not None and span_at(start, end, claim.label, offsets) is not None

        self.misses += 1
        for name, (left, right) in SHIFTS.items():
            self.explained[name] += fits(self.unit, left, right)
        for unit in OffsetUnit:
            if unit is not self.unit:
                self.explained[unit.value] += fits(unit)

    def verdict(self) -> tuple[str, tuple[str, ...]] | None:
        """(what is wrong, the options to read with instead) when one mends most misses; None otherwise."""
        if self.misses < 2:
            return None
        name, number = self.explained.most_common(1)[0]
        is_shift = name in SHIFTS
        if number * 4 < self.misses * 3 or (is_shift and self.misses * 2 < self.claims):
            return None
        error, options = EXPLANATIONS[name]
        return f"{number:,} of {counted(self.claims, 'span')} miss word borders in the same way: {error}", options
