"""What reading a file found and did, counted, so that nothing is repaired or left out in silence."""

from dataclasses import dataclass, field

from nerbridge.wording import counted


@dataclass(slots=True)
class ReadCounts:
    """Filled while a file is read; complete when its last sentence has been taken.

    lines: physical lines. blank_lines, marker_lines (-DOCSTART-, IMGID: ...), comment_lines: lines that are no words.
    repaired: malformed tag places that the repair policy mended. snapped: spans widened to word borders.
    dropped: overlapping spans left out by policy. unlabelled: sentences without annotation.
    unread: key -> records in which it holds a list or an object that nobody reads. left_out: sentences at fault.
    one_column: a column file without tags. joined: a line of such a file that seems to hold a word and its tag, where
    most lines do; else ''.
    """

    format: str = ""
    sentences: int = 0
    words: int = 0
    spans: int = 0
    unlabelled: int = 0
    lines: int = 0
    blank_lines: int = 0
    marker_lines: int = 0
    comment_lines: int = 0
    repaired: int = 0
    snapped: int = 0
    dropped: int = 0
    unread: dict[str, int] = field(default_factory=dict)
    left_out: int = 0
    one_column: bool = False
    joined: str = ""

    def report(self) -> list[str]:
        """Lines for the user: the size first, then only what deserves a look."""
        notable = [
            (self.left_out, "sentence", "left out, at fault"),
            (self.unlabelled, "sentence", "without annotation"),
            (self.marker_lines, "marker line", "(such as -DOCSTART-) left out"),
            (self.comment_lines, "comment line", "left out"),
            (self.repaired, "malformed tag place", "repaired"),
            (self.snapped, "span", "widened to word borders"),
            (self.dropped, "overlapping span", "dropped"),
        ]
        sizes = (self.sentences, "sentence"), (self.words, "word"), (self.spans, "span")
        size = f"{', '.join(counted(number, noun) for number, noun in sizes)} ({self.format})"
        return [size, *(f"{counted(number, noun)} {what}" for number, noun, what in notable if number)]

    def remarks(self) -> list[str]:
        """What stands in the file and was not read, though it may hold the annotation; one line each."""
        known = "; spans are named 'spans' or 'entities'" if self.unlabelled else ""
        keys = [
            f"{counted(number, 'record has', 'records have')} the key '{key}', which is not read{known}"
            for key, number in self.unread.items()
        ]
        parted = "which commas and the like do not part: put a TAB or a space between"
        return [
            *keys,
            *([f"lines such as '{self.joined}' seem to hold a word and its tag, {parted}"] if self.joined else []),
        ]

    def without_annotation(self) -> str:
        """How many sentences have no annotation, and why where that is known; '' when all have."""
        if not self.unlabelled:
            return ""
        reason = ": the file was read as one column, so there are no tags" if self.one_column else ""
        verb = "has" if self.sentences == 1 else "have"
        return f"{self.unlabelled:,} of {counted(self.sentences, 'sentence')} {verb} no annotation{reason}"
