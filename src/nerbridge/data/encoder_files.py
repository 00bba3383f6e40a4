"""The files of an encoder: which decide what it computes, and a fingerprint of them."""

import hashlib
from pathlib import Path
from typing import assert_never

from nerbridge.config.encoder import EncoderSettings, TransformerSettings, WordCharSettings
from nerbridge.data.fingerprint import file_sha256
from nerbridge.data.packaged_encoder import resolve_checkpoint
from nerbridge.data.packaged_vectors import vectors_fingerprint

SUFFIXES = {".json", ".txt", ".model", ".safetensors", ".bin"}  # of what an encoder is read from
PROVENANCE = "pretraining.json"  # tells how the weights beside it were made; no encoder is read from it
PLACES = {"checkpoint", "vectors"}  # settings that say where the files lie; the fingerprint says what they are


def encoder_fingerprint(settings: EncoderSettings) -> str:
    """SHA-256 over the files of a local encoder folder or of word vectors; for a hub name its name and revision."""
    match settings:
        case TransformerSettings():
            return _folder_fingerprint(settings)
        case WordCharSettings():
            return "none" if settings.vectors is None else vectors_fingerprint(settings.vectors)
        case _:
            assert_never(settings)


def _folder_fingerprint(settings: TransformerSettings) -> str:
    folder = Path(resolve_checkpoint(settings.checkpoint))
    if not folder.is_dir():
        return f"hub:{settings.checkpoint}@{settings.revision or 'main'}"
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES and path.name != PROVENANCE):
        digest.update(f"{path.name} {file_sha256(path)}\n".encode())
    return digest.hexdigest()
