"""A built corpus: a folder of sentences and the manifest that says where they come from.

    manifest.json             schema, what the folder holds, settings, counts, inputs and files with their SHA-256
    sentences-00000.txt.gz    one sentence a line, words parted by one space, an empty line behind every document
    sentences-00001.txt.gz    ...

Without a manifest the folder is not finished, and nothing reads it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nerbridge.corpus.folder_writing import BUILDING, MANIFEST, SCHEMA, SHARD_WORDS, CorpusWriter
from nerbridge.corpus.shards import Shard, Words, read_shard
from nerbridge.data.fingerprint import file_sha256
from nerbridge.errors import DataError

__all__ = ["CorpusFolder", "CorpusWriter", "Shard", "Words", "write_corpus"]


class CorpusFolder:
    """A built corpus, opened for reading.

    manifest: the content of manifest.json. shards: its files, in order.
    Raises DataError when `path` holds none or an unfinished one, or when a file is missing or of another size.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.manifest, self.shards = self._read_manifest()
        for shard in self.shards:
            self._check_size(shard)

    @property
    def num_documents(self) -> int:
        """How many documents the folder holds."""
        return int(self.manifest["holds"]["documents"])

    @property
    def num_sentences(self) -> int:
        """How many sentences the folder holds."""
        return int(self.manifest["holds"]["sentences"])

    @property
    def num_words(self) -> int:
        """How many words the folder holds."""
        return int(self.manifest["holds"]["words"])

    def documents(self, shards: Sequence[Shard] | None = None) -> Iterator[list[Words]]:
        """The documents of `shards` (default: all), in order: lists of sentences, each a list of words.

        One document is held in memory at a time. Raises DataError when a file is damaged.
        """
        for shard in self.shards if shards is None else shards:
            yield from read_shard(self.path / shard.name)

    def verify(self) -> None:
        """Raises DataError unless every file has the SHA-256 of the manifest."""
        for shard in self.shards:
            if file_sha256(self.path / shard.name) != shard.sha256:
                raise changed_shard(self.path / shard.name)

    def _read_manifest(self) -> tuple[dict[str, Any], tuple[Shard, ...]]:
        path = self.path / MANIFEST
        if not path.is_file():
            begun = (self.path / BUILDING).is_dir()
            inside = [str(manifest.parent) for manifest in sorted(self.path.glob(f"*/{MANIFEST}"))]
            hint = f"name one of those inside: {', '.join(inside)}" if inside else "nerbridge corpus build FILE..."
            raise DataError(
                f"'{self.path}' is {'a corpus that is not finished' if begun else 'no built corpus'}",
                where=str(path),
                expected="a folder written by `nerbridge corpus build` or `nerbridge corpus select`",
                hint="run the command that began it again: it goes on" if begun else hint,
            )
        try:
            manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            schema = manifest["schema"]
            if schema != SCHEMA:
                raise _fault(f"the manifest has schema {schema!r}, this program reads {SCHEMA}", path)
            for name in ("documents", "sentences", "words"):
                int(manifest["holds"][name])
            return manifest, tuple(map(_shard, manifest["files"]))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise _fault(f"the manifest cannot be read: {error}", path) from error

    def _check_size(self, shard: Shard) -> None:
        path = self.path / shard.name
        size = path.stat().st_size if path.is_file() else None
        if size != shard.bytes:
            found = "is missing" if size is None else f"has {size:,} bytes"
            raise _fault(f"'{shard.name}' {found}, the manifest says {shard.bytes:,} bytes", path)


def is_manifest(path: Path) -> bool:
    """Is the file the manifest of a built corpus, whatever became of the other files?"""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and {"schema", "holds", "files"} <= content.keys()


def changed_shard(path: Path) -> DataError:
    """The fault of a file that has not the checksum of the manifest."""
    return _fault(f"'{path.name}' is not the file that the manifest describes", path)


def _shard(entry: Mapping[str, Any]) -> Shard:
    """Raises ValueError or TypeError for an entry of the manifest that describes no file of the folder."""
    shard = Shard(**entry)
    if not all(isinstance(value, int) for value in (shard.documents, shard.sentences, shard.words, shard.bytes)):
        raise ValueError(f"sizes of '{shard.name}' are no numbers")
    if Path(shard.name).name != shard.name:
        raise ValueError(f"'{shard.name}' is no name of a file in the folder")
    return shard


def _fault(what: str, path: Path) -> DataError:
    return DataError(
        what,
        where=str(path),
        expected="a whole folder as it was built",
        hint="copy the folder again, or delete it and build it again",
    )


def write_corpus(
    path: str | Path,
    documents: Iterable[Sequence[Sequence[str]]],
    *,
    about: Mapping[str, Any] | Callable[[], Mapping[str, Any]] = dict,
    shard_words: int = SHARD_WORDS,
) -> CorpusFolder:
    """Writes `documents` (lists of sentences, each a list of words) as a built corpus and returns it.

    about: what the manifest says besides: settings, seed, inputs, counts; a function is called after the last document.
    The folder is whole or, after a fault, unfinished: then the same call begins it anew. Documents without sentences
    are left out. Raises ValueError for a word that is empty or holds white space, ConfigError when `path` holds
    something already.
    """
    with CorpusWriter(path, key="write_corpus", shard_words=shard_words) as writer:
        for document in documents:
            lines = [_line(words) for words in document]
            if lines:
                writer.add(lines, sum(map(len, document)))
            if writer.is_full:
                writer.close_shard()
        writer.finish(about() if callable(about) else about)
    return CorpusFolder(path)


def _line(words: Sequence[str]) -> str:
    line = " ".join(words)
    if not words or line.split() != list(words):
        raise ValueError(f"a sentence needs words without white space, not {list(words)[:8]!r}")
    return line
