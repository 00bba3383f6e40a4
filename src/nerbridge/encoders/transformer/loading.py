"""Models and tokenizers from folders and hub names, with faults that say what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError
from torch import nn
from transformers import AutoConfig, AutoModel, AutoTokenizer
from transformers.utils import logging as transformers_logging

from nerbridge.config.encoder import TransformerSettings
from nerbridge.data.encoder_files import is_language_model
from nerbridge.data.packaged_encoder import resolve_checkpoint
from nerbridge.encoders.transformer.hub import EXPECTED, needs_network
from nerbridge.encoders.transformer.loading_checks import check_tokenizer, check_weights
from nerbridge.errors import ConfigError

LIBRARY_FAULTS = (
    OSError,
    ValueError,
    ImportError,
    RuntimeError,
    LookupError,
    TypeError,
    AttributeError,
    SafetensorError,
    StrictDataclassError,  # a value of config.json is of another kind
)


def load_pretrained(settings: TransformerSettings) -> tuple[nn.Module, Any]:
    """The model, with its pre-trained weights, and the tokenizer of `settings.checkpoint`.

    A folder, or a hub's model that was downloaded before, is read without any use of the network.
    Raises ConfigError when there is no such checkpoint, or when its weights or its fast tokenizer are missing, and
    MissingExtraError when 'minilm' is asked for and not installed.
    """
    model, tokenizer, report = read_pretrained(settings, AutoModel)
    _drop_pooler(model)
    check_weights(model, report, resolve_checkpoint(settings.checkpoint))
    return model, tokenizer


def read_pretrained(settings: TransformerSettings, kind: Any) -> tuple[nn.Module, Any, dict[str, Any]]:
    """The model of `kind` (such as transformers' AutoModel), its tokenizer, and transformers' report on its weights.

    Raises what `load_pretrained` raises, except that missing weights are for the caller to judge.
    """
    checkpoint = resolve_checkpoint(settings.checkpoint)
    local = _is_folder(checkpoint)
    options = _options(settings, local=local)
    with quiet(), _reading(checkpoint, local=local):
        model, report = kind.from_pretrained(
            checkpoint, output_loading_info=True, ignore_mismatched_sizes=True, dtype="float32", **options
        )
        tokenizer = AutoTokenizer.from_pretrained(checkpoint, use_fast=True, **options)
    check_tokenizer(tokenizer, model, checkpoint)
    return model, tokenizer, report


def read_configuration(settings: TransformerSettings) -> Any:
    """The configuration of `settings.checkpoint`. Raises ConfigError when it cannot be read."""
    checkpoint = resolve_checkpoint(settings.checkpoint)
    local = _is_folder(checkpoint)
    with quiet(), _reading(checkpoint, local=local):
        return AutoConfig.from_pretrained(checkpoint, **_options(settings, local=local))


def _options(settings: TransformerSettings, *, local: bool) -> dict[str, Any]:
    """Raises ConfigError for a hub name when the hub is wanted and cannot be reached."""
    offline = local or not needs_network(settings.checkpoint, settings.revision)
    return {"local_files_only": offline, "revision": settings.revision, "trust_remote_code": False}


def load_architecture(folder: Path) -> tuple[nn.Module, Any]:
    """The model with random weights, and the tokenizer, that `save_architecture` wrote to `folder`.

    Raises ConfigError when one of them cannot be read.
    """
    with quiet(), _reading(str(folder), local=True):
        config = AutoConfig.from_pretrained(folder, local_files_only=True)
        tokenizer = AutoTokenizer.from_pretrained(folder, use_fast=True, local_files_only=True)
        model = AutoModel.from_config(config, dtype="float32")  # type: ignore[no-untyped-call]
    _drop_pooler(model)
    check_tokenizer(tokenizer, model, str(folder))
    return model, tokenizer


def _is_folder(checkpoint: str) -> bool:
    """True for a folder, False for what may be a hub name; a path that is not there is neither."""
    path = Path(checkpoint).expanduser()
    if path.is_dir():
        return True
    looks_like_path = checkpoint.startswith((".", "/", "~")) or checkpoint.count("/") > 1 or "\\" in checkpoint
    if path.exists() or looks_like_path:
        kind = "a file, not a folder" if path.exists() else "not a folder on this machine"
        raise ConfigError(
            f"encoder checkpoint '{checkpoint}' is {kind}",
            where="encoder.checkpoint",
            expected=EXPECTED,
            hint="give the path of the folder, or 'minilm'",
        )
    return False


def _drop_pooler(model: nn.Module) -> None:
    """A sentence-level pooling layer would never be read, and parameters without a gradient hide faults."""
    if getattr(model, "pooler", None) is not None:
        model.pooler = None  # type: ignore[assignment]


def _unusable(checkpoint: str, *, local: bool, reason: Exception) -> ConfigError:
    first_line = next(iter(str(reason).strip().splitlines()), type(reason).__name__)
    if local and is_language_model(Path(checkpoint)):
        return ConfigError(
            f"'{checkpoint}' is no transformer, but a language model of `nerbridge pretrain --model`",
            where=checkpoint,
            expected="config.json, tokenizer.json and model.safetensors",
            hint="--set encoder.kind=language_model",
        )
    if local:
        return ConfigError(
            f"no encoder can be loaded from folder '{checkpoint}': {first_line}",
            where=checkpoint,
            expected="config.json, tokenizer.json and model.safetensors",
            hint="check the folder, or use the packaged encoder 'minilm'",
        )
    return ConfigError(
        f"encoder '{checkpoint}' is neither a folder here nor a model that the hub gives: {first_line}",
        where="encoder.checkpoint",
        expected=EXPECTED,
        hint="without network, download the model's folder elsewhere and give its path, or use 'minilm'",
    )


@contextmanager
def _reading(checkpoint: str, *, local: bool) -> Iterator[None]:
    """Makes what libraries raise over unusable files our own error."""
    try:
        yield
    except Exception as error:
        if not isinstance(error, LIBRARY_FAULTS) and type(error) is not Exception:  # tokenizers raises just that
            raise
        raise _unusable(checkpoint, local=local, reason=error) from error


@contextmanager
def quiet() -> Iterator[None]:
    """Inside, transformers shows no warnings and progress bars: what matters of them becomes our own messages."""
    verbosity, bars = transformers_logging.get_verbosity(), transformers_logging.is_progress_bar_enabled()
    transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        transformers_logging.set_verbosity(verbosity)
        if bars:
            transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]
