"""What cannot be pre-trained on, told before anything heavy is loaded: nothing, a text twice, files of other kinds."""

import glob
import shlex
from collections.abc import Sequence

from nerbridge.corpus.folder_writing import BUILDING, MANIFEST
from nerbridge.corpus.inputs import refuse_twice
from nerbridge.corpus.labelled_text import looks_labelled, no_raw_text
from nerbridge.errors import ConfigError, DataError, FileFaults
from nerbridge.pretraining.corpora import Corpus

SUFFIXES = (".txt", ".txt.gz")


def check_corpora(corpora: Sequence[Corpus]) -> None:
    """Raises ConfigError when there is no corpus, or one twice, FileFaults for all that are missing, of an unknown kind
    or labelled sentences."""
    if not corpora:
        raise ConfigError(
            "there is no text to pre-train on",
            where="the corpora that were given",
            expected="at least one built corpus or text file",
            hint="nerbridge pretrain ai=texts.txt.gz --output FOLDER",
        )
    faults = [fault for corpus in corpora if (fault := _fault(corpus)) is not None]
    if faults:
        raise FileFaults(faults)
    refuse_twice(
        [corpus.path for corpus in corpora],
        where="the corpora that were given",
        expected="each text once: held-out text must not be learnt under another name",
        hint="leave one of them out; --epochs learns longer from the same text",
    )


def _fault(corpus: Corpus) -> DataError | None:
    path = corpus.path
    if path.is_dir():
        return _not_built(corpus)
    if path.is_file() and path.name.endswith(SUFFIXES):
        hint = "`nerbridge train` and `adapt` learn from labelled sentences, `pretrain` from running text"
        return no_raw_text(path, hint=hint) if looks_labelled(path) else None
    there = "no text file by its name" if path.is_file() else "a pipe or a device, which cannot be read twice"
    pattern = glob.has_magic(str(path)) and bool(glob.glob(str(path), recursive=True))  # noqa: PTH207 (from anywhere)
    return DataError(
        f"'{path}' is {there if path.exists() else 'not there'}",
        where=str(path),
        expected=f"a folder that `nerbridge corpus build` wrote, or a file {' or '.join(SUFFIXES)}",
        hint=_build_first(corpus) if path.is_file() or pattern else "check the path",
    )


def _not_built(corpus: Corpus) -> DataError | None:
    """The fault of a folder that neither is a built corpus nor holds one, as a folder of text files."""
    path = corpus.path
    if (path / MANIFEST).exists() or (path / BUILDING).exists() or any(path.glob(f"*/{MANIFEST}")):
        return None  # what is wrong with it is found when it is read
    return DataError(
        f"'{path}' is no built corpus",
        where=str(path),
        expected="a folder written by `nerbridge corpus build` or `nerbridge corpus select`",
        hint=_build_first(corpus),
    )


def _build_first(corpus: Corpus) -> str:
    """How text of every other kind comes in, folders and patterns such as 'papers/*.txt' too."""
    name = f"{corpus.path}/" if corpus.path.is_dir() else str(corpus.path)
    domain = corpus.domain if corpus.domain.isidentifier() else "DOMAIN"
    build = f"nerbridge corpus build {shlex.quote(name)} --output CORPUS"
    return f"{build}, then nerbridge pretrain {domain}=CORPUS"
