"""The files of an encoder: which decide what it computes, and a fingerprint of them."""

import hashlib
import json
from pathlib import Path
from typing import Any, assert_never

from nerbridge.config.encoder import (
    ConcatenatedSettings,
    EncoderSettings,
    LanguageModelSettings,
    TransformerSettings,
    WordCharSettings,
)
from nerbridge.data.encoder_sums import PROVENANCE, check_sums, read_provenance, sums_in
from nerbridge.data.fingerprint import file_sha256
from nerbridge.data.packaged_encoder import resolve_checkpoint
from nerbridge.data.packaged_vectors import vectors_fingerprint

SUFFIXES = {".json", ".txt", ".model", ".safetensors", ".bin"}  # of what an encoder is read from
# Settings that say where the files lie; the fingerprint says what they are.
PLACES: Any = {"checkpoint": True, "vectors": True, "parts": {"__all__": {"checkpoint", "vectors"}}}


def encoder_fingerprint(settings: EncoderSettings) -> str:
    """SHA-256 over the files of a local encoder folder or of word vectors; for a hub name its name and revision.

    Of several encoders side by side, all of theirs. A language model whose folder is missing is refused when built.
    Raises BundleError when a file is not what `nerbridge pretrain` wrote, or the packaged vectors not as published.
    """
    match settings:
        case TransformerSettings():
            folder = Path(resolve_checkpoint(settings.checkpoint))
            hub = f"hub:{settings.checkpoint}@{settings.revision or 'main'}"
            return _folder_fingerprint(folder) if folder.is_dir() else hub
        case WordCharSettings():
            return "none" if settings.vectors is None else vectors_fingerprint(settings.vectors)
        case LanguageModelSettings():
            folder = Path(settings.checkpoint)
            return _folder_fingerprint(folder) if folder.is_dir() else f"missing:{folder}"
        case ConcatenatedSettings():
            return " ".join(encoder_fingerprint(part) for part in settings.parts)
        case _:
            assert_never(settings)


def is_language_model(folder: Path) -> bool:
    """Is it a folder that `nerbridge pretrain --model elmo` or `flair` wrote?"""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(config, dict) and config.get("kind") == LanguageModelSettings.model_fields["kind"].default


def unverified_folders(settings: EncoderSettings) -> list[str]:
    """One note for each folder of `nerbridge pretrain` that does not say which files were written to it.

    A transformer's without pretraining.json is somebody else's.
    """
    match settings:
        case ConcatenatedSettings():
            return [note for part in settings.parts for note in unverified_folders(part)]
        case TransformerSettings():
            folder = Path(resolve_checkpoint(settings.checkpoint))
            wanted = (folder / PROVENANCE).exists()
        case LanguageModelSettings():
            folder = Path(settings.checkpoint)
            wanted = folder.is_dir()
        case WordCharSettings():
            return []
        case _:
            assert_never(settings)
    if not wanted or sums_in(read_provenance(folder) or {}):
        return []
    state = "cannot be read" if (folder / PROVENANCE).exists() else "is not there"
    return [f"'{folder}' is taken as it is: its {PROVENANCE}, which tells what its files should be, {state}"]


def _folder_fingerprint(folder: Path) -> str:
    paths = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES and path.name != PROVENANCE)
    sums = {path.name: file_sha256(path) for path in paths}
    check_sums(folder, sums)
    return hashlib.sha256("".join(f"{name} {found}\n" for name, found in sums.items()).encode()).hexdigest()
