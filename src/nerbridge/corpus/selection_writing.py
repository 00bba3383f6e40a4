"""Chosen sentences -> one built corpus for each level."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from nerbridge.corpus.folder import CorpusFolder, CorpusWriter, Words
from nerbridge.corpus.selection_choice import ENTITY, TASK
from nerbridge.corpus.selection_request import SelectionRequest
from nerbridge.corpus.selection_scan import drawn_documents, first_documents
from nerbridge.corpus.shards import shard_name
from nerbridge.errors import NerbridgeError

BITS = {"domain": 0, "entity": ENTITY, "task": TASK}


class LevelWriters:
    """The open folders of several levels of one selection. A context manager.

    After each file of the input everything is on disk; a run that goes on writes only what comes behind it. One of our
    own errors takes back what was written: the same command would end in it again.
    """

    def __init__(self, output: Path, levels: Sequence[str], key: str) -> None:
        self._stack = ExitStack()
        self._writers: dict[str, CorpusWriter] = {}
        self._made = None if output.exists() else output
        with self._stack:  # those already open are let go when one cannot be opened
            try:
                for level in levels:
                    self._writers[level] = self._stack.enter_context(CorpusWriter(output / level, key=key))
            except NerbridgeError:
                self._discard([one for one in self._writers.values() if one.progress is None])
                raise
            self._stack = self._stack.pop_all()

    def __enter__(self) -> "LevelWriters":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, NerbridgeError):
            self._discard([one for one in self._writers.values() if one.building.is_dir()])  # not those that are whole
        self._stack.__exit__(kind, error, trace)

    def write(self, request: SelectionRequest, number: int, choices: bytes) -> None:
        """Write what file `number` of the corpus (from 0) has for each level; `choices`: one for each sentence."""
        behind = [level for level, writer in self._writers.items() if (writer.progress or {}).get("files", 0) <= number]
        if not behind:
            return
        for chosen in chosen_documents(request, number, choices):
            for level in behind:
                lines = [" ".join(words) for words, choice in chosen if choice & BITS[level] == BITS[level]]
                if lines:
                    self._writers[level].add(lines, sum(line.count(" ") + 1 for line in lines))
        for level in behind:
            self._writers[level].checkpoint({"files": number + 1})

    def finish(self, record: Mapping[str, Any]) -> None:
        """All levels are whole now."""
        for level, writer in self._writers.items():
            writer.finish({"kind": "level", "level": level, "selection": record})

    def _discard(self, writers: Sequence[CorpusWriter]) -> None:
        for writer in writers:
            writer.discard()
        if self._made is not None and self._made.is_dir() and not any(self._made.iterdir()):
            self._made.rmdir()


def chosen_documents(request: SelectionRequest, number: int, choices: bytes) -> Iterator[list[tuple[Words, int]]]:
    """The drawn documents of file `number` with the choice for each of their sentences."""
    corpus, selection = request.corpus, request.selection
    path, first = corpus.path / corpus.shards[number].name, first_documents(corpus)[number]
    place = 0
    for document in drawn_documents(path, first, selection.share, selection.seed):
        yield list(zip(document, choices[place : place + len(document)], strict=True))
        place += len(document)


def join_levels(folder: Path, parts: Sequence[Path], key: str, record: Mapping[str, Any]) -> CorpusFolder:
    """A built corpus of the files of all `parts`, one part behind the other; files are copied, not packed again."""
    shards = [(part, shard) for part in parts for shard in CorpusFolder(part).shards]
    with CorpusWriter(folder, key=key) as writer:
        writer.shards.clear()
        for number, (part, shard) in enumerate(shards):
            shutil.copyfile(part / shard.name, folder / shard_name(number))
            writer.shards.append(replace(shard, name=shard_name(number)))
        writer.finish({"kind": "level", "level": folder.name, "selection": record})
    return CorpusFolder(folder)
