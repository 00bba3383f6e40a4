"""The SHA-256 sums that `nerbridge pretrain` writes beside an encoder: whether its files still are what was written."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nerbridge.data.fingerprint import file_sha256
from nerbridge.errors import BundleError

PROVENANCE = "pretraining.json"  # tells how the weights beside it were made; no encoder is read from it
WEIGHTS = "model.safetensors"


def read_provenance(folder: Path) -> dict[str, Any] | None:
    """What pretraining.json in `folder` says; None where there is none that can be read."""
    try:
        content = json.loads((folder / PROVENANCE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def sums_in(provenance: Mapping[str, Any]) -> dict[str, str]:
    """SHA-256 by name of file, none in a damaged one; earlier versions have written down the weights alone."""
    files = provenance.get("files") or {WEIGHTS: provenance.get("sha256")}
    sound = isinstance(files, dict) and all(isinstance(value, str) for value in files.values())
    return files if sound else {}


def check_sums(folder: Path, found: Mapping[str, str]) -> None:
    """Raises BundleError when a file of `folder` is missing or is not what pretraining.json says was written.

    found: SHA-256 by name of files that were read already. A folder that says nothing of its files is taken as it is.
    """
    for name, sha256 in sums_in(read_provenance(folder) or {}).items():
        path = folder / name
        try:
            now = found.get(name) or file_sha256(path)
        except (OSError, ValueError) as error:  # no such file, or no name that a file could have
            raise _damaged(f"the encoder has no readable {name}", path, sha256) from error
        if now != sha256:
            raise _damaged(f"{name} has SHA-256 {now}", path, sha256)


def _damaged(what: str, where: Path, sha256: str) -> BundleError:
    return BundleError(
        what,
        where=str(where),
        expected=f"SHA-256 {sha256}, as {PROVENANCE} says",
        hint=f"copy the folder again from where it was made, or pre-train again; if you changed it yourself, "
        f"remove {PROVENANCE}",
    )
