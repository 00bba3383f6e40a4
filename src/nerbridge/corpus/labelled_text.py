"""What stands in the place of raw text: labelled sentences, whose tags would be read as words, and parts of corpora."""

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from nerbridge.config.corpus import RawTextSettings
from nerbridge.corpus.folder import is_manifest
from nerbridge.corpus.folder_writing import BUILDING, MANIFEST
from nerbridge.corpus.inputs import InputFile
from nerbridge.corpus.reading import read_documents
from nerbridge.corpus.shards import SHARD_PATTERN
from nerbridge.corpus.tally import Tally
from nerbridge.errors import DataError, FileFaults

LINES = 60  # of a file that are looked at
_TAGGED = re.compile(r"\S+(\s+\S+)*\s+(O|[BIESLU]-\S+)\s*")


LABELLED_HINT = "labelled sentences are for --target-train {} of `nerbridge adapt`, or target.files of a recipe"


def refuse_other_than_raw(files: Sequence[InputFile], *, labelled_hint: str = LABELLED_HINT) -> None:
    """Raises FileFaults for files of labelled sentences, and for built corpora whose files came in as text: unfinished
    ones, and those that lie deeper in a folder.

    labelled_hint: what to do with a labelled file, which stands in for {}.
    """
    as_text = (file.path.parent for file in files if file.format != "corpus" and _is_of_corpus(file.path))
    faults = [_built(folder) for folder in dict.fromkeys(as_text)]
    faults += [
        no_raw_text(file.path, hint=labelled_hint.format(file.path))
        for file in files
        if file.format == "text" and looks_labelled(file.path)
    ]
    if faults:
        raise FileFaults(faults)


def _is_of_corpus(path: Path) -> bool:
    """Is this a file of a built corpus, or of one that is not finished?"""
    if path.name == MANIFEST:
        return is_manifest(path)
    return path.match(SHARD_PATTERN) and any((path.parent / name).exists() for name in (MANIFEST, BUILDING))


def _built(folder: Path) -> DataError:
    if not (folder / MANIFEST).exists():
        return DataError(
            f"'{folder}' is a corpus that is not finished",
            where=str(folder),
            expected="raw text, or the folder of a corpus that was built to its end",
            hint="run the command that began it again: it goes on",
        )
    return DataError(
        f"'{folder}' is a built corpus, and its files were to be read as text",
        where=str(folder),
        expected="raw text, or the folder of a built corpus itself",
        hint=f"name '{folder}'",
    )


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
