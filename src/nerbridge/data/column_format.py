"""How a column file is to be read, as the user may say it."""

import re
from dataclasses import dataclass
from functools import lru_cache

from nerbridge.data.format_options import settle
from nerbridge.data.schemes import Repair, Scheme
from nerbridge.data.separators import Separator
from nerbridge.errors import ConfigError

BLANK = " \t\r"
MARKERS = (r"-DOCSTART-([ \t].*)?", r"[A-Z]+ID:\S*")


@dataclass(frozen=True, slots=True)
class ColumnFormat:
    """How to read a column file; what is None is detected from the whole file.

    word_column, tag_column: index from 0, negative from the last; tag_column None reads words only.
    sentence_column: likewise; a sentence begins where its value is not empty and differs from the one before. None:
    only lines that are no words end sentences.
    comment: a line that starts so, opens a sentence and cannot be a word line is left out; '' for none.
    markers: patterns of whole lines that are no words and end a sentence.
    delimiter: the character between letter and label of a tag.
    Values of enumerations may be given by name ('tab', 'BIOES', 'strict'); an unknown name raises ConfigError.
    """

    separator: Separator | None = None
    word_column: int = 0
    tag_column: int | None = -1
    sentence_column: int | None = None
    scheme: Scheme | None = None
    repair: Repair = Repair.CONLLEVAL
    encoding: str = "utf-8"
    comment: str = "#"
    markers: tuple[str, ...] = MARKERS
    delimiter: str = "-"
    domain: str = ""

    def __post_init__(self) -> None:
        settle(self, separator=Separator, scheme=Scheme, repair=Repair)

    @property
    def names_no_column(self) -> bool:
        """Is every column where it is by default?"""
        return self.sentence_column is None and self.word_column == 0 and self.tag_column in (-1, None)


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
