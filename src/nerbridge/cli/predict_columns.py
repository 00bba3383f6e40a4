"""How `nerbridge predict` reads column files: the options of --read that have an effect on words."""

from collections.abc import Sequence
from typing import Any

from nerbridge.data.reader_options import parse_reader_options
from nerbridge.errors import ConfigError

COLUMN_OPTIONS = ("separator", "word_column", "sentence_column", "comment")


def column_options(pairs: Sequence[str]) -> dict[str, Any]:
    """The options 'name=value' of --read as fields of ColumnFormat. Raises ConfigError for those of no use here."""
    options = parse_reader_options(pairs)
    for name in options:
        if name not in COLUMN_OPTIONS:
            raise ConfigError(
                f"reader option '{name}' has no effect on what is tagged",
                where="--read",
                expected=f"one of {', '.join(COLUMN_OPTIONS)}: tags and spans of the input are not looked at",
                hint="name the column of the words, as in `--read word_column=1`, or leave the option out",
            )
    return options
