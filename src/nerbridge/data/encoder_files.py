"""The files of an encoder folder: which decide what it computes, and a fingerprint of them."""

import hashlib
from pathlib import Path

from nerbridge.config.encoder import TransformerSettings
from nerbridge.data.fingerprint import file_sha256
from nerbridge.data.packaged_encoder import resolve_checkpoint

SUFFIXES = {".json", ".txt", ".model", ".safetensors", ".bin"}  # of what an encoder is read from
PROVENANCE = "pretraining.json"  # tells how the weights beside it were made; no encoder is read from it


def encoder_fingerprint(settings: TransformerSettings) -> str:
    """SHA-256 over the files of a local encoder folder; for a hub name its name and revision."""
    folder = Path(resolve_checkpoint(settings.checkpoint))
    if not folder.is_dir():
        return f"hub:{settings.checkpoint}@{settings.revision or 'main'}"
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES and path.name != PROVENANCE):
        digest.update(f"{path.name} {file_sha256(path)}\n".encode())
    return digest.hexdigest()
