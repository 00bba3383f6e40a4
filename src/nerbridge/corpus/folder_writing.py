"""Writing a built corpus so that it is whole or not there, and so that a killed run goes on where it stopped.

While a folder is written it has no `manifest.json`; what is finished stands in `.building/progress.json`. A shard is
closed, forced to disk and recorded together with the writer's progress, so a kill at any moment loses the open shard at
most. The manifest comes last, in one rename.
"""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from nerbridge.corpus.shard_writing import ShardWriter
from nerbridge.corpus.shards import Shard, shard_name
from nerbridge.data.writing import atomic_writer
from nerbridge.errors import ConfigError, DataError

MANIFEST = "manifest.json"
SCHEMA = 1  # of the manifest; goes up when an older program could not read a newer folder
SHARD_WORDS = 4_000_000  # some 10 MB compressed, and less than a minute of work at the speed of reading
BUILDING = ".building"


class CorpusWriter:
    """Takes the documents of one built corpus, in order. A context manager: it holds a lock on the folder.

    key: what the corpus is made of (inputs and settings); a folder that was begun with another key is refused.
    shards: what is closed. progress: what the last checkpoint recorded, None for a new folder.
    Raises ConfigError when the folder holds a corpus or anything else already, or is being written by another process.
    """

    def __init__(self, path: str | Path, *, key: str, shard_words: int = SHARD_WORDS) -> None:
        self.path = Path(path)
        self.building = self.path / BUILDING
        self._key = key
        self._shard_words = shard_words
        self._refuse_other_content()
        self.building.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(self.building / "lock")
        self._take_lock()
        try:
            self.shards, self.progress = self._recorded()
            self._open = self._begin_shard()
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> "CorpusWriter":
        return self

    def __exit__(self, _: object, error: object, *__: object) -> None:
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(self.path)  # a full disk does not say of what
        self._open.abandon()
        self._lock.release()

    def add(self, sentences: Sequence[str], num_words: int) -> None:
        """Takes one document: its sentences, words parted by single spaces, and the number of its words."""
        self._open.add(sentences, num_words)

    @property
    def is_full(self) -> bool:
        """Has the open shard the size at which it should be closed?"""
        return self._open.words >= self._shard_words

    def close_shard(self) -> None:
        """Closes the open shard, if it holds anything, and begins the next one."""
        if self._open.documents:
            self.shards.append(self._open.close())
            self._open = self._begin_shard()

    def checkpoint(self, progress: Mapping[str, Any]) -> None:
        """Closes the open shard and records it with `progress` (JSON); on disk when this returns."""
        self.close_shard()
        self.progress = dict(progress)
        self._record()

    def finish(self, about: Mapping[str, Any]) -> None:
        """Writes the manifest: `about` (JSON) and what the files hold. From here on the folder is a built corpus."""
        self.close_shard()
        self._open.abandon()
        sums = {
            name: sum(getattr(shard, name) for shard in self.shards) for name in ("documents", "sentences", "words")
        }
        manifest = {"schema": SCHEMA, "holds": sums, **about, "files": [asdict(shard) for shard in self.shards]}
        write_durable_json(self.path / MANIFEST, manifest)
        self._lock.release()
        shutil.rmtree(self.building, ignore_errors=True)

    def discard(self) -> None:
        """Takes back what was written; the folder goes too if nothing else is in it."""
        self._open.abandon()
        for shard in self.shards:
            (self.path / shard.name).unlink(missing_ok=True)
        self._lock.release()
        shutil.rmtree(self.building, ignore_errors=True)
        if not any(self.path.iterdir()):
            self.path.rmdir()

    def _refuse_other_content(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            found = "a file"
        elif (self.path / MANIFEST).exists():
            found = "a built corpus"
        elif self.path.exists() and any(self.path.iterdir()) and not self.building.is_dir():
            found = "other files"
        else:
            return
        of_what = f"; {MANIFEST} in it says of which files and settings it is" if found == "a built corpus" else ""
        raise ConfigError(
            f"'{self.path}' {'is' if found == 'a file' else 'holds'} {found} already",
            where=str(self.path),
            expected="a new folder, or one whose building was interrupted",
            hint=f"choose another folder, or delete this one{of_what}",
        )

    def _take_lock(self) -> None:
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise ConfigError(
                f"'{self.path}' is being written by another process",
                where=str(self.building / "lock"),
                expected="one process per folder",
                hint="wait until it has ended, or choose another folder",
            ) from None

    def _recorded(self) -> tuple[list[Shard], dict[str, Any] | None]:
        path = self.building / "progress.json"
        if not path.exists():
            self.shards, self.progress = [], None
            self._record()
        try:
            recorded = json.loads(path.read_text(encoding="utf-8"))
            key, shards, progress = recorded["key"], recorded["shards"], recorded["progress"]
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(
                f"the record of what is finished cannot be read: {error}",
                where=str(path),
                expected="the JSON that was written there",
                hint=f"delete '{self.path}' and build it again",
            ) from error
        if key != self._key:
            raise ConfigError(
                f"'{self.path}' was begun with other inputs or settings",
                where=str(path),
                expected="the same inputs and settings as before",
                hint="choose another folder, or delete this one",
            )
        return [Shard(**entry) for entry in shards], progress

    def _record(self) -> None:
        shards = [asdict(shard) for shard in self.shards]
        content = {"key": self._key, "shards": shards, "progress": self.progress}
        write_durable_json(self.building / "progress.json", content)

    def _begin_shard(self) -> ShardWriter:
        path = self.path / shard_name(len(self.shards))
        for left in self.path.glob("sentences-*"):  # closed, but not recorded before the kill
            if left.name >= path.name:
                left.unlink()
        return ShardWriter(path)


def write_durable_json(path: Path, value: Mapping[str, Any]) -> None:
    """Writes JSON that is on disk, whole, when this returns."""
    with atomic_writer(path) as stream:
        json.dump(value, stream, ensure_ascii=False, indent=2)
        stream.write("\n")
        stream.flush()
        os.fsync(stream.fileno())
