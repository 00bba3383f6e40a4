"""Whether the data are still those that a run folder was made from, told by their fingerprints."""

from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from nerbridge.errors import ConfigError
from nerbridge.evaluation.run_folder import DATA
from nerbridge.pipeline.files import read_json
from nerbridge.wording import counted

RAW_TEXT = "raw_text.json"  # what became of raw text before the first stage
ENCODER = "encoder"  # key of the fingerprint of its files
DICTIONARY, LISTS = "dictionary", "lists"  # keys of the names that raw text is read with
SHOWN = 4  # splits that a refusal lists
DIGITS = 8  # of a fingerprint

Record = Mapping[str, Any]


def refuse_other_data(record: Record, folder: Path) -> None:
    """Raises ConfigError when data.json of `folder` tells of other sentences, or of other files of the encoder, than
    `record`, what was read now."""
    before = read_json(folder / DATA)
    changed = changed_inputs(before, record)
    if changed:
        raise _fault(folder, changed, DATA)


def changed_inputs(before: Record, now: Record) -> list[str]:
    """One line per encoder, per split and per dictionary that differ."""
    names = _changed_names("dictionary", before.get(DICTIONARY), now.get(DICTIONARY))
    return [*_changed_encoders(before, now), *changed_splits(before, now), *names]


def _changed_encoders(before: Record, now: Record) -> list[str]:
    """One line per encoder whose files differ; what is gone is refused where it is needed."""
    pairs = zip(str(before.get(ENCODER, "")).split(), str(now.get(ENCODER, "")).split(), strict=False)
    return [
        f"the encoder's files ({old[:DIGITS]}) then, ({new[:DIGITS]}) now"
        for old, new in pairs
        if old != new and not new.startswith("missing:")
    ]


def refuse_other_text(key: str, folder: Path, lists: Record | None = None) -> None:
    """Raises ConfigError when the encoder in `folder` has learnt from a corpus with another key, or by other names."""
    if changed := changed_text(key, folder, lists):
        raise _fault(folder, changed, RAW_TEXT)


def changed_text(key: str, folder: Path, lists: Record | None) -> list[str]:
    """What differs from raw_text.json of `folder`; nothing where there is none. lists: what their names are now."""
    if not (folder / RAW_TEXT).exists():
        return []
    record = read_json(folder / RAW_TEXT)
    before = Path(str((record.get("corpus") or {}).get("folder", ""))).name
    text = [f"raw text {before[:DIGITS]} then, {key[:DIGITS]} now"] if before != key[: len(before)] else []
    return text + _changed_names("lists of names", record.get(LISTS), lists)


def _changed_names(what: str, before: Record | None, now: Record | None) -> list[str]:
    """One line where names differ; nothing where a run does not tell them, as those of earlier versions."""
    if not before or not now or _print(before) == _print(now):
        return []
    old, new = (f"{counted(one.get('names', 0), 'name')} ({str(_print(one))[:DIGITS]})" for one in (before, now))
    return [f"{what} {old} then, {new} now"]


def changed_splits(before: Record, now: Record) -> list[str]:
    """One line per split whose sentences differ: 'music train 16 sentences, 32 entities (1a2b3c4d) then, ... now'."""
    lines: list[str] = []
    nothing: dict[str, Any] = {}
    for old, new in zip_longest(before.get("domains", ()), now["domains"], fillvalue=nothing):
        name = new.get("domain") or old.get("domain")
        lines += _changed(str(name), old.get("splits", {}), new.get("splits", {}))
    sides = before.get("raw", {}), now.get("raw", {})
    return lines + _changed("raw text of the", *sides)


def _changed(name: str, before: Mapping[str, Record], now: Mapping[str, Record]) -> list[str]:
    return [
        f"{name} {split} {_counts(before.get(split))} then, {_counts(now.get(split))} now"
        for split in dict.fromkeys([*now, *before])
        if _print(before.get(split)) != _print(now.get(split))
    ]


def _print(counts: Record | None) -> Any:
    return None if counts is None else counts.get("fingerprint")


def _counts(counts: Record | None) -> str:
    if counts is None:
        return "nothing"
    sizes = f"{counts.get('sentences', 0):,} sentences, {counts.get('entities', 0):,} entities"
    return f"{sizes} ({str(_print(counts))[:DIGITS]})"


def _fault(folder: Path, changed: list[str], file: str) -> ConfigError:
    more = [f"{len(changed) - SHOWN} more"] if len(changed) > SHOWN else []
    return ConfigError(
        f"'{folder}' was made from other data: {'; '.join([*changed[:SHOWN], *more])}",
        where=str(folder / file),
        expected="the data that the run was made from (in brackets: their fingerprints), or a new folder",
        hint="choose another --output, or remove the folder",
    )
