"""What can be wrong with raw text and lists, found before anything is built."""

import re
from itertools import islice
from pathlib import Path

from nerbridge.config.corpus import RawTextSettings
from nerbridge.corpus.inputs import InputFile, find_inputs
from nerbridge.corpus.matching import build_automaton
from nerbridge.corpus.reading import check_inputs, read_documents
from nerbridge.corpus.tally import Tally
from nerbridge.errors import DataError, FileFaults
from nerbridge.pipeline.pretrained.names import listed_names
from nerbridge.pipeline.pretrained.work import RawWork

LINES = 60  # of a file that are looked at
_TAGGED = re.compile(r"\S+(\s+\S+)*\s+(O|[BIESLU]-\S+)\s*")


def check_raw_text(work: RawWork) -> None:
    """Raises DataError for raw text or lists that are missing, empty, or labelled data; MissingExtraError for a part
    of nerbridge that is not installed; ConfigError for lists without a label of the target."""
    settings = work.settings
    files = find_inputs(settings.files, settings.text.format)
    check_inputs(files, settings.text)
    faults = [fault for file in files if (fault := _fault(file)) is not None]
    if faults:
        raise FileFaults(faults)
    if not work.experiment.selection.takes_all:
        build_automaton([b"probe"])
    if work.experiment.selection.needs_names and work.experiment.gazetteer.files:
        listed_names(work)


def _fault(file: InputFile) -> DataError | None:
    if file.format == "text" and looks_labelled(file.path):
        return DataError(
            f"'{file.path.name}' holds labelled sentences, a word and a tag per line, and no raw text",
            where=str(file.path),
            expected="running text, one paragraph per line",
            hint=f"--target-train {file.path}; --target-* takes labelled sentences, --raw running text",
        )
    return None


def looks_labelled(path: Path) -> bool:
    """Do the first lines of a text file hold a word and a tag each?"""
    lines = [one.text for one in islice(read_documents([path], RawTextSettings(format="text"), tally=Tally()), LINES)]
    tagged = sum(_TAGGED.fullmatch(line) is not None for line in lines)
    return tagged > 0.9 * len(lines)
