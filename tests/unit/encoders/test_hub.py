"""The hub is asked once and briefly, and not at all for a model that was downloaded before."""

import socket
import time
from pathlib import Path

import huggingface_hub.constants
import pytest

from nerbridge.encoders.transformer import hub
from nerbridge.encoders.transformer.hub import needs_network
from nerbridge.errors import ConfigError

NAME, COMMIT = "some-owner/some-encoder", "0" * 40


def no_network(*arguments: object, **options: object) -> None:
    raise socket.gaierror("Temporary failure in name resolution")


def test_a_hub_that_is_not_there_is_said_within_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", no_network)
    started = time.monotonic()
    with pytest.raises(ConfigError) as caught:
        needs_network(NAME, None)
    assert time.monotonic() - started < 20
    error = caught.value
    assert error.what.startswith(f"encoder '{NAME}' is no folder here, and the model hub cannot be reached: ")
    assert str(error).splitlines()[1:] == [
        "  where: encoder.checkpoint",
        "  expected: 'minilm', a folder with config.json, tokenizer.json and model.safetensors, or a hub name",
        "  hint: without network, download the model's folder elsewhere and give its path, or use 'minilm'",
    ]


def test_a_name_that_no_hub_has_is_said_too() -> None:
    with pytest.raises(ConfigError, match=r"encoder 'a b\?c' is no folder here"):
        needs_network("a b?c", None)


def test_whatever_a_hub_answers_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "get_hf_file_metadata", lambda *arguments, **options: None)
    assert needs_network(NAME, None)


@pytest.mark.parametrize("missing", ["", "model.safetensors", "tokenizer.json"])
def test_a_model_in_the_cache_needs_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    folder = tmp_path / "models--some-owner--some-encoder"
    (folder / "snapshots" / COMMIT).mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text(COMMIT)
    for name in {"config.json", "model.safetensors", "tokenizer.json"} - {missing}:
        (folder / "snapshots" / COMMIT / name).write_text("")
    monkeypatch.setattr(hub, "_unreachable", lambda name, revision: None)
    assert needs_network(NAME, None) == bool(missing)
    assert needs_network(NAME, "another")
