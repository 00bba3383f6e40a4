"""Short, readable, safe names: of keys in tables, of values, of cell folders."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence

LONGEST_VALUE = 48  # characters of a value in a folder's name
LONGEST_NAME = 160  # of a whole folder name; file systems take 255 bytes


def short_keys(keys: Sequence[str]) -> dict[str, str]:
    """Dotted key -> its last part, or as many parts as tell it apart: 'target.num_train' -> 'num_train'."""
    return {key: next(_tails(key, [other for other in keys if other != key])) for key in keys}


def _tails(key: str, others: Sequence[str]) -> Iterator[str]:
    parts = key.split(".")
    first = 2 if parts[-1] in ("kind", "files", "datasets") and len(parts) > 1 else 1  # these say nothing alone
    tails = (".".join(parts[-number:]) for number in range(first, len(parts) + 1))
    return (tail for tail in tails if tail == key or not any(f".{other}".endswith(f".{tail}") for other in others))


def shown_value(text: str) -> str:
    """A value as a table shows it: as it is written, without quotes around the whole."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def cell_names(cells: Sequence[Mapping[str, str]]) -> list[str]:
    """A folder name per cell, such as 'dataset=crossner-ai,num_train=10'; no two are equal.

    cells: dotted key -> value as it is written. The name of a cell does not hang on which other values there are, so
    a sweep can grow; only where two names would be equal a digest tells them apart.
    """
    names = [_name(cell) for cell in cells]
    folded = [name.lower() for name in names]  # some file systems do not tell upper from lower case
    return [
        f"{name}-{_digest(str(sorted(cell.items())))}" if folded.count(name.lower()) > 1 else name
        for name, cell in zip(names, cells, strict=True)
    ]


def _name(cell: Mapping[str, str]) -> str:
    shorts = short_keys(list(cell))
    name = ",".join(f"{_plain(shorts[key])}={_plain(shown_value(text))}" for key, text in cell.items())
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}-{_digest(name)}"


def _plain(text: str) -> str:
    """`text` in characters that no shell and no file system minds; long text is cut and told apart by a digest."""
    plain = re.sub(r"[^A-Za-z0-9._+-]+", "-", text).strip("-.") or "empty"
    if text.startswith("-"):
        plain = f"-{plain}"
    return plain if len(plain) <= LONGEST_VALUE else f"{plain[:LONGEST_VALUE]}-{_digest(text)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
