"""Where records of JSON lines and Parquet files have their text, for messages about a field that is not there."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nerbridge.errors import DataError

LOOKED_AT = 1_000  # records
DEEPEST = 4  # tables inside tables
LISTED = 12  # fields that a message names
PEEKED = 10_000  # characters of a text


class TextFields:
    """The fields of the first records without text in the wanted one.

    names: the outer fields, in order. texts: those that hold text, 'a.b' where it lies deeper, with the words behind
    the first of each: an identifier has none.
    """

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.texts: Counter[str] = Counter()
        self._records = 0

    def look_at(self, record: Mapping[str, Any]) -> None:
        """Take one more record; those behind the first thousand are passed over."""
        if self._records == LOOKED_AT:
            return
        self._records += 1
        self.names.update(dict.fromkeys(map(str, record)))
        for name, text in _texts(record, "", DEEPEST):
            self.texts[name] += len(text[:PEEKED].split()) - 1

    def fault(self, path: Path, field: str) -> DataError:
        """The fault of a file in which nothing has text in `field`; the likely ones are named first."""
        likely = [name for name, _ in self.texts.most_common()]
        listed = likely + [name for name in self.names if not any(f"{one}.".startswith(f"{name}.") for one in likely)]
        hint = "none of its fields holds text, and numbers and lists are none"
        if likely:
            hint = f"name it: `--field {likely[0]}`; in a recipe or for `adapt --set`: corpus.text.field={likely[0]}"
        return DataError(
            f"no record of '{path.name}' has text in the field '{field}'",
            where=str(path),
            expected=f"one of its fields: {', '.join(listed[:LISTED])}",
            hint=hint,
        )


def _texts(record: Mapping[str, Any], above: str, deepest: int) -> Iterator[tuple[str, str]]:
    for name, value in record.items():
        if isinstance(value, str) and value and not value.isspace():
            yield f"{above}{name}", value
        elif isinstance(value, Mapping) and deepest > 1:
            yield from _texts(value, f"{above}{name}.", deepest - 1)
