"""Sentences -> column files and JSONL. Files are written whole or not at all."""

import errno
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from nerbridge.data.column_writable import check_writable
from nerbridge.data.schemes import Scheme, count_merges, tags_from_spans
from nerbridge.data.sentence import Annotation, Sentence
from nerbridge.data.separators import MARKS, QUOTING, Separator
from nerbridge.errors import ConfigError

BYTE_ORDER_MARK = "\ufeff"
Destination = str | Path | TextIO


@contextmanager
def atomic_writer(destination: Destination) -> Iterator[TextIO]:
    """A stream to write UTF-8 to; a path appears with its whole content when the block ends well, else not at all.

    A link is followed; a pipe or a device takes what it gets, for a file in its place would be its end.
    """
    if not isinstance(destination, str | Path):
        yield destination
        return
    path = Path(destination)
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", newline="") as stream:
            yield stream
        return
    path = Path(os.path.realpath(path))  # unlike `resolve` it bears links that lead in a circle
    path.parent.mkdir(parents=True, exist_ok=True)
    beginning = f".{path.name[:40]}."  # the longest names leave no room for more
    with _naming(path, beginning):
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=beginning)
        try:
            with open(handle, "w", encoding="utf-8", newline="") as stream:  # noqa: PTH123 (a descriptor, not a path)
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).chmod(_mode(path))
            os.replace(temporary, path)  # noqa: PTH105 (the atomic call, named as such)
        finally:
            Path(temporary).unlink(missing_ok=True)


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced; of a new one, those that the user's umask leaves."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask


@contextmanager
def naming_place(place: Path) -> Iterator[None]:
    """A refusal inside that names no file is about `place`: a full disk does not say of what."""
    try:
        yield
    except OSError as refusal:
        refusal.filename = refusal.filename or str(place)
        raise


def refusal_in_text(error: Exception) -> OSError:
    """The refusal of the system behind an error of safetensors, which tells the system's number in its text only."""
    number = re.search(r"os error (\d+)", str(error))
    if number is None:
        return OSError(errno.EIO, str(error))
    return OSError(int(number[1]), os.strerror(int(number[1])))


@contextmanager
def _naming(path: Path, beginning: str) -> Iterator[None]:
    """A refusal inside is about `path`: a full disk names no file, and nobody knows the temporary one."""
    try:
        yield
    except OSError as refusal:
        name = refusal.filename
        if name is None or (isinstance(name, str) and os.path.basename(name).startswith(beginning)):  # noqa: PTH119
            refusal.filename, refusal.filename2 = str(path), None
        raise


def write_columns(
    sentences: Iterable[Sentence],
    destination: Destination,
    *,
    scheme: Scheme = Scheme.BIO,
    separator: Separator = Separator.TAB,
    delimiter: str = "-",
) -> int:
    """Writes word and tag per line, a blank line behind every sentence; without annotation, words alone.

    Returns how many spans merged with their neighbour because `scheme` (IO, bare) cannot part them. Raises DataError
    when the file would be read back differently: a word or label holds the separator or a line break, a word looks
    like -DOCSTART-, annotation is partial, or sentences with and without annotation are mixed; ConfigError for
    separators of spreadsheets.
    """
    scheme, separator = Scheme(scheme), Separator(separator)
    if separator in QUOTING:
        raise ConfigError(
            f"column files are not written with separator '{separator}'",
            where="the option separator",
            expected=f"{Separator.TAB} or {Separator.SPACE}",
            hint="write TABs, which words cannot hold",
        )
    merged = 0
    mark = MARKS[separator]
    labelled: bool | None = None
    with atomic_writer(destination) as stream:
        for number, sentence in enumerate(sentences, start=1):
            if stream is not destination and number == 1 and sentence.words[0].startswith(BYTE_ORDER_MARK):
                stream.write(BYTE_ORDER_MARK)  # readers take the first of a file for no part of it
            where = str(sentence.origin or f"sentence {number}")
            has_tags = sentence.annotation is not Annotation.NONE
            check_writable(sentence, where, separator=separator, scheme=scheme, follows=labelled)
            labelled = has_tags
            tags = tags_from_spans(sentence.spans, len(sentence.words), scheme, delimiter=delimiter)
            merged += count_merges(sentence.spans, scheme)
            endings = (f"{mark}{tag}\n" for tag in tags) if has_tags else ["\n"] * len(tags)
            stream.write("".join(map("".join, zip(sentence.words, endings, strict=True))) + "\n")
    return merged


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
