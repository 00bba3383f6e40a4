"""What a pre-training tells in the end, and how its folder says that it is finished."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from nerbridge.data.encoder_sums import PROVENANCE, WEIGHTS, read_provenance, sums_in
from nerbridge.data.fingerprint import file_sha256
from nerbridge.errors import ConfigError
from nerbridge.evaluation.files import write_text
from nerbridge.pretraining.state import MaskedEvaluation

WORK, KEY = "work", "key"
JOURNAL = "journal.jsonl"


@dataclass(frozen=True)
class PretrainingResult:
    """A pre-trained encoder in `folder`, and how it came about.

    steps: of the whole model, after head_steps of a new head alone (0: the checkpoint had one). epochs: passes over the
    text in `steps`. pieces: learnt from in all steps, padding not counted; padding_share: of what went through the
    encoder (0 to 1). documents, held_out_documents: learnt from, and kept for `evaluations`. seconds: all of them;
    estimated_seconds: what was said before the start of the last attempt. waiting_share: share (0 to 1) of the steps'
    time in which they waited for data. vocabulary: its pieces; 0 in results of earlier versions.
    """

    folder: Path
    key: str
    steps: int
    head_steps: int
    epochs: float
    pieces: int
    padding_share: float
    documents: int
    held_out_documents: int
    evaluations: tuple[MaskedEvaluation, ...]
    seconds: float
    estimated_seconds: float
    pieces_per_second: float
    waiting_share: float
    vocabulary: int = 0

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {**asdict(self), "folder": str(self.folder)}

    @classmethod
    def from_json(cls, values: dict[str, Any], folder: Path) -> "PretrainingResult":
        """The result that `to_json` wrote, of the folder where it is now."""
        evaluations = tuple(MaskedEvaluation(**one) for one in values["evaluations"])
        return cls(**{**values, "folder": folder, "evaluations": evaluations})


class Result(Protocol):
    """What a pre-training of any kind tells in the end."""

    @property
    def folder(self) -> Path: ...

    @property
    def key(self) -> str: ...

    def to_json(self) -> dict[str, Any]: ...


ResultT = TypeVar("ResultT", bound=Result)


def write_provenance(result: Result, about: dict[str, Any], names: Iterable[str]) -> None:
    """Write pretraining.json, which says that the folder is finished. about: JSON values to be kept with it; names: of
    the files that belong to it."""
    files = {name: file_sha256(result.folder / name) for name in names}
    content = {"format": 1, "key": result.key, "sha256": files[WEIGHTS], "files": files}
    content |= {"result": result.to_json(), **about}
    write_text(result.folder / PROVENANCE, json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def finished(
    folder: Path, key: str, say: Callable[[str], None], read: Callable[[dict[str, Any], Path], ResultT]
) -> ResultT | None:
    """The result of an earlier pre-training with the same key whose files are whole; None when there is none.

    read: makes it of what `to_json` wrote. Raises ConfigError when `folder` holds something else.
    """
    if not folder.exists():
        return None
    content = read_provenance(folder)
    there = content.get("key") if content else _key_at_work(folder)
    if there != key:
        if content is None and _is_begun(folder, key, there):
            return None
        raise ConfigError(
            f"'{folder}' holds another pre-training"
            if there
            else f"'{folder}' is not empty and no pre-trained encoder",
            where=str(folder),
            expected="a new folder, or one of an earlier run with the same text, encoder and settings",
            hint="choose another --output, or remove the folder",
        )
    if content is None:
        return None
    try:
        reason = _damage(folder, content)
        if reason is None:
            return read(content["result"], folder)
    except (OSError, KeyError, TypeError, AttributeError) as fault:
        reason = str(fault)
    say(f"the finished encoder in {folder} is damaged and trained again ({reason})")
    return None


def _damage(folder: Path, content: dict[str, Any]) -> str | None:
    """What is wrong with a finished folder."""
    if not (files := sums_in(content)):
        return f"{PROVENANCE} does not say what its files should be"
    for name, sha256 in files.items():
        if not (folder / name).is_file():
            return f"'{name}' is missing"
        if file_sha256(folder / name) != sha256:
            return f"'{name}' is not what was written"
    return None


def _key_at_work(folder: Path) -> str | None:
    path = folder / WORK / KEY
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None


def _is_begun(folder: Path, key: str, there: str | None) -> bool:
    """Is the folder empty, or left by a run that was killed before its whole key was on the disk? there: its key."""
    if there is not None:
        return key.startswith(there)
    inside = [path for place in (folder, folder / WORK) if place.is_dir() for path in place.iterdir()]
    return folder.is_dir() and all(path.name.startswith(".") or path == folder / WORK for path in inside)
