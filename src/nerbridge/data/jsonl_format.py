"""How a JSONL file of annotated text is to be read."""

from dataclasses import dataclass
from enum import StrEnum

from nerbridge.data.format_options import settle
from nerbridge.data.schemes import Repair, Scheme


class OffsetUnit(StrEnum):
    """What the character offsets of a file count."""

    CODE_POINTS = "codepoints"  # Python
    UTF16 = "utf16"  # browsers, Java: an emoji counts as two
    BYTES = "bytes"  # UTF-8: an accented letter counts as two


class Borders(StrEnum):
    """What happens to a span that starts or ends inside a word."""

    FAULT = "fault"
    SNAP = "snap"  # it is widened to the words it touches, and counted


class Overlaps(StrEnum):
    """What happens to spans that overlap."""

    FAULT = "fault"
    LONGEST = "longest"  # the longest stays (the first of equals), the others are counted


@dataclass(frozen=True, slots=True)
class JsonlFormat:
    """How to read JSONL.

    offsets: what the offsets count. start_shift, end_shift: added to every offset first (end_shift=1 where ends are
    inclusive). scheme None: detected from all "tags" of the file.
    """

    offsets: OffsetUnit = OffsetUnit.CODE_POINTS
    borders: Borders = Borders.FAULT
    overlaps: Overlaps = Overlaps.FAULT
    start_shift: int = 0
    end_shift: int = 0
    scheme: Scheme | None = None
    repair: Repair = Repair.CONLLEVAL
    delimiter: str = "-"
    encoding: str = "utf-8"
    domain: str = ""

    def __post_init__(self) -> None:
        settle(self, offsets=OffsetUnit, borders=Borders, overlaps=Overlaps, scheme=Scheme, repair=Repair)
