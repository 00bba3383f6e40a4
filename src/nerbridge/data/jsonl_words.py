"""The words of one JSONL record: cut from its text, or listed and found again in it."""

from typing import Any, NamedTuple

from nerbridge.data.jsonl_format import OffsetUnit
from nerbridge.data.offsets import TextUnits
from nerbridge.data.tokenization import tokenize
from nerbridge.errors import DataError

Offsets = tuple[tuple[int, int], ...]


class RecordWords(NamedTuple):
    """Words, and with the text (if there is one) the offsets of each word in code points."""

    words: tuple[str, ...]
    text: str | None = None
    offsets: Offsets | None = None


def first_of(record: dict[str, Any], *names: str) -> Any:
    """The value of the first of `names` that the record has and that is not null."""
    return next((record[name] for name in names if record.get(name) is not None), None)


def words_of(record: dict[str, Any], unit: OffsetUnit, where: str) -> RecordWords:
    """The words of `record`; none when the text is blank. Raises DataError when they cannot be made out."""
    text, listed = record.get("text"), first_of(record, "words", "tokens")
    if text is None and listed is None:
        raise DataError(
            'the record has neither "text" nor "words"',
            where=where,
            expected='an object with "text" or "words"',
            hint='a line looks like {"text": "Ada Lovelace wrote."} or {"words": ["Ada", "Lovelace", "wrote", "."]}',
        )
    if text is not None and not isinstance(text, str):
        raise DataError(
            f'"text" is a {type(text).__name__}',
            where=where,
            expected="a string",
            hint='words that are split already belong in "words"',
        )
    if listed is None:
        cuts = tuple(tokenize(text or ""))
        return RecordWords(tuple((text or "")[start:end] for start, end in cuts), text, cuts)
    pairs = record.get("offsets")
    if isinstance(listed, list) and listed and all(isinstance(word, dict) for word in listed):
        pairs = [[word.get("start"), word.get("end")] for word in listed]
        listed = [word.get("text") for word in listed]
    if not isinstance(listed, list) or not all(isinstance(word, str) and word for word in listed):
        raise DataError(
            '"words" is no list of words',
            where=where,
            expected="a list of strings, none of them empty",
            hint='a text that is not split belongs in "text"',
        )
    words = tuple(listed)
    if text is None:
        return RecordWords(words)
    return RecordWords(
        words, text, _found(text, words, where) if pairs is None else _given(text, words, pairs, unit, where)
    )


def _found(text: str, words: tuple[str, ...], where: str) -> Offsets:
    offsets: list[tuple[int, int]] = []
    cursor = 0
    for word in words:
        start = text.find(word, cursor)
        if start < 0 or text[cursor:start].strip():
            raise DataError(
                f"word {len(offsets) + 1}, '{word[:60]}', is not the next of the text",
                where=where,
                expected='the words of "text" in order, with nothing but white space between',
                hint='give each word\'s [start, end] as "offsets" where words leave out parts of the text',
            )
        cursor = start + len(word)
        offsets.append((start, cursor))
    return tuple(offsets)


def _given(text: str, words: tuple[str, ...], pairs: Any, unit: OffsetUnit, where: str) -> Offsets:
    units = TextUnits(text)
    offsets: list[tuple[int, int]] = []
    listed = pairs if isinstance(pairs, list) and len(pairs) == len(words) else [None] * len(words)
    for word, pair in zip(words, listed, strict=True):
        numbers = isinstance(pair, list) and len(pair) == 2 and all(type(edge) is int for edge in pair)
        start, end = (units.code_point(edge, unit) for edge in pair) if numbers else (None, None)
        if start is None or end is None or text[start:end] != word or (offsets and start < offsets[-1][1]):
            raise DataError(
                f"the offsets do not fit word {len(offsets) + 1}, '{word[:60]}'",
                where=where,
                expected=f"one [start, end] per word, in order, that cuts it out of the text (in {unit})",
                hint='name the unit that they count, as in `--read offsets=utf16`, or leave "offsets" out',
            )
        offsets.append((start, end))
    return tuple(offsets)
