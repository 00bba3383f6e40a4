"""Folders of language models: config.json, vocabulary.json and, beside them, model.safetensors."""

import errno
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from nerbridge.encoders.language_model.character_model import CharacterModel
from nerbridge.encoders.language_model.sizes import KINDS, ElmoSizes, Sizes
from nerbridge.encoders.language_model.word_model import WordModel
from nerbridge.encoders.word_char.vocabulary import CharacterVocabulary
from nerbridge.errors import ConfigError

CONFIG, VOCABULARY, WEIGHTS = "config.json", "vocabulary.json", "model.safetensors"
KIND = "language_model"


def new_model(sizes: Sizes, num_characters: int) -> WordModel | CharacterModel:
    """A model with random weights. num_characters: ids, padding included."""
    if isinstance(sizes, ElmoSizes):
        return WordModel(sizes, num_characters)
    return CharacterModel(sizes, num_characters)


def model_name(model: WordModel | CharacterModel) -> str:
    """elmo or flair."""
    return "elmo" if isinstance(model, WordModel) else "flair"


def write_architecture(folder: Path, model: WordModel | CharacterModel, alphabet: CharacterVocabulary) -> None:
    """Write kind and sizes, and every character."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {"kind": KIND, "model": model_name(model), "characters": len(alphabet), **asdict(model.sizes)}
    content = {"characters": alphabet.characters}
    (folder / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    (folder / VOCABULARY).write_text(json.dumps(content) + "\n", encoding="utf-8")


def write_model(folder: Path, model: WordModel | CharacterModel, alphabet: CharacterVocabulary) -> None:
    """Write config, vocabulary and weights. Raises OSError when the disk refuses."""
    write_architecture(folder, model, alphabet)
    try:
        weights = {name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()}
        save_file(weights, folder / WEIGHTS)
    except SafetensorError as error:  # the disk is full, most likely
        raise OSError(errno.EIO, str(error), str(folder)) from error


def read_architecture(folder: Path) -> tuple[WordModel | CharacterModel, CharacterVocabulary]:
    """A model with random weights, and the characters it knows.

    Raises ConfigError when the folder holds no language model, or files that do not belong together.
    """
    config = _config(folder)
    try:
        alphabet = CharacterVocabulary(str(_json(folder / VOCABULARY)["characters"]))
        sizes = KINDS[config["model"]](**{k: v for k, v in config.items() if k not in ("kind", "model", "characters")})
        expected = int(config["characters"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _fault(f"the language model in '{folder}' cannot be read: {error!r}", folder) from error
    if len(alphabet) != expected:
        raise ConfigError(
            f"{VOCABULARY} of '{folder}' has {len(alphabet)} characters, {CONFIG} asks for {expected}",
            where=str(folder),
            expected="a vocabulary and a model that belong together",
            hint="copy the folder again whole",
        )
    return new_model(sizes, len(alphabet)), alphabet


def read_model(folder: Path) -> tuple[WordModel | CharacterModel, CharacterVocabulary]:
    """The model that `nerbridge pretrain` wrote to `folder`, and the characters it knows. Raises ConfigError."""
    with torch.random.fork_rng(devices=[]):
        model, alphabet = read_architecture(folder)
    try:
        model.load_state_dict(load_file(folder / WEIGHTS))
    except (SafetensorError, OSError, RuntimeError) as error:
        reason = str(error).splitlines()[-1].strip()
        raise _fault(f"the weights in '{folder}' do not fit its {CONFIG}: {reason}", folder) from error
    return model, alphabet


def _config(folder: Path) -> dict[str, Any]:
    try:
        config = _json(folder / CONFIG)
    except (OSError, ValueError) as error:
        what = "there is no such folder" if not folder.is_dir() else f"it has no readable {CONFIG}"
        raise _fault(f"'{folder}' is no language model: {what}", folder) from error
    if not isinstance(config, dict) or config.get("kind") != KIND:
        raise _fault(f"'{folder}' is no language model: its {CONFIG} is of another kind", folder)
    return config


def _fault(what: str, folder: Path) -> ConfigError:
    return ConfigError(
        what,
        where=str(folder),
        expected=f"a folder with {CONFIG}, {VOCABULARY} and {WEIGHTS}, as `nerbridge pretrain --model elmo` writes it",
        hint="train one: nerbridge pretrain TEXT --model elmo --output FOLDER; then encoder.checkpoint=FOLDER",
    )


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
