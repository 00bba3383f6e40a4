"""Files of built corpora -> documents, as they are cut."""

from collections.abc import Iterator
from pathlib import Path

from nerbridge.corpus.document import Document
from nerbridge.corpus.shards import shard_lines
from nerbridge.corpus.tally import Tally


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
