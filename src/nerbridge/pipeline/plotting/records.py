"""The coordinates behind a picture, as a file: CSV or JSON lines."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from nerbridge.evaluation.files import write_text

Form = Literal["csv", "jsonl"]


def write_records(path: Path, records: Sequence[Mapping[str, Any]]) -> None:
    """One line for each record, in the form that the path's suffix names; all have the same keys."""
    if path.suffix == ".jsonl":
        write_text(path, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
        return
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    write_text(path, text.getvalue())
