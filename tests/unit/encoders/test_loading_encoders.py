"""Encoders from folders: whole ones load silently and without network, others are refused with what to do."""

import json
import logging
import socket
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModel, AutoTokenizer

from builders import POSITIONS, TINY_KINDS, batch, four_sentences, sentence, tiny_folder, tiny_tagger
from nerbridge.config.encoder import TransformerSettings
from nerbridge.encoders.transformer import TransformerEncoder, build_transformer, loading
from nerbridge.errors import ConfigError

FOLDER_EXPECTED = "config.json, tokenizer.json and model.safetensors"


def load(folder: Path | str, **settings: object) -> TransformerEncoder:
    return build_transformer(TransformerSettings(checkpoint=str(folder), **settings))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_folder(tmp_path_factory.mktemp("encoders") / "tiny")


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    """A folder that a test may damage."""
    copied = tmp_path / "copy"
    copied.mkdir()
    for path in folder.iterdir():
        (copied / path.name).write_bytes(path.read_bytes())
    return copied


@pytest.mark.parametrize("kind", TINY_KINDS)
def test_every_kind_loads_from_a_folder_and_reads_words(
    kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    made = tiny_folder(tmp_path, kind)
    capfd.readouterr()
    with caplog.at_level(logging.WARNING):
        encoder = load(made).eval()
    assert capfd.readouterr() == ("", "")
    assert not caplog.records
    assert encoder.vectorizer.max_pieces == POSITIONS
    vectors = encoder(batch(tiny_tagger(encoder), four_sentences()).inputs)
    assert vectors.shape == (4, 7, 16)
    assert not any("pooler" in name for name, _ in encoder.named_parameters())
    stored = load_file(made / "model.safetensors")
    own = {name.removeprefix("model."): tensor for name, tensor in encoder.state_dict().items()}
    assert all(torch.equal(tensor, own[name]) for name, tensor in stored.items() if "pooler" not in name)


def test_a_folder_is_read_without_any_use_of_the_network(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert load(folder).width == 16


def test_the_architecture_is_saved_and_built_again_without_weights(folder: Path, tmp_path: Path) -> None:
    settings = TransformerSettings(checkpoint=str(folder))
    encoder = build_transformer(settings)
    encoder.save_architecture(tmp_path / "saved")
    assert not list((tmp_path / "saved").glob("*.safetensors"))
    again = build_transformer(settings, folder=tmp_path / "saved")
    again.load_state_dict(encoder.state_dict())
    words = four_sentences()
    first, second = (batch(tiny_tagger(e), words).inputs for e in (encoder, again))
    torch.testing.assert_close(again.eval()(second), encoder.eval()(first), atol=0, rtol=0)


def test_a_frozen_encoder_learns_nothing_and_drops_nothing(folder: Path) -> None:
    model = tiny_tagger(load(folder, freeze=True))
    model.train()
    together = batch(model, four_sentences())
    model(together).backward()
    assert all(p.grad is None and not p.requires_grad for p in model.encoder.parameters())
    assert torch.equal(model.encoder(together.inputs), model.encoder(together.inputs))
    assert model.head("news").training


def test_a_path_that_is_not_there_is_refused_before_anything_is_tried() -> None:
    with pytest.raises(ConfigError) as caught:
        load("./no/such/folder")
    assert str(caught.value) == (
        "encoder checkpoint './no/such/folder' is not a folder on this machine\n"
        "  where: encoder.checkpoint\n"
        "  expected: 'minilm', a folder with config.json, tokenizer.json and model.safetensors, or a hub name\n"
        "  hint: give the path of the folder, or 'minilm'"
    )


def test_a_file_is_no_encoder(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"config\.json' is a file, not a folder"):
        load(folder / "config.json")


def test_a_hub_that_does_not_give_the_model_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def offline(name: str, **options: object) -> None:
        assert options["local_files_only"] is False
        raise OSError("We couldn't connect to the hub.\nMore lines.")

    monkeypatch.setattr(loading, "needs_network", lambda name, revision: True)
    monkeypatch.setattr(AutoModel, "from_pretrained", offline)
    with pytest.raises(ConfigError) as caught:
        load("some-owner/some-encoder")
    assert str(caught.value) == (
        "encoder 'some-owner/some-encoder' is neither a folder here nor a model that the hub gives: "
        "We couldn't connect to the hub.\n"
        "  where: encoder.checkpoint\n"
        "  expected: 'minilm', a folder with config.json, tokenizer.json and model.safetensors, or a hub name\n"
        "  hint: without network, download the model's folder elsewhere and give its path, or use 'minilm'"
    )


def test_a_folder_without_weights_is_refused(copy: Path) -> None:
    (copy / "model.safetensors").unlink()
    with pytest.raises(ConfigError) as caught:
        load(copy)
    error = caught.value
    assert error.what.startswith(f"no encoder can be loaded from folder '{copy}': ")
    assert (error.where, error.expected) == (str(copy), FOLDER_EXPECTED)
    assert error.hint == "check the folder, or use the packaged encoder 'minilm'"


@pytest.mark.parametrize("content", [b"", b"not safetensors at all", b"\x00" * 64], ids=["empty", "text", "zeros"])
def test_damaged_weights_are_refused(copy: Path, content: bytes) -> None:
    (copy / "model.safetensors").write_bytes(content)
    with pytest.raises(ConfigError, match="no encoder can be loaded from folder"):
        load(copy)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"model_type": "no-such-model"}', '{"model_type": "bert", "vocab_size": "x"}']
)
def test_a_damaged_configuration_is_refused(copy: Path, content: str) -> None:
    (copy / "config.json").write_text(content)
    with pytest.raises(ConfigError, match="no encoder can be loaded from folder"):
        load(copy)


@pytest.mark.parametrize("content", ["", "{", '{"version": "1.0"}', '{"added_tokens": [], "model": {"type": "new"}}'])
def test_a_damaged_tokenizer_is_refused(copy: Path, content: str) -> None:
    (copy / "tokenizer.json").write_text(content)
    with pytest.raises(ConfigError, match="no encoder can be loaded from folder"):
        load(copy)


def test_a_folder_without_tokenizer_is_refused(copy: Path) -> None:
    for path in copy.glob("*token*"):
        path.unlink()
    with pytest.raises(ConfigError) as caught:
        load(copy)
    assert str(caught.value) == (
        f"the tokenizer of encoder '{copy}' knows no pieces\n"
        f"  where: {copy}\n"
        "  expected: a tokenizer.json, or files that one can be made from\n"
        "  hint: copy the tokenizer's files beside the weights"
    )


def test_a_slow_tokenizer_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class SlowTokenizer:
        is_fast = False

    monkeypatch.setattr(AutoTokenizer, "from_pretrained", lambda *arguments, **options: SlowTokenizer())
    with pytest.raises(ConfigError) as caught:
        load(folder)
    assert str(caught.value) == (
        f"encoder '{folder}' has no fast tokenizer, only SlowTokenizer\n"
        f"  where: {folder}\n"
        "  expected: a tokenizer.json, or files that one can be made from\n"
        "  hint: convert the tokenizer with transformers and save it beside the weights"
    )


def test_a_tokenizer_of_another_model_is_refused(copy: Path, tmp_path: Path) -> None:
    for path in tiny_folder(tmp_path / "other", "roberta").glob("*token*"):
        (copy / path.name).write_bytes(path.read_bytes())
    with pytest.raises(ConfigError) as caught:
        load(copy)
    assert caught.value.what == (
        f"the tokenizer of encoder '{copy}' has pieces up to number 265, the model has embeddings for 207"
    )


def test_special_pieces_that_the_model_does_not_know_are_refused(copy: Path) -> None:
    """Without its configuration a tokenizer makes special pieces of its own, behind all others."""
    (copy / "tokenizer_config.json").unlink()
    with pytest.raises(ConfigError, match=r"has pieces up to number 21\d, the model has embeddings for 207"):
        load(copy)


def test_missing_weights_are_named_not_drawn_at_random(copy: Path) -> None:
    weights = load_file(copy / "model.safetensors")
    lost = [name for name in weights if "layer.1." in name]
    save_file({n: t for n, t in weights.items() if n not in lost}, copy / "model.safetensors", {"format": "pt"})
    with pytest.raises(ConfigError) as caught:
        load(copy)
    error = caught.value
    assert error.what == (
        f"{len(lost)} of the 37 weights of encoder '{copy}' are missing or of another shape: "
        "encoder.layer.1.attention.output.LayerNorm.bias, encoder.layer.1.attention.output.LayerNorm.weight, "
        "encoder.layer.1.attention.output.dense.bias, ..."
    )
    assert error.hint == "check that config.json and the weights belong together"


def test_weights_of_another_size_are_refused(copy: Path) -> None:
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**config, "intermediate_size": 48}))
    with pytest.raises(ConfigError, match=r"6 of the 37 weights of encoder .* are missing or of another shape"):
        load(copy)


def test_windows_longer_than_the_encoder_are_refused(folder: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(folder, max_pieces=POSITIONS + 1)
    assert str(caught.value) == (
        f"max_pieces = 65 is more than encoder '{folder}' can read\n"
        "  where: encoder.max_pieces\n"
        "  expected: at most 64\n"
        "  hint: leave it out: longer sentences are read in overlapping windows"
    )


def test_a_full_window_is_read_by_every_kind_of_position(tmp_path: Path) -> None:
    for kind in ("roberta", "mpnet", "xlm-roberta"):  # they count positions from behind the padding id
        encoder = load(tiny_folder(tmp_path / kind, kind)).eval()
        model = tiny_tagger(encoder)
        vectors = encoder(batch(model, [sentence(" ".join(["to"] * 200))]).inputs)
        assert torch.isfinite(vectors).all()
