"""Encoder settings -> a model that can learn to fill masked pieces; and back to a folder that every tool loads."""

from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from torch import nn
from transformers import AutoModelForMaskedLM
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING

from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.data.writing import refusal_in_text
from nerbridge.encoders.transformer.build import piece_limit
from nerbridge.encoders.transformer.loading import load_pretrained, quiet, read_configuration, read_pretrained
from nerbridge.encoders.transformer.loading_checks import check_weights
from nerbridge.errors import ConfigError
from nerbridge.pretraining.model import HeadedEncoder, MaskedLanguageModel
from nerbridge.training.seeding import derive_seed


def load_masked_model(encoder: TransformerSettings, settings: PretrainingSettings) -> tuple[MaskedLanguageModel, Any]:
    """The encoder with the head that its checkpoint has, or with a new one, and its tokenizer.

    Raises ConfigError when the checkpoint cannot be used: it cannot be read, its weights or its fast tokenizer are
    missing, the tokenizer has no mask, or `settings.length` is beyond its limit.
    """
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(derive_seed(settings.seed, "head"))
        if type(read_configuration(encoder)) in MODEL_FOR_MASKED_LM_MAPPING:
            model, tokenizer, report = read_pretrained(encoder, AutoModelForMaskedLM)
            new_head = _judge(model, report, encoder.checkpoint)
        else:
            base, tokenizer = load_pretrained(encoder)
            model, new_head = HeadedEncoder(base), True
    _check(model, tokenizer, encoder, settings)
    return MaskedLanguageModel(model, new_head=new_head), tokenizer


def save_encoder(model: MaskedLanguageModel, tokenizer: Any, folder: Path) -> None:
    """Write config, weights (the head too, where transformers has such a model) and tokenizer into `folder`.

    Raises OSError when the disk refuses.
    """
    whole: Any = model.encoder if isinstance(model.model, HeadedEncoder) else model.model
    try:
        with quiet():
            whole.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
    except SafetensorError as error:
        raise refusal_in_text(error) from error


def _judge(model: nn.Module, report: dict[str, Any], checkpoint: str) -> bool:
    """Is the head new? Raises ConfigError when weights of the encoder itself are missing."""
    prefix = f"{model.base_model_prefix}."
    missing = set(report["missing_keys"])
    inside = [name for name in missing if name.startswith(prefix)]
    check_weights(model, {**report, "missing_keys": inside}, checkpoint)
    return any(name in missing and not name.startswith(prefix) for name, p in model.named_parameters() if p.ndim > 1)


def _check(model: nn.Module, tokenizer: Any, encoder: TransformerSettings, settings: PretrainingSettings) -> None:
    if tokenizer.mask_token_id is None:
        raise ConfigError(
            f"the tokenizer of encoder '{encoder.checkpoint}' has no mask",
            where=encoder.checkpoint,
            expected="a tokenizer with a mask token, such as [MASK] or <mask>",
            hint="take an encoder that was trained by masked language modelling",
        )
    limit = piece_limit(model.base_model, tokenizer)  # type: ignore[arg-type]
    if limit is not None and settings.length > limit:
        raise ConfigError(
            f"length = {settings.length} is more than encoder '{encoder.checkpoint}' can read",
            where="pretraining.length",
            expected=f"at most {limit}",
            hint=f"--set length={limit} (pretrain), --set pretraining.length={limit} (adapt, train)",
        )
