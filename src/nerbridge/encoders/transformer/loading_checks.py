"""What must be true of a loaded model and tokenizer, so that nothing is silently drawn at random or never read."""

import logging
from pathlib import Path
from typing import Any

from torch import nn

from nerbridge.data.encoder_sums import PROVENANCE
from nerbridge.errors import ConfigError
from nerbridge.wording import counted

logger = logging.getLogger(__name__)


def check_weights(model: nn.Module, report: dict[str, Any], checkpoint: str) -> None:
    """Raises ConfigError when parameters of `model` were not in its files. report: transformers' loading info."""
    wanted = {name for name, _ in model.named_parameters()}
    missing = sorted(wanted.intersection(report["missing_keys"]))
    mismatched = sorted(str(entry[0]) for entry in report.get("mismatched_keys", ()))
    if missing or mismatched:
        faults = missing + mismatched
        raise ConfigError(
            f"{len(faults)} of the {len(wanted)} weights of encoder '{checkpoint}' are missing or of another shape: "
            f"{', '.join(faults[:3])}{', ...' if len(faults) > 3 else ''}",
            where=checkpoint,
            expected="weights for every parameter that config.json asks for",
            hint="check that config.json and the weights belong together",
        )
    unexpected = [name for name in report["unexpected_keys"] if "pooler" not in name]
    if unexpected and not (Path(checkpoint) / PROVENANCE).is_file():  # there, it is the head that we trained with
        left = f"{counted(len(unexpected), 'weight')} of other parts, such as '{min(unexpected)}'"
        logger.info("encoder '%s': %s, not needed and not read", checkpoint, left)


def check_tokenizer(tokenizer: Any, model: nn.Module, checkpoint: str) -> None:
    """Raises ConfigError when `tokenizer` is not a fast one, has no vocabulary, or has pieces unknown to `model`."""
    if not tokenizer.is_fast:
        raise ConfigError(
            f"encoder '{checkpoint}' has no fast tokenizer, only {type(tokenizer).__name__}",
            where=checkpoint,
            expected="a tokenizer.json, or files that one can be made from",
            hint="convert the tokenizer with transformers and save it beside the weights",
        )
    vocabulary = tokenizer.backend_tokenizer.get_vocab(with_added_tokens=False)
    if len(vocabulary) <= len(tokenizer.all_special_tokens):  # made from nothing, when the files are missing
        raise ConfigError(
            f"the tokenizer of encoder '{checkpoint}' knows no pieces",
            where=checkpoint,
            expected="a tokenizer.json, or files that one can be made from",
            hint="copy the tokenizer's files beside the weights",
        )
    check_highest_piece(max(vocabulary.values()), model, checkpoint)


def check_highest_piece(highest: int, model: nn.Module, checkpoint: str) -> None:
    """Raises ConfigError when `model` has no embedding for the piece with the number `highest`."""
    embeddings = model.get_input_embeddings()  # type: ignore[operator]
    if highest >= embeddings.num_embeddings:
        raise ConfigError(
            f"the tokenizer of encoder '{checkpoint}' has pieces up to number {highest}, "
            f"the model has embeddings for {embeddings.num_embeddings}",
            where=checkpoint,
            expected="a tokenizer and a model that belong together",
            hint="check where tokenizer.json, tokenizer_config.json and config.json came from, and that all are there",
        )
