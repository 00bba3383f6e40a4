"""Any encoder gets a head that fills masked pieces, and is saved so that every tool loads it."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_text import small_settings
from transformers import AutoModel, AutoModelForMaskedLM, AutoTokenizer

from builders import TINY_KINDS, tiny_config, tiny_folder, tiny_tokenizer
from nerbridge.config.encoder import TransformerSettings
from nerbridge.encoders.transformer import build_transformer
from nerbridge.errors import ConfigError
from nerbridge.pretraining.batch import MaskedRows
from nerbridge.pretraining.loading import load_masked_model, save_encoder
from nerbridge.pretraining.model import HeadedEncoder, MaskedLanguageModel, masked_loss


def loaded(folder: Path, **changes: Any) -> tuple[MaskedLanguageModel, Any]:
    return load_masked_model(TransformerSettings(checkpoint=str(folder)), small_settings(**changes))


def masked_folder(folder: Path, kind: str) -> Path:
    torch.manual_seed(0)
    AutoModelForMaskedLM.from_config(tiny_config(kind)).save_pretrained(folder)
    tiny_tokenizer(kind).save_pretrained(folder)
    return folder


def rows(width: int = 9) -> MaskedRows:
    pieces = torch.randint(5, 40, (3, width), generator=torch.Generator().manual_seed(1))
    attended = torch.ones(3, width, dtype=torch.bool)
    attended[1, 5:] = False
    return MaskedRows(pieces, attended, torch.tensor([1, 4, 11, 20]), torch.tensor([9, 8, 7, 6]), 23)


@pytest.mark.parametrize("kind", TINY_KINDS)
def test_logits_at_masked_positions_are_those_of_the_whole_rows(tmp_path: Path, kind: str) -> None:
    model, _ = loaded(masked_folder(tmp_path / "e", kind))
    assert not model.new_head
    assert model.sparse, "the head must not need the other positions"
    model.eval()
    batch = rows()
    with torch.no_grad():
        assert batch.attended is not None
        whole = model.model(input_ids=batch.pieces, attention_mask=batch.attended.long()).logits
        expected = whole.flatten(0, 1)[batch.positions]
        torch.testing.assert_close(model(batch), expected)
        model.sparse = False
        torch.testing.assert_close(model(batch), expected)


@pytest.mark.parametrize("kind", TINY_KINDS)
def test_a_new_head_is_tied_and_the_folder_loads_everywhere(tmp_path: Path, kind: str) -> None:
    model, tokenizer = loaded(tiny_folder(tmp_path / "e", kind))
    assert model.new_head
    loss = masked_loss(model(rows()), rows().targets)
    torch.autograd.backward(loss)
    embeddings = model.encoder.get_input_embeddings().weight  # type: ignore[operator]
    assert model.model.get_output_embeddings().weight is embeddings  # type: ignore[operator]
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.01)
    model.eval()
    folder = tmp_path / "out"
    save_encoder(model, tokenizer, folder)
    encoder = AutoModel.from_pretrained(folder).eval()
    headed = AutoModelForMaskedLM.from_pretrained(folder).eval()
    assert AutoTokenizer.from_pretrained(folder).mask_token_id == tokenizer.mask_token_id
    batch = rows()
    with torch.no_grad():
        states = model.encoder(input_ids=batch.pieces).last_hidden_state
        torch.testing.assert_close(encoder(input_ids=batch.pieces).last_hidden_state, states)
        logits = model.model(input_ids=batch.pieces)[0]
        torch.testing.assert_close(headed(input_ids=batch.pieces).logits, logits)
    ours = build_transformer(TransformerSettings(checkpoint=str(folder)))
    with torch.no_grad():
        torch.testing.assert_close(ours.eval().model(input_ids=batch.pieces).last_hidden_state, states)


def test_equal_seeds_make_equal_new_heads(tmp_path: Path) -> None:
    folder = tiny_folder(tmp_path / "e")
    one, two, other = (loaded(folder, seed=seed)[0].state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert not all(torch.equal(one[name], other[name]) for name in one)


def test_a_frozen_encoder_gets_no_gradient(tmp_path: Path) -> None:
    model, _ = loaded(tiny_folder(tmp_path / "e"))
    model.train()
    model.freeze_encoder(True)
    torch.autograd.backward(masked_loss(model(rows()), rows().targets))
    assert all(parameter.grad is None for parameter in model.encoder.parameters())
    learning = [name for name, parameter in model.named_parameters() if parameter.requires_grad]
    assert learning
    assert all(name.startswith("model.cls") for name in learning)
    assert not model.encoder.training
    model.freeze_encoder(False)
    assert all(parameter.requires_grad for parameter in model.parameters())
    assert model.encoder.training


def test_encoders_that_transformers_has_no_head_for_get_ours(tmp_path: Path) -> None:
    encoder = AutoModel.from_config(tiny_config("bert"))
    encoder.pooler = None
    model = MaskedLanguageModel(HeadedEncoder(encoder), new_head=True)
    assert model.sparse
    batch = rows()
    torch.autograd.backward(masked_loss(model(batch), batch.targets))
    assert all(parameter.grad is not None for parameter in model.parameters())
    save_encoder(model, tiny_tokenizer("bert"), tmp_path / "out")
    again = AutoModel.from_pretrained(tmp_path / "out", add_pooling_layer=False).eval()
    with torch.no_grad():
        expected = encoder.eval()(input_ids=batch.pieces).last_hidden_state
        torch.testing.assert_close(again(input_ids=batch.pieces).last_hidden_state, expected)


def test_a_head_that_reads_all_positions_gets_all(tmp_path: Path) -> None:
    class Blurred(HeadedEncoder):
        def forward(self, **inputs: Any) -> Any:
            states = self.base_model(**inputs)[0]
            return (self.head(states + states.mean(1, keepdim=True)),)

    encoder = AutoModel.from_config(tiny_config("bert"))
    model = MaskedLanguageModel(Blurred(encoder), new_head=True)
    assert not model.sparse
    assert model(rows()).shape[0] == 4


def test_an_encoder_without_a_mask_is_refused(tmp_path: Path) -> None:
    folder = tiny_folder(tmp_path / "e")
    path = folder / "tokenizer_config.json"
    settings = json.loads(path.read_text())
    path.write_text(json.dumps({key: value for key, value in settings.items() if key != "mask_token"}))
    with pytest.raises(ConfigError) as fault:
        loaded(folder)
    assert str(fault.value) == (
        f"the tokenizer of encoder '{folder}' has no mask\n"
        f"  where: {folder}\n"
        "  expected: a tokenizer with a mask token, such as [MASK] or <mask>\n"
        "  hint: take an encoder that was trained by masked language modelling"
    )


def test_an_encoder_without_tokenizer_or_weights_is_refused(tmp_path: Path) -> None:
    folder = tiny_folder(tmp_path / "e")
    for path in folder.glob("tokenizer*"):
        path.unlink()
    with pytest.raises(ConfigError):
        loaded(folder)
    other = tiny_folder(tmp_path / "f")
    (other / "model.safetensors").unlink()
    with pytest.raises(ConfigError, match="no encoder can be loaded from folder"):
        loaded(other)


def test_rows_longer_than_the_encoder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as fault:
        loaded(tiny_folder(tmp_path / "e"), length=65)
    assert str(fault.value) == (
        f"length = 65 is more than encoder '{tmp_path / 'e'}' can read\n"
        "  where: pretraining.length\n"
        "  expected: at most 64\n"
        "  hint: --set length=64 (pretrain), --set pretraining.length=64 (adapt, train)"
    )
