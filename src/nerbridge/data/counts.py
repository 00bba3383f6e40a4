"""What reading a file found and did, counted, so that nothing is repaired or left out in silence."""

from dataclasses import dataclass

from nerbridge.wording import counted


@dataclass(slots=True)
class ReadCounts:
    """Filled while a file is read; complete when its last sentence has been taken.

    lines: physical lines. blank_lines, marker_lines (-DOCSTART-, IMGID: ...), comment_lines: lines that are no words.
    repaired: malformed tag places that the repair policy mended. snapped: spans widened to word borders.
    dropped: overlapping spans left out by policy. unlabelled: sentences without annotation.
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

    def report(self) -> list[str]:
        """Lines for the user: the size first, then only what deserves a look."""
        notable = [
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
