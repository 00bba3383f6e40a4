"""A model as a folder, and back: safetensors, JSON and the encoder's configuration and tokenizer; never pickle.

    bundle.json          format, settings, label spaces, aliases, library versions, SHA-256 of the weights
    model.safetensors    every weight, encoder included
    encoder/             config.json, tokenizer.json, ...

A bundle is written aside and renamed, so a folder of its name is always whole. It loads without network and GPU.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from pydantic import ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from nerbridge.assembly.build import build_encoder, compose
from nerbridge.assembly.metadata import FORMAT, BundleMetadata, DomainSpace, ModelSettings, library_versions
from nerbridge.assembly.tagger import Tagger
from nerbridge.data.labels import LabelSet
from nerbridge.errors import BundleError, ConfigError

METADATA = "bundle.json"
WEIGHTS = "model.safetensors"
ENCODER = "encoder"


@dataclass(frozen=True)
class Bundle:
    """A loaded model, in evaluation mode, and what its folder says about it."""

    model: Tagger
    metadata: BundleMetadata


def save_bundle(
    model: Tagger,
    folder: Path,
    *,
    settings: ModelSettings,
    aliases: Mapping[str, str] | None = None,
    details: Mapping[str, Any] | None = None,
) -> BundleMetadata:
    """Writes `model` to `folder`, which is replaced when it exists, and returns what bundle.json says.

    settings: what the model was built from. aliases: other spelling -> label. details: JSON values to be kept with it.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        weights = {name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()}
        save_file(weights, aside / WEIGHTS)
        model.encoder.save_architecture(aside / ENCODER)
        metadata = BundleMetadata(
            format=FORMAT,
            settings=settings,
            domains={domain: DomainSpace.of(model.head(domain)) for domain in model.domains},
            aliases=dict(aliases or {}),
            versions=dict(library_versions()),
            weights_sha256=_sha256(aside / WEIGHTS),
            details=dict(details or {}),
        )
        (aside / METADATA).write_text(metadata.model_dump_json(indent=2) + "\n", encoding="utf-8")
        _replace(aside, folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return metadata


def load_bundle(folder: Path, device: str | torch.device = "cpu") -> Bundle:
    """The model that `save_bundle` wrote to `folder`.

    Raises BundleError when a part is missing, damaged, changed since it was written, or of a newer format.
    """
    metadata = read_metadata(folder)
    weights = _read_weights(folder / WEIGHTS, metadata.weights_sha256)
    settings = metadata.settings
    if not (folder / ENCODER).is_dir():
        raise _fault("the bundle has no encoder", folder / ENCODER)
    try:
        encoder = build_encoder(settings.encoder, folder=folder / ENCODER)
    except ConfigError as error:
        raise _fault(f"the encoder of the bundle cannot be built: {error.what}", folder / ENCODER) from error
    spaces = {domain: space.vocabulary() for domain, space in metadata.domains.items()}
    model = compose(encoder, settings.context, settings.tagger, spaces, seed=0)
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        raise _fault("the weights do not fit the model that bundle.json describes", folder / WEIGHTS) from error
    for domain, space in metadata.domains.items():
        model.head(domain).restrict(LabelSet.of(space.allowed))
    return Bundle(model.to(device).eval(), metadata)


def read_metadata(folder: Path) -> BundleMetadata:
    """What bundle.json in `folder` says, without loading the model. Raises BundleError when it cannot be read."""
    path = folder / METADATA
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _fault(f"'{folder}' is no model bundle: it has no readable {METADATA}", path) from error
    except ValueError as error:
        raise _fault(f"{METADATA} is damaged: {error}", path) from error
    found = content.get("format") if isinstance(content, dict) else None
    if isinstance(found, int) and found > FORMAT:
        raise BundleError(
            f"the bundle has format {found}, newer than this nerbridge reads",
            where=str(path),
            expected=f"format {FORMAT} or older",
            hint="pip install --upgrade nerbridge",
        )
    try:
        return BundleMetadata.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or METADATA
        raise _fault(f"{METADATA} is damaged: {place}: {first['msg']}", path) from error


def _read_weights(path: Path, sha256: str) -> dict[str, torch.Tensor]:
    try:
        found = _sha256(path)
        if found != sha256:
            raise BundleError(
                f"the weights have SHA-256 {found}",
                where=str(path),
                expected=f"SHA-256 {sha256}, as bundle.json says",
                hint="copy the bundle again from where it was made, or train again",
            )
        return load_file(path)
    except OSError as error:
        raise _fault(f"the bundle has no readable {WEIGHTS}", path) from error
    except SafetensorError as error:
        raise _fault(f"{WEIGHTS} is damaged: {error}", path) from error


def _fault(what: str, where: Path) -> BundleError:
    return BundleError(
        what,
        where=str(where),
        expected=f"a folder with {METADATA}, {WEIGHTS} and {ENCODER}/, as `nerbridge train` writes it",
        hint="give the folder of a finished run or bundle, or copy it again whole",
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _replace(aside: Path, folder: Path) -> None:
    """Gives `aside` the name `folder`, with everything on the disk before anything is visible."""
    aside.chmod(0o755)
    for path in sorted(aside.rglob("*"), reverse=True):
        _to_disk(path)
    _to_disk(aside)
    if folder.exists():
        old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent))
        folder.rename(old / "bundle")
        aside.rename(folder)
        shutil.rmtree(old)
    else:
        aside.rename(folder)
    _to_disk(folder.parent)


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
