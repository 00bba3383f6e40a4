"""Writing one file of a built corpus: under another name until it is whole and on disk."""

import gzip
import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from nerbridge.corpus.shards import Shard
from nerbridge.data.writing import naming_place


class ShardWriter:
    """Takes documents until it is closed; `words` counts what it holds. path: the file that `close` leaves."""

    def __init__(self, path: Path) -> None:
        self.documents = 0
        self.sentences = 0
        self.words = 0
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        self._raw = self._part.open("wb")
        # No name and no time inside: equal text gives equal bytes.
        self._packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=self._raw, mtime=0)

    def add(self, sentences: Sequence[str], num_words: int) -> None:
        """Takes one document: its sentences, words parted by single spaces, and the number of its words."""
        with naming_place(self._path):
            self._packed.write(("\n".join(sentences) + "\n\n").encode("utf-8"))
        self.documents += 1
        self.sentences += len(sentences)
        self.words += num_words

    def close(self) -> Shard:
        """Forces the file to disk, gives it its name, and returns what it is."""
        with naming_place(self._path):
            self._packed.close()
            self._raw.flush()
            os.fsync(self._raw.fileno())
            self._raw.close()
        with self._part.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        self._part.replace(self._path)
        size = self._path.stat().st_size
        return Shard(self._path.name, self.documents, self.sentences, self.words, size, digest)

    def abandon(self) -> None:
        """Lets go of the file as it is; harmless after `close`."""
        with suppress(OSError):  # a full disk refuses the last bytes too, and they are not wanted
            self._packed.close()
        with suppress(OSError):
            self._raw.close()
        self._part.unlink(missing_ok=True)
