"""Parquet -> documents: one row each, its text in one column."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from nerbridge.config.corpus import RawTextSettings
from nerbridge.corpus.compression import BUFFER, compression_of, damage_fault, open_bytes
from nerbridge.corpus.document import Document
from nerbridge.corpus.json_documents import field_of
from nerbridge.corpus.tally import Tally
from nerbridge.corpus.text_fields import TextFields
from nerbridge.corpus.text_lines import pieces
from nerbridge.errors import MissingExtraError

DECODED_BYTES = 4 << 20  # of text that is decoded at once
MOST_ROWS = 1_024
PEEKED_ROWS = 20  # that tell which columns hold text


def read_parquet(path: Path, settings: RawTextSettings, tally: Tally) -> Iterator[Document]:
    """The documents of a Parquet file, read page by page; rows without text are counted in `tally`.

    A file without the column is a fault in `tally`, and so is a damaged one. A compressed file is unpacked into a
    temporary one first, because Parquet is read from its end. Raises MissingExtraError without pyarrow.
    """
    parquet, damage = pyarrow_parquet()
    with _seekable(path) as stream:
        try:
            with parquet.ParquetFile(stream, buffer_size=BUFFER, pre_buffer=False) as file:
                names = file.schema_arrow.names
                if settings.field not in names and settings.field.partition(".")[0] not in names:
                    tally.faults.append(_fields(file).fault(path, settings.field))
                    return
                yield from _rows(file, str(path), settings, tally)
        except damage as error:
            tally.faults.append(damage_fault(path, error))


def _fields(file: Any) -> TextFields:
    """What the first rows hold."""
    fields = TextFields()
    fields.names.update(dict.fromkeys(file.schema_arrow.names))
    batch = next(file.iter_batches(PEEKED_ROWS, use_threads=False), None)
    for row in _values(batch) if batch is not None else ():
        if row is not None:
            fields.look_at(row)
    return fields


def pyarrow_parquet() -> tuple[Any, tuple[type[Exception], ...]]:
    """pyarrow's Parquet module, and what it raises for damaged files. Raises MissingExtraError without pyarrow."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise MissingExtraError("pyarrow (for Parquet files)", "corpus") from None
    return parquet, (pyarrow.ArrowException, OSError)


def _rows(file: Any, origin: str, settings: RawTextSettings, tally: Tally) -> Iterator[Document]:
    number = 0
    for group in range(file.num_row_groups):
        rows = _rows_at_once(file.metadata.row_group(group))
        for batch in file.iter_batches(rows, row_groups=[group], columns=[settings.field], use_threads=False):
            for row in _values(batch):
                number += 1
                text = None if row is None else field_of(row, settings.field)
                if text is None:
                    tally.refuse("unreadable" if row is None else "no_field")
                    continue
                for piece in pieces(text, settings.max_characters):
                    tally.cut += len(piece) < len(text)
                    yield Document(piece, origin, number)


def _values(batch: Any) -> list[Any]:
    """The rows of a batch as dictionaries; None for a row that has no value in Python, such as bytes outside UTF-8."""
    try:
        return list(batch.to_pylist())
    except (ValueError, OverflowError):
        if batch.num_rows == 1:
            return [None]
        return [row for place in range(batch.num_rows) for row in _values(batch.slice(place, 1))]


def _rows_at_once(group: Any) -> int:
    """So many rows of a row group as hold DECODED_BYTES on the average, all columns taken together."""
    return max(1, min(MOST_ROWS, DECODED_BYTES * int(group.num_rows) // max(int(group.total_byte_size), 1)))


@contextmanager
def _seekable(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as raw:
        kind = compression_of(raw.read(16))
        raw.seek(0)
        if kind is None:
            yield raw
            return
    with tempfile.TemporaryFile() as unpacked:
        with open_bytes(path) as packed:
            shutil.copyfileobj(packed, unpacked, BUFFER)
        unpacked.seek(0)
        yield unpacked
