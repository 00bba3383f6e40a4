"""Language models as encoders: what is read, what learns, what is refused; and encoders side by side."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from builders import four_sentences, sentence, tiny_encoder, tiny_folder, tiny_language_model, tiny_word_char
from nerbridge.assembly.parts import build_encoder
from nerbridge.config.encoder import (
    ConcatenatedSettings,
    LanguageModelSettings,
    TransformerSettings,
    WordCharSettings,
)
from nerbridge.data.encoder_files import encoder_fingerprint
from nerbridge.encoders.base import Encoder
from nerbridge.encoders.concatenated import ConcatenatedEncoder
from nerbridge.encoders.language_model import LanguageModelEncoder, build_language_model
from nerbridge.encoders.language_model.files import write_model
from nerbridge.encoders.word_char import WordCharEncoder
from nerbridge.errors import ConfigError

HINT = "  hint: train one: nerbridge pretrain TEXT --model elmo --output FOLDER; then encoder.checkpoint=FOLDER"
EXPECTED = (
    "  expected: a folder with config.json, vocabulary.json and model.safetensors, as "
    "`nerbridge pretrain --model elmo` writes it\n"
)


@pytest.fixture(params=["elmo", "flair"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A language model as `nerbridge pretrain` leaves it."""
    encoder = tiny_language_model(request.param)
    write_model(tmp_path / "model", encoder.model, encoder.vectorizer.alphabet)
    return tmp_path / "model"


def vectors(encoder: Encoder, *texts: str) -> Tensor:
    encoder.eval()
    return encoder(encoder.vectorizer.collate(encoder.vectorizer.vectorize([sentence(text) for text in texts])))


def settings(folder: Path, **more: object) -> LanguageModelSettings:
    return LanguageModelSettings.model_validate({"checkpoint": str(folder), **more})


def test_a_folder_gives_the_same_vectors(folder: Path) -> None:
    first = tiny_language_model(json.loads((folder / "config.json").read_text())["model"])
    again = build_language_model(settings(folder))
    assert torch.equal(vectors(first, "ada sang"), vectors(again, "ada sang"))
    assert again.width == 24


def test_a_word_has_read_the_words_around_it(folder: Path) -> None:
    encoder = build_language_model(settings(folder))
    one, two = (vectors(encoder, text)[0, 1] for text in ("ada sang in london", "bob sang in london"))
    assert not torch.allclose(one, two)
    three, four = (vectors(encoder, text)[0, 1] for text in ("ada sang", "ada sang in london"))
    assert not torch.allclose(three, four)
    assert encoder.contextual


def test_it_stays_as_it_is_but_its_mix_learns(folder: Path) -> None:
    encoder = build_language_model(settings(folder, dropout=0))
    encoder.train()
    assert not encoder.model.training
    inputs = encoder.vectorizer.collate(encoder.vectorizer.vectorize(list(four_sentences())))
    assert torch.equal(encoder(inputs), encoder(inputs)), "its own dropout is off"
    encoder(inputs).sum().backward()
    learning = {name for name, parameter in encoder.named_parameters() if parameter.grad is not None}
    assert learning == {name for name, parameter in encoder.named_parameters() if parameter.requires_grad}
    assert learning == ({"mix.scores", "mix.factor"} if encoder.model.num_layers > 1 else {"mix.factor"})
    assert encoder.describe() == (
        f"language model '{folder}': {'elmo' if encoder.model.num_layers > 1 else 'flair'}, 24 wide, stays as it is",
    )


def test_fine_tuned_everything_learns(folder: Path) -> None:
    encoder = build_language_model(settings(folder, fine_tune=True, mix="top"))
    encoder.train()
    assert encoder.model.training
    inputs = encoder.vectorizer.collate(encoder.vectorizer.vectorize(list(four_sentences())))
    encoder(inputs).sum().backward()
    assert all(parameter.grad is not None and parameter.grad.any() for parameter in encoder.parameters())
    assert encoder.describe()[0].endswith("learns too")


def test_odd_words_are_counted_and_read(folder: Path) -> None:
    encoder = build_language_model(settings(folder))
    assert torch.isfinite(vectors(encoder, f"ada wröte {'x' * 300} łĸ")).all()
    report = encoder.vectorizer.report()
    assert (report.sentences, report.words, report.unknown_words, report.shortened_words) == (1, 4, 2, 1)


def _no_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def _other_kind(folder: Path) -> None:
    tiny_folder(folder)


def _no_folder(folder: Path) -> None:
    folder.rename(folder.with_name("moved"))


def _no_config(folder: Path) -> None:
    (folder / "config.json").unlink()


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (_no_folder, "'{0}' is no language model: there is no such folder"),
        (_no_config, "'{0}' is no language model: it has no readable config.json"),
        (_other_kind, "'{0}' is no language model: its config.json is of another kind"),
    ],
)
def test_what_is_no_language_model_is_refused(folder: Path, damage: Callable[[Path], None], what: str) -> None:
    damage(folder)
    with pytest.raises(ConfigError) as fault:
        build_language_model(settings(folder))
    assert str(fault.value) == f"{what.format(folder)}\n  where: {folder}\n{EXPECTED}{HINT}"


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("config.json", '{"kind": "language_model"', "Expecting ',' delimiter: line 1 column 26 (char 25)"),
        ("config.json", '{"kind": "language_model"}', "'characters' is missing"),
        ("vocabulary.json", '{"characters": ', "Expecting value: line 1 column 16 (char 15)"),
        ("vocabulary.json", "{}", "'characters' is missing"),
        ("vocabulary.json", "[]", "'characters' is missing"),
        ("vocabulary.json", '{"characters": 7}', "'characters' is no text"),
    ],
)
def test_a_damaged_file_is_named_with_what_is_wrong_in_it(folder: Path, name: str, content: str, what: str) -> None:
    (folder / name).write_text(content)
    with pytest.raises(ConfigError) as fault:
        build_language_model(settings(folder))
    message = f"{name} of the language model is damaged: {what}"
    assert str(fault.value) == f"{message}\n  where: {folder / name}\n{EXPECTED}{HINT}"


def test_weights_that_are_missing_or_do_not_fit_are_refused(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "hidden": 10}))
    with pytest.raises(ConfigError, match=r"the weights in '.*' do not fit its config.json: size mismatch for "):
        build_language_model(settings(folder))
    (folder / "config.json").write_text(json.dumps(config))
    _no_weights(folder)
    with pytest.raises(ConfigError, match=r"the weights in '.*' do not fit its config.json: No such file"):
        build_language_model(settings(folder))
    (folder / "config.json").write_text(json.dumps({**config, "depth": 3}))
    with pytest.raises(
        ConfigError, match=r"the language model in '.*' cannot be read: not the sizes of this kind: depth"
    ):
        build_language_model(settings(folder))


@pytest.mark.parametrize(
    ("sizes", "what"),
    [
        ({"hidden": 0}, "the language model in '{0}' cannot be read: hidden: "),
        ({"hidden": "wide"}, "the language model in '{0}' cannot be read: hidden: "),
        ({"character_width": -1}, "the language model in '{0}' cannot be read: character_width: "),
        ({"layers": 10**9}, "the language model in '{0}' cannot be read: layers: "),
        ({"hidden": 9_000, "layers": 10}, "the weights in '{0}' do not fit its config.json: size mismatch for "),
        ({"model": []}, "the language model in '{0}' cannot be read: TypeError: "),
        ({"model": "bert"}, "the language model in '{0}' cannot be read: KeyError: 'bert'"),
    ],
)
def test_sizes_that_no_model_has_are_refused_before_memory_is_asked_for(
    folder: Path, sizes: dict[str, object], what: str
) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **sizes}))
    with pytest.raises(ConfigError) as fault:
        build_language_model(settings(folder))
    assert str(fault.value).startswith(what.format(folder))
    assert str(fault.value).endswith(f"\n  where: {folder}\n{EXPECTED}{HINT}")


def test_weights_that_are_no_numbers_are_refused(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    save_file({name: tensor * float("nan") for name, tensor in weights.items()}, folder / "model.safetensors")
    with pytest.raises(ConfigError) as fault:
        build_language_model(settings(folder))
    what = f"the weights in '{folder}' hold NaN or infinity"
    assert str(fault.value) == f"{what}\n  where: {folder}\n{EXPECTED}{HINT}"


def test_a_vocabulary_with_a_character_twice_is_refused(folder: Path) -> None:
    characters = json.loads((folder / "vocabulary.json").read_text())["characters"]
    twice = characters[0] + characters[0] + characters[2:]
    (folder / "vocabulary.json").write_text(json.dumps({"characters": twice}))
    with pytest.raises(ConfigError) as fault:
        build_language_model(settings(folder))
    number = len(characters) + 2
    assert fault.value.what == (
        f"vocabulary.json of '{folder}' has {number - 1} different characters, config.json asks for {number}"
    )


def test_a_vocabulary_of_another_model_is_refused(folder: Path) -> None:
    content = json.loads((folder / "vocabulary.json").read_text())
    (folder / "vocabulary.json").write_text(json.dumps({"characters": content["characters"][:-2]}))
    with pytest.raises(ConfigError) as fault:
        build_language_model(settings(folder))
    number = len(content["characters"]) + 2
    assert str(fault.value) == (
        f"vocabulary.json of '{folder}' has {number - 2} characters, config.json asks for {number}\n"
        f"  where: {folder}\n"
        "  expected: a vocabulary and a model that belong together\n"
        "  hint: copy the folder again whole"
    )


def test_a_language_model_as_transformer_is_told_apart(folder: Path) -> None:
    with pytest.raises(ConfigError) as fault:
        build_encoder(TransformerSettings(checkpoint=str(folder)))
    assert str(fault.value) == (
        f"'{folder}' is no transformer, but a language model of `nerbridge pretrain --model`\n"
        f"  where: {folder}\n"
        "  expected: config.json, tokenizer.json and model.safetensors\n"
        "  hint: --set encoder.kind=language_model"
    )


def test_encoders_side_by_side_say_what_each_says(folder: Path) -> None:
    parts = [tiny_word_char(), build_language_model(settings(folder)), tiny_encoder()]
    encoder = ConcatenatedEncoder(parts)
    assert encoder.width == 16 + 24 + 16
    texts = ("ada sang in london", "bob")
    expected = torch.cat([vectors(part, *texts) for part in parts], dim=2)
    assert torch.equal(vectors(encoder, *texts), expected)
    assert not vectors(encoder, *texts)[1, 1:].any()
    assert encoder.contextual
    assert not ConcatenatedEncoder([tiny_word_char(), tiny_word_char()]).contextual
    assert encoder.describe() == (*parts[0].describe(), *parts[1].describe())


def test_a_part_that_stays_stays_and_words_reach_every_part(folder: Path) -> None:
    given = ConcatenatedSettings(
        parts=(
            WordCharSettings(vectors=None, word_width=12, characters="none"),
            settings(folder),
            TransformerSettings(checkpoint=str(tiny_folder(folder.parent / "bert")), freeze=True),
        )
    )
    encoder = build_encoder(given, words={"ada": 2, "sang": 1}, seed=1)
    assert isinstance(encoder, ConcatenatedEncoder)
    words, model, frozen = encoder.encoders
    assert isinstance(words, WordCharEncoder)
    assert isinstance(model, LanguageModelEncoder)
    encoder.train()
    assert (words.training, model.model.training, frozen.training) == (True, False, False)
    learning = {name.split(".")[1] for name, parameter in encoder.named_parameters() if parameter.requires_grad}
    assert learning == {"0", "1"}
    assert words.vocabulary.learnt == ("ada", "sang")
    encoder.learn_words({"bob": 1}, given, 2)
    assert words.vocabulary.learnt == ("ada", "sang", "bob")
    before = vectors(encoder, "bob sang")
    assert before[0, 0, :12].any()
    report = encoder.vectorizer.report()
    assert (report.words, report.words_without_vector) == (2, 0)
    encoder.save_architecture(folder.parent / "saved")
    again = build_encoder(given, folder=folder.parent / "saved")
    again.load_state_dict(encoder.state_dict())
    assert torch.equal(vectors(again, "bob sang"), before)


def test_the_fingerprint_is_that_of_all_parts(folder: Path) -> None:
    words, model = WordCharSettings(vectors=None), settings(folder)
    both = encoder_fingerprint(ConcatenatedSettings(parts=(words, model)))
    assert both == f"none {encoder_fingerprint(model)}"
    (folder / "vocabulary.json").write_text((folder / "vocabulary.json").read_text() + " ")
    assert encoder_fingerprint(ConcatenatedSettings(parts=(words, model))) != both
