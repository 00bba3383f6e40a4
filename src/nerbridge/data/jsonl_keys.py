"""Which keys of a JSONL file hold its spans, and which of them hold something that nobody reads."""

from collections.abc import Iterable, Iterator
from typing import Any

Record = dict[str, Any]

SPAN_KEYS = ("spans", "entities")
TAG_KEYS = ("tags", "ner_tags")
LABEL_KEYS = ("label", "labels")  # doccano's names; elsewhere they hold the class of a text
READ_KEYS = frozenset({"text", "words", "tokens", "offsets", "known", "domain", *SPAN_KEYS, *TAG_KEYS})


def label_key(record: Record) -> str | None:
    """The first of "label" and "labels" that `record` has, when nothing else in it says where the entities are."""
    if any(record.get(key) is not None for key in (*SPAN_KEYS, *TAG_KEYS)):
        return None
    return next((key for key in LABEL_KEYS if record.get(key) is not None), None)


def key_of_spans(records: Iterable[Record]) -> str | None:
    """The key, "label" or "labels", that holds spans in all `records` that have it; None where that is not certain.

    Certain is: every value is a list, all that stands in these lists is [number, number, name] or an object with start,
    end and label, there is at least one, and no record has spans or tags beside it. An empty list then means that the
    text has no entity.
    """
    found: set[str] = set()
    seen = False
    for record in records:
        given = [key for key in LABEL_KEYS if record.get(key) is not None]
        if not given:
            continue
        values = record[given[0]]
        if label_key(record) is None or not isinstance(values, list) or not all(map(_is_shaped_as_span, values)):
            return None
        found.update(given)
        seen = seen or bool(values)
    return found.pop() if seen and len(found) == 1 else None


def unread_keys(record: Record, spans_in: str | None) -> Iterator[str]:
    """The keys of lists and objects that are not read; `spans_in`: the key that `key_of_spans` found."""
    for key, value in record.items():
        if isinstance(value, list | dict) and value and key not in READ_KEYS and key != spans_in:
            yield key


def _is_shaped_as_span(item: Any) -> bool:
    if isinstance(item, dict):
        return {"start", "end", "label"} <= item.keys()
    return isinstance(item, list) and len(item) == 3 and isinstance(item[2], str)
