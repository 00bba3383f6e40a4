"""Tokenised text on disk: the pieces of all documents as one long array, read through a memory map.

    pieces.bin       ids, 2 or 4 bytes each, document after document, without special pieces
    documents.npy    where each document begins, and the end
    shards.json      key, counts, checksums; written last, so a folder without it is not finished

Plain numpy maps instead of the package `datasets`: the data is two arrays, a row is a slice without a copy, and nothing
more has to be installed. A folder is made once for the same text and tokenizer, by one process while others wait.
"""

import json
import logging
import shutil
import zlib
from array import array
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from nerbridge.data.array_files import save_array
from nerbridge.evaluation.files import write_text
from nerbridge.pretraining.corpora import Corpus
from nerbridge.pretraining.tokenising import WordPieces

logger = logging.getLogger(__name__)

PIECES, DOCUMENTS, SUMMARY = "pieces.bin", "documents.npy", "shards.json"
FORMAT = 1
_BLOCK = 2**24  # bytes that a checksum reads at once


@dataclass(frozen=True)
class CorpusCounts:
    """What a corpus holds. unknown_pieces: pieces that stand for what the vocabulary cannot spell."""

    domain: str
    documents: int
    words: int
    pieces: int
    unknown_pieces: int


@dataclass(frozen=True)
class Shards:
    """Tokenised documents. starts: one more than there are documents. counts: per corpus, in their order."""

    pieces: NDArray[Any]
    starts: NDArray[np.int64]
    counts: tuple[CorpusCounts, ...]


def open_shards(
    folder: Path, key: str, corpora: Sequence[Corpus], words: WordPieces, *, say: Callable[[str], None] = logger.info
) -> Shards:
    """The shards in `folder`, tokenised first unless they are there with this `key`.

    Damaged ones are made again, and it is said. Raises DataError for damaged text; a full disk raises OSError, and
    nothing half-written stays.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(f".{folder.name}.lock")):
        shards = _read(folder, key, say)
        if shards is not None:
            return shards
        say("pieces   cutting the text into pieces of words")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            counts, sizes = _write(folder, corpora, words)
        except BaseException as error:
            shutil.rmtree(folder, ignore_errors=True)
            if isinstance(error, OSError) and error.filename is None:
                error.filename = str(folder)  # a full disk does not say of what
            raise
        kept = {"format": FORMAT, "key": key, "dtype": words.dtype, "counts": [asdict(one) for one in counts]}
        write_text(folder / SUMMARY, json.dumps(kept | {"files": sizes}, indent=2) + "\n")
        made = _read(folder, key, say)
        assert made is not None, "shards that were just written are whole"
        return made


def _write(folder: Path, corpora: Sequence[Corpus], words: WordPieces) -> tuple[list[CorpusCounts], dict[str, Any]]:
    starts, counts, position = array("q", [0]), [], 0
    with (folder / PIECES).open("wb") as stream:
        for corpus in corpora:
            documents = num_words = unknown = 0
            before = position
            for ids, ends in words.tokenise(corpus.parts()):
                stream.write(ids.tobytes())
                position += len(ids)
                unknown += int((ids == words.unknown).sum())
                if len(ends):
                    starts.extend((position - len(ids) + ends).tolist())
                    documents += len(ends)
            num_words = words.take_count()
            counts.append(CorpusCounts(corpus.domain, documents, num_words, position - before, unknown))
    save_array(folder / DOCUMENTS, np.frombuffer(starts, np.int64))
    return counts, {name: _file_sum(folder / name) for name in (PIECES, DOCUMENTS)}


def _read(folder: Path, key: str, say: Callable[[str], None]) -> Shards | None:
    """The shards in `folder`; None when there are none with this key, or damaged ones."""
    if not (folder / SUMMARY).exists():
        return None
    try:
        summary = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
        if (summary["format"], summary["key"]) != (FORMAT, key):
            return None
        for name, expected in summary["files"].items():
            if _file_sum(folder / name) != expected:
                raise ValueError(f"'{name}' is not what was written")
        pieces = folder / PIECES
        empty = pieces.stat().st_size == 0  # which no map can be made of
        dtype = np.dtype(summary["dtype"])
        return Shards(
            np.zeros(0, dtype) if empty else np.memmap(pieces, dtype, mode="r"),
            np.load(folder / DOCUMENTS, allow_pickle=False),
            tuple(CorpusCounts(**counts) for counts in summary["counts"]),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as fault:
        say(f"the tokenised text in {folder} is damaged ({fault}) and made again")
        return None


def _file_sum(path: Path) -> list[int]:
    """Size and CRC-32."""
    total = 0
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            total = zlib.crc32(block, total)
    return [path.stat().st_size, total]
