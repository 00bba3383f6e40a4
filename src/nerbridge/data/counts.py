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
    one_column: a column file without tags. header_lines: lines that only name columns. named_columns: which columns
    are taken from them. suspicions: what makes the reader doubt that the file is read as it is meant.
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
    header_lines: int = 0
    named_columns: str = ""
    suspicions: tuple[str, ...] = ()

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
        told = [f"{counted(number, noun)} {what}" for number, noun, what in notable if number]
        return [size, *told, *self.of_names()]

    def of_names(self) -> list[str]:
        """What became of lines that name columns; one line for the user, or none."""
        taken = f"; columns by their names: {self.named_columns}" if self.named_columns else ""
        lines = counted(self.header_lines, "line that names the columns", "lines that name the columns")
        return [f"{lines} left out{taken}"] if self.header_lines else []

    def remarks(self) -> list[str]:
        """What stands in the file and was not read, though it may hold the annotation; one line each."""
        known = "; spans are named 'spans' or 'entities'" if self.unlabelled else ""
        keys = [
            f"{counted(number, 'record has', 'records have')} the key '{key}', which is not read{known}"
            for key, number in self.unread.items()
        ]
        return [*keys, *self.suspicions]

    def without_annotation(self) -> str:
        """How many sentences have no annotation, and why where that is known; '' when all have."""
        if not self.unlabelled:
            return ""
        reason = ": the file was read as one column, so there are no tags" if self.one_column else ""
        verb = "has" if self.sentences == 1 else "have"
        return f"{self.unlabelled:,} of {counted(self.sentences, 'sentence')} {verb} no annotation{reason}"
