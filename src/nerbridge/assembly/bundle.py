"""A model as a folder, and back: safetensors, JSON and the encoder's configuration and tokenizer; never pickle.

    bundle.json          format, settings, label spaces, aliases, library versions, SHA-256 of the weights
    model.safetensors    every weight, encoder included; in its header the labels that they were learnt with
    encoder/             config.json, tokenizer.json, ...

A bundle is written aside and renamed, so a folder of its name is always whole. It loads without network and GPU.
"""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from nerbridge.assembly.build import compose
from nerbridge.assembly.integrity import bundle_fault, checksums, read_metadata, replace_folder, verify_bundle
from nerbridge.assembly.label_order import label_order
from nerbridge.assembly.metadata import (
    ENCODER,
    FORMAT,
    METADATA,
    WEIGHTS,
    BundleMetadata,
    DomainSpace,
    HasModelSettings,
    ModelSettings,
    library_versions,
)
from nerbridge.assembly.parts import build_encoder
from nerbridge.assembly.tagger import Tagger
from nerbridge.data.labels import LabelSet
from nerbridge.data.writing import naming_place, refusal_in_text
from nerbridge.errors import ConfigError

__all__ = ["Bundle", "load_bundle", "read_metadata", "save_bundle", "verify_bundle"]


@dataclass(frozen=True)
class Bundle:
    """A loaded model, in evaluation mode, and what its folder says about it."""

    model: Tagger
    metadata: BundleMetadata


def save_bundle(
    model: Tagger,
    folder: Path,
    *,
    settings: HasModelSettings,
    aliases: Mapping[str, str] | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> BundleMetadata:
    """Writes `model` to `folder`, which is replaced when it exists, and returns what bundle.json says.

    settings: what the model was built from, such as an experiment. aliases: spelling -> label, as training equated
    them; `nerbridge evaluate` reads other data by them.
    metadata: JSON values to be kept with it, as its `details`.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        weights = {name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()}
        domains = {domain: DomainSpace.of(model.head(domain)) for domain in model.domains}
        with naming_place(folder):
            try:
                save_file(weights, aside / WEIGHTS, metadata=label_order(domains))
            except SafetensorError as error:
                raise refusal_in_text(error) from error
            model.encoder.save_architecture(aside / ENCODER)
        written = BundleMetadata(
            format=FORMAT,
            settings=ModelSettings(encoder=settings.encoder, context=settings.context, tagger=settings.tagger),
            domains=domains,
            aliases=dict(aliases or {}),
            versions=dict(library_versions()),
            sha256=checksums(aside),
            details=dict(metadata or {}),
        )
        with naming_place(folder):
            (aside / METADATA).write_text(written.model_dump_json(indent=2) + "\n", encoding="utf-8")
            replace_folder(aside, folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return written


def load_bundle(folder: Path, device: str | torch.device = "cpu") -> Bundle:
    """The model that `save_bundle` wrote to `folder`.

    Raises BundleError when a part is missing, damaged, changed since it was written, or of a newer format.
    """
    metadata = verify_bundle(folder)
    settings = metadata.settings
    try:
        weights = load_file(folder / WEIGHTS)
        encoder = build_encoder(settings.encoder, folder=folder / ENCODER)
    except (SafetensorError, OSError, ConfigError) as error:
        reason = error.what if isinstance(error, ConfigError) else error
        raise bundle_fault(f"the bundle cannot be read: {reason}", folder) from error
    spaces = {domain: space.vocabulary() for domain, space in metadata.domains.items()}
    model = compose(encoder, settings.context, settings.tagger, spaces, seed=0)
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        raise bundle_fault("the weights do not fit the model that bundle.json describes", folder / WEIGHTS) from error
    for domain, space in metadata.domains.items():
        model.head(domain).restrict(LabelSet.of(space.allowed))
    return Bundle(model.to(device).eval(), metadata)
