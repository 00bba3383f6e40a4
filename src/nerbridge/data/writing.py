"""Sentences -> column files and JSONL. Files are written whole or not at all."""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from nerbridge.data.column_layout import Separator
from nerbridge.data.schemes import Scheme, count_merges, tags_from_spans
from nerbridge.data.sentence import Annotation, Sentence
from nerbridge.errors import DataError

Destination = str | Path | TextIO


@contextmanager
def atomic_writer(destination: Destination) -> Iterator[TextIO]:
    """A stream to write UTF-8 to; a path appears with its whole content when the block ends well, else not at all."""
    if not isinstance(destination, str | Path):
        yield destination
        return
    path = Path(destination)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "w", encoding="utf-8", newline="") as stream:  # noqa: PTH123 (a descriptor, not a path)
            yield stream
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        os.replace(temporary, path)  # noqa: PTH105 (the atomic call, named as such)
    finally:
        Path(temporary).unlink(missing_ok=True)


def write_columns(
    sentences: Iterable[Sentence],
    destination: Destination,
    *,
    scheme: Scheme = Scheme.BIO,
    separator: Separator = Separator.TAB,
    delimiter: str = "-",
) -> int:
    """Writes word and tag per line, a blank line behind every sentence; sentences without annotation get no tags.

    Returns how many spans merged with their neighbour because `scheme` (IO, bare) cannot part them. Raises DataError
    when a word would be read back differently (it holds the separator, a line break, ...) or annotation is partial.
    """
    merged = 0
    mark = "\t" if separator is Separator.TAB else " "
    with atomic_writer(destination) as stream:
        for number, sentence in enumerate(sentences, start=1):
            _check_words(sentence, number, separator)
            if sentence.annotation is Annotation.NONE:
                stream.write("".join(f"{word}\n" for word in sentence.words) + "\n")
                continue
            tags = tags_from_spans(sentence.spans, len(sentence.words), scheme, delimiter=delimiter)
            merged += count_merges(sentence.spans, scheme)
            rows = (f"{word}{mark}{tag}\n" for word, tag in zip(sentence.words, tags, strict=True))
            stream.write("".join(rows) + "\n")
    return merged


def _check_words(sentence: Sentence, number: int, separator: Separator) -> None:
    where = str(sentence.origin or f"sentence {number}")
    if sentence.annotation is Annotation.PARTIAL:
        raise DataError(
            "a column file cannot hold partial annotation",
            where=where,
            expected="sentences labelled completely or not at all",
            hint="write JSONL instead",
        )
    forbidden = "\t\n\0" if separator is Separator.TAB else " \t\n\0"
    for word in sentence.words:
        if any(character in word for character in forbidden) or not word.strip(" \t\r"):
            raise DataError(
                f"word {word[:60]!r} cannot stand in a column file",
                where=where,
                expected=f"words without line break, NUL or {separator}",
                hint="write JSONL instead",
            )


def write_jsonl(sentences: Iterable[Sentence], destination: Destination) -> None:
    """Writes one JSON object per sentence, readable by `read_jsonl` without loss.

    With the original text: character offsets in code points, words and their offsets beside; without: word numbers.
    """
    with atomic_writer(destination) as stream:
        for sentence in sentences:
            stream.write(json.dumps(record_of(sentence), ensure_ascii=False) + "\n")


def record_of(sentence: Sentence) -> dict[str, Any]:
    """The JSON object that `write_jsonl` writes for `sentence`."""
    record: dict[str, Any] = {} if sentence.text is None else {"text": sentence.text}
    record["words"] = list(sentence.words)
    offsets = sentence.offsets
    if offsets is not None:
        record["offsets"] = [list(pair) for pair in offsets]
    if sentence.annotation is not Annotation.NONE:
        record["spans"] = [
            {
                "start": span.start if offsets is None else offsets[span.start][0],
                "end": span.end if offsets is None else offsets[span.end - 1][1],
                "label": span.label,
            }
            for span in sentence.spans
        ]
    if sentence.known is not None:
        record["known"] = list(sentence.known)
    if sentence.domain:
        record["domain"] = sentence.domain
    return record
