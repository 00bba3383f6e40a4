"""Built corpora in the place of raw text: which folders are some, which can be read so, and their documents."""

from collections.abc import Iterator
from pathlib import Path

from nerbridge.corpus.document import Document
from nerbridge.corpus.folder import CorpusFolder, is_manifest
from nerbridge.corpus.folder_writing import BUILDING, MANIFEST
from nerbridge.corpus.shards import SHARD_PATTERN, shard_lines
from nerbridge.corpus.tally import Tally
from nerbridge.errors import DataError


def is_corpus(path: Path) -> bool:
    """Is this the folder of a built corpus, a damaged or unfinished one too?"""
    if not path.is_dir():
        return False
    if (path / BUILDING).is_dir():
        return True
    manifest = path / MANIFEST
    return manifest.is_file() and (is_manifest(manifest) or any(path.glob(SHARD_PATTERN)))


def corpus_as_text(folder: Path) -> CorpusFolder:
    """The corpus, to be read as text. Raises DataError for a damaged, unfinished or empty one and for a level."""
    corpus = CorpusFolder(folder)
    if not corpus.shards:
        raise DataError(
            f"'{folder}' is a built corpus without text",
            where=str(folder),
            expected="raw text, or a corpus that holds some",
            hint="leave it out",
        )
    refuse_level(corpus, expected="raw text, or a corpus that `nerbridge corpus build` has written")
    return corpus


def refuse_level(corpus: CorpusFolder, *, expected: str) -> None:
    """Raises DataError for a level, whose sentences would count as often as it holds them."""
    if corpus.manifest.get("kind") == "level":
        raise DataError(
            f"'{corpus.path}' is a level of a corpus: sentences that were chosen, some of them more than once",
            where=str(corpus.path),
            expected=expected,
            hint="name the corpus that it was chosen from; `nerbridge pretrain` learns from a level as it is",
        )


def read_built(path: Path, max_characters: int, tally: Tally) -> Iterator[Document]:
    """The documents of one file of a built corpus; longer ones are cut behind a sentence, and the cuts counted.

    Raises DataError when the file is damaged.
    """
    waiting: list[str] = []
    length, number = 0, 1
    for line in shard_lines(path):
        if waiting and (not line or length + len(line) > max_characters):
            tally.cut += bool(line)
            yield Document("\n".join(waiting), str(path), number, cut=True)
            number += not line
            waiting, length = [], 0
        if line:
            waiting.append(line)
            length += len(line) + 1
    if waiting:
        yield Document("\n".join(waiting), str(path), number, cut=True)
