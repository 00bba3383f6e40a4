"""Prepared batches -> the files of a built corpus: drops repetitions, counts, and remembers what is done.

At every closed shard the counts, the number of items taken and the keys of the kept paragraphs are recorded, so that a
killed run can go on: the duplicate filter is filled again from the keys.
"""

import logging
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nerbridge.config.corpus import CorpusSettings
from nerbridge.corpus.duplicates import DuplicateFilter
from nerbridge.corpus.folder_writing import CorpusWriter
from nerbridge.corpus.paragraph import Paragraph
from nerbridge.corpus.preparation import PreparedBatch
from nerbridge.corpus.tally import Tally
from nerbridge.data.array_files import save_array
from nerbridge.errors import DataError
from nerbridge.wording import counted

logger = logging.getLogger(__name__)


class Builder:
    """Takes prepared batches in order and writes what stays.

    tally: what came in by batches, what stayed, and why the rest did not. num_items: items taken, in earlier runs too.
    """

    def __init__(self, writer: CorpusWriter, settings: CorpusSettings) -> None:
        self.tally = Tally()
        self.num_items = 0
        self.duplicates = DuplicateFilter(settings.filters.duplicate_megabytes)
        self._writer = writer
        self._checkpoints = 0
        self._keys: list[NDArray[np.uint64]] = []
        if writer.progress is not None:
            self._resume(writer.progress)
            logger.info("%s: goes on behind %s that were read before", writer.path, counted(self.num_items, "document"))

    def take(self, batch: PreparedBatch) -> None:
        """Writes the documents of a batch, without the paragraphs that were there before."""
        self.tally.include(batch.tally)
        self.num_items += batch.num_items
        reasons = list(batch.reasons)
        nothing_left = set(range(len(reasons)))
        pairs = zip(batch.paragraphs, batch.keys, strict=True)
        for document, group in groupby(pairs, key=lambda pair: pair[0].document):
            kept = [one for one, keys in group if self._is_new(one, keys, reasons)]
            if kept:
                nothing_left.remove(document)
                self._write(kept)
        for document in nothing_left:
            self.tally.drop(reasons[document], documents=1)
        if self._writer.is_full:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Everything that was taken is on disk, and recorded, when this returns."""
        if self._keys:
            save_array(self._keys_path(self._checkpoints), np.stack(self._keys))
            self._checkpoints += 1
            self._keys = []
        progress = {
            "items": self.num_items,
            "checkpoints": self._checkpoints,
            "forgotten": self.duplicates.forgotten,
            "tally": self.tally.as_json(),
        }
        self._writer.checkpoint(progress)

    def _is_new(self, paragraph: Paragraph, keys: NDArray[np.uint64], reasons: list[str]) -> bool:
        repetition = self.duplicates.take(keys)
        if repetition is None:
            self._keys.append(keys)
            return True
        self.tally.drop(repetition, paragraphs=1, sentences=len(paragraph.lines), words=paragraph.words)
        reasons[paragraph.document] = reasons[paragraph.document] or repetition
        return False

    def _write(self, kept: list[Paragraph]) -> None:
        lines = [line for one in kept for line in one.lines]
        words = sum(one.words for one in kept)
        self._writer.add(lines, words)
        self.tally.kept.add(documents=1, paragraphs=len(kept), sentences=len(lines), words=words)

    def _resume(self, progress: dict[str, Any]) -> None:
        """Raises DataError when what was recorded is damaged."""
        try:
            self.num_items = progress["items"]
            self.tally = Tally.from_json(progress["tally"])
            self._checkpoints = progress["checkpoints"]
            for number in range(self._checkpoints):
                for keys in np.load(self._keys_path(number), allow_pickle=False):
                    self.duplicates.add(keys)
            self.duplicates.forgotten = progress["forgotten"]
        except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
            raise DataError(
                f"the record of what is finished cannot be read: {error}",
                where=str(self._writer.building),
                expected="what an interrupted build has written there",
                hint=f"delete '{self._writer.path}' and build it again",
            ) from error

    def _keys_path(self, number: int) -> Path:
        return self._writer.building / f"keys-{number:05d}.npy"
