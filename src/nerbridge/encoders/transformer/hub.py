"""The model hub, asked once and briefly: its client would try for half a minute before it says that it is not there."""

from huggingface_hub import get_hf_file_metadata, hf_hub_url, try_to_load_from_cache
from huggingface_hub.errors import HfHubHTTPError

from nerbridge.errors import ConfigError

EXPECTED = "'minilm', a folder with config.json, tokenizer.json and model.safetensors, or a hub name"
WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")
TOKENIZERS = ("tokenizer.json", "tokenizer_config.json")
SECONDS = 5.0  # for one answer
# The hub's client comes with one of several HTTP libraries: the base of its faults is taken from a class of the client.
REQUEST_FAULTS: tuple[type[Exception], ...] = (OSError, RuntimeError, ValueError, HfHubHTTPError.__mro__[1])


def needs_network(name: str, revision: str | None) -> bool:
    """False for a model that was downloaded before: it is read from the hub's cache, without asking for a newer one.

    Raises ConfigError, within seconds, when it has to be downloaded and the hub does not answer.
    """
    if _is_cached(name, revision):
        return False
    reason = _unreachable(name, revision)
    if reason is not None:
        raise ConfigError(
            f"encoder '{name}' is no folder here, and the model hub cannot be reached: {reason}",
            where="encoder.checkpoint",
            expected=EXPECTED,
            hint="without network, download the model's folder elsewhere and give its path, or use 'minilm'",
        )
    return True


def _is_cached(name: str, revision: str | None) -> bool:
    def holds(*files: str) -> bool:
        return any(isinstance(try_to_load_from_cache(name, file, revision=revision), str) for file in files)

    try:
        return holds("config.json") and holds(*WEIGHTS) and holds(*TOKENIZERS)
    except ValueError:  # `name` cannot be that of a model
        return False


def _unreachable(name: str, revision: str | None) -> str | None:
    """Why the hub does not answer; None when it does, whatever the answer."""
    try:
        get_hf_file_metadata(hf_hub_url(name, "config.json", revision=revision), timeout=SECONDS)
    except HfHubHTTPError:
        return None
    except REQUEST_FAULTS as fault:
        return next(iter(str(fault).strip().splitlines()), type(fault).__name__)
    return None
