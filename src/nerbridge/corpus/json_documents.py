"""JSON lines -> documents: one object a line, its text in one field."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nerbridge.config.corpus import RawTextSettings
from nerbridge.corpus.compression import open_bytes
from nerbridge.corpus.document import Document
from nerbridge.corpus.tally import Tally
from nerbridge.corpus.text_fields import TextFields
from nerbridge.corpus.text_lines import decoded, pieces, text_lines

LINE_CHARACTERS = 4  # a line may be so many times as long as a document: escapes, other fields


def read_json_lines(path: Path, settings: RawTextSettings, tally: Tally) -> Iterator[Document]:
    """The documents of a JSON lines file; lines that hold none are counted in `tally`.

    When no record at all has the field, a fault names the fields that there are.
    """
    found, fields = 0, TextFields()
    for number, record in _records(path, settings, tally):
        text = field_of(record, settings.field)
        if text is None:
            tally.refuse("no_field")
            fields.look_at(record)
            continue
        found += 1
        for piece in pieces(text, settings.max_characters):
            tally.cut += len(piece) < len(text)
            yield Document(piece, str(path), number)
    if fields.names and not found:
        tally.faults.append(fields.fault(path, settings.field))


def _records(path: Path, settings: RawTextSettings, tally: Tally) -> Iterator[tuple[int, dict[str, Any]]]:
    limit = settings.max_characters * LINE_CHARACTERS
    inside = False  # a line of which a piece was read already
    with open_bytes(path) as stream:
        for number, line, ends in decoded(text_lines(stream, settings.encoding, limit), str(path), tally):
            if inside or not ends:
                if ends:
                    tally.refuse("long_record")
                inside = not ends
                continue
            if not line or line.isspace():
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            if isinstance(record, dict):
                yield number, record
            else:
                tally.refuse("not_json")


def field_of(record: Mapping[str, Any], field: str) -> str | None:
    """The text under `field`, or under its parts where it is dotted; None when there is none."""
    value: Any = record.get(field)
    if value is None and "." in field:
        value = record
        for part in field.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else None
