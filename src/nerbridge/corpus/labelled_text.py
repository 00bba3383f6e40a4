"""Labelled sentences in the place of raw text: their tags would be read as words."""

import re
from itertools import islice
from pathlib import Path

from nerbridge.config.corpus import RawTextSettings
from nerbridge.corpus.inputs import InputFile
from nerbridge.corpus.reading import read_documents
from nerbridge.corpus.tally import Tally
from nerbridge.errors import DataError

LINES = 60  # of a file that are looked at
_TAGGED = re.compile(r"\S+(\s+\S+)*\s+(O|[BIESLU]-\S+)\s*")


def labelled_fault(file: InputFile) -> DataError | None:
    """What is to be said of a text file whose lines hold a word and a tag each; None for every other file."""
    if file.format == "text" and looks_labelled(file.path):
        return no_raw_text(
            file.path, hint=f"--target-train {file.path}; --target-* takes labelled sentences, --raw running text"
        )
    return None


def no_raw_text(path: Path, *, hint: str) -> DataError:
    """The fault of a file that `looks_labelled`."""
    return DataError(
        f"'{path.name}' holds labelled sentences, a word and a tag per line, and no raw text",
        where=str(path),
        expected="running text, one paragraph per line",
        hint=hint,
    )


def looks_labelled(path: Path) -> bool:
    """Do the first lines of a text file hold a word and a tag each?"""
    lines = [one.text for one in islice(read_documents([path], RawTextSettings(format="text"), tally=Tally()), LINES)]
    tagged = sum(_TAGGED.fullmatch(line) is not None for line in lines)
    return bool(lines) and tagged > 0.9 * len(lines)
