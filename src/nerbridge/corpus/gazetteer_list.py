"""Plain lists of names, one a line, and signs that a list is something else."""

import logging
import re
from pathlib import Path

from nerbridge.corpus.gazetteer_cleaning import NameCollector
from nerbridge.corpus.gazetteer_lines import stem, text_lines
from nerbridge.wording import counted

logger = logging.getLogger(__name__)

MARK = re.compile(r"\s*(\d+[.)]|[-*•–])\s+\S")  # '1. Ada Lovelace', '- Ada Lovelace'
MARKED = 0.5  # share of the lines with a mark from which on it is no name, such as '1. FC Nürnberg'


def read_list(path: Path, collector: NameCollector) -> None:
    """Take the names of <label>.txt, one a line; lines that look like something else are names too, and are said.

    Raises DataError when the file's name is no label.
    """
    label = stem(path)
    bit, file = collector.bit(label, str(path)), path.name
    lines = tabs = marks = 0
    for number, line in text_lines(path, collector.skip):
        collector.add(line, bit, f"{file}:{number}")
        if not line.strip():
            continue
        if not lines and line.strip().casefold() == label.casefold():
            logger.warning("%s:%d: the first line is the label itself: taken as a name, not as a header", file, number)
        lines += 1
        tabs += "\t" in line.strip()
        marks += MARK.match(line) is not None
    if tabs:
        holding = counted(tabs, "line holds a TAB", "lines hold a TAB")
        logger.warning("%s: %s: taken as one name each; tables end in .tsv and name their columns", file, holding)
    if marks and marks >= MARKED * lines:
        beginning = "line begins" if marks == 1 else "lines begin"
        what = f"{marks:,} of {lines:,} {beginning} with a mark such as '1.' or '-'"
        logger.warning("%s: %s: taken as part of the name", file, what)
