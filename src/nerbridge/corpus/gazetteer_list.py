"""Plain lists of names, one a line, and signs that a list is something else."""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nerbridge.corpus.gazetteer import such_as
from nerbridge.corpus.gazetteer_cleaning import NameCollector
from nerbridge.corpus.gazetteer_lines import stem, text_lines
from nerbridge.wording import counted

logger = logging.getLogger(__name__)

MARK = re.compile(r"\s*(\d+[.)]|[-*•–])\s+\S")  # '1. Ada Lovelace', '- Ada Lovelace'
COMMENT = re.compile(r"\s*[#;]\s.*[^\W\d_]")  # '# bands of the seventies': there is a letter, so it counts as a name
MARKED = 0.5  # share of the lines with a mark from which on it is no name, such as '1. FC Nürnberg'


def read_list(path: Path, collector: NameCollector) -> None:
    """Take the names of <label>.txt, one a line; lines that look like something else are names too, and are said.

    Raises DataError when the file's name is no label.
    """
    label = stem(path)
    bit, file = collector.bit(label, str(path)), path.name
    signs = Signs(file)
    for number, line in text_lines(path, collector.skip):
        collector.add(line, bit, f"{file}:{number}")
        if not line.strip():
            continue
        if not signs.lines and line.strip().casefold() == label.casefold():
            logger.warning("%s:%d: the first line is the label itself: taken as a name, not as a header", file, number)
        signs.see(number, line)
    for said in signs.report():
        logger.warning("%s: %s", file, said)


@dataclass(slots=True)
class Signs:
    """How many of a list's lines look like something else than a name. comment: the first of those that begin so."""

    file: str
    lines: int = 0
    tabs: int = 0
    marks: int = 0
    comments: int = 0
    comment: str = ""

    def see(self, number: int, line: str) -> None:
        """Count a line that is not empty."""
        self.lines += 1
        self.tabs += "\t" in line.strip()
        self.marks += MARK.match(line) is not None
        if COMMENT.match(line):
            self.comments += 1
            self.comment = self.comment or f"{self.file}:{number}: {line.strip()[:60]}"

    def report(self) -> Iterator[str]:
        """A line for each kind of sign that there is."""
        if self.tabs:
            holding = counted(self.tabs, "line holds a TAB", "lines hold a TAB")
            yield f"{holding}: taken as one name each; tables end in .tsv and name their columns"
        if self.marks and self.marks >= MARKED * self.lines:
            beginning = "line begins" if self.marks == 1 else "lines begin"
            what = f"{self.marks:,} of {self.lines:,} {beginning} with a mark such as '1.' or '-'"
            yield f"{what}: taken as part of the name"
        if self.comments:
            beginning = counted(self.comments, "line begins", "lines begin")
            what = f"{beginning} with '#' or ';' and a space, as comments do{such_as([self.comment])}"
            yield f"{what}: taken as names, for lists have no comments; remove those that are none"
