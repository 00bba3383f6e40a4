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
from nerbridge.data.fingerprint import file_sha256
from nerbridge.data.packaged_encoder import resolve_checkpoint
from nerbridge.data.packaged_vectors import vectors_fingerprint

SUFFIXES = {".json", ".txt", ".model", ".safetensors", ".bin"}  # of what an encoder is read from
PROVENANCE = "pretraining.json"  # tells how the weights beside it were made; no encoder is read from it
# Settings that say where the files lie; the fingerprint says what they are.
PLACES: Any = {"checkpoint": True, "vectors": True, "parts": {"__all__": {"checkpoint", "vectors"}}}


def encoder_fingerprint(settings: EncoderSettings) -> str:
    """SHA-256 over the files of a local encoder folder or of word vectors; for a hub name its name and revision.

    Of several encoders side by side, all of theirs. A language model whose folder is missing is refused when built.
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


def _folder_fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES and path.name != PROVENANCE):
        digest.update(f"{path.name} {file_sha256(path)}\n".encode())
    return digest.hexdigest()
