"""Tagged items -> JSON lines or columns; both can be read again as labelled sentences."""

import json
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any, Protocol

from nerbridge.data.jsonl_format import OffsetUnit
from nerbridge.data.schemes import Scheme
from nerbridge.data.sentence import Sentence
from nerbridge.data.writing import write_columns
from nerbridge.inference.document import TaggedSentence, convert_offsets
from nerbridge.inference.items import Item
from nerbridge.wording import counted


class Renderer(Protocol):
    """Writes one output format piece by piece, so that the whole is never in memory."""

    def begin(self) -> str:
        """What stands before all items."""
        ...

    def item(self, item: Item, sentences: Sequence[TaggedSentence]) -> str:
        """One item. Raises DataError when the format cannot hold it."""
        ...

    def end(self) -> str:
        """What stands after all items."""
        ...

    def notes(self) -> Sequence[str]:
        """What people should know about the items written so far."""
        ...


class JsonLines:
    """One object per item: the fields of the input's record as they are, and `entities`.

    Offsets count characters of the item's text in `unit`, or words where the item has no text.
    """

    def __init__(self, unit: OffsetUnit = OffsetUnit.CODE_POINTS) -> None:
        self._unit = unit
        self._num_replaced = 0

    def begin(self) -> str:
        return ""

    def item(self, item: Item, sentences: Sequence[TaggedSentence]) -> str:
        self._num_replaced += "entities" in item.record
        found = _in_words(sentences) if item.text is None else self._in_text(item.text, sentences)
        return json.dumps({**item.record, "entities": list(found)}, ensure_ascii=False) + "\n"

    def end(self) -> str:
        return ""

    def notes(self) -> Sequence[str]:
        replaced = f"the field `entities` was replaced in {counted(self._num_replaced, 'record')}"
        return [replaced] if self._num_replaced else []

    def _in_text(self, text: str, sentences: Sequence[TaggedSentence]) -> Iterator[dict[str, Any]]:
        entities = [entity for sentence in sentences for entity in sentence.entities(text)]
        edges = convert_offsets(text, [edge for one in entities for edge in (one.start, one.end)], self._unit)
        for one, start, end in zip(entities, edges[::2], edges[1::2], strict=True):
            yield _entity(start, end, one.label, one.text, one.score)


def _in_words(sentences: Sequence[TaggedSentence]) -> Iterator[dict[str, Any]]:
    for sentence in sentences:
        for span, score, mention in zip(sentence.spans, sentence.scores, sentence.mentions(), strict=True):
            yield _entity(span.start, span.end, span.label, mention, score)


def _entity(start: int, end: int, label: str, text: str, score: float) -> dict[str, Any]:
    return {"start": start, "end": end, "label": label, "text": text, "score": round(score, 4)}


class Columns:
    """One word and its tag per line, TAB between, a blank line behind each sentence."""

    def __init__(self, scheme: Scheme = Scheme.BIO) -> None:
        self._scheme = scheme
        self._num_merged = 0

    def begin(self) -> str:
        return ""

    def item(self, item: Item, sentences: Sequence[TaggedSentence]) -> str:
        buffer = StringIO()
        labelled = [Sentence(one.words, one.spans, origin=item.origin) for one in sentences]
        self._num_merged += write_columns(labelled, buffer, scheme=self._scheme)
        return buffer.getvalue()

    def end(self) -> str:
        return ""

    def notes(self) -> Sequence[str]:
        merged = f"{counted(self._num_merged, 'entity')} merged with a neighbour, which {self._scheme} cannot part"
        return [merged] if self._num_merged else []
