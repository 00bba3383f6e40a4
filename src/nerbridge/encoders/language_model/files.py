"""Folders of language models: config.json, vocabulary.json and, beside them, model.safetensors."""

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import torch
from pydantic import ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from nerbridge.data.writing import refusal_in_text
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
    except SafetensorError as error:
        raise refusal_in_text(error) from error


def read_architecture(folder: Path) -> tuple[WordModel | CharacterModel, CharacterVocabulary]:
    """A model with random weights, and the characters it knows.

    Raises ConfigError when the folder holds no language model, or files that do not belong together.
    """
    sizes, alphabet = _sizes_and_alphabet(folder)
    return new_model(sizes, len(alphabet)), alphabet


def read_model(folder: Path) -> tuple[WordModel | CharacterModel, CharacterVocabulary]:
    """The model that `nerbridge pretrain` wrote to `folder`, and the characters it knows. Raises ConfigError."""
    sizes, alphabet = _sizes_and_alphabet(folder)
    try:
        weights = load_file(folder / WEIGHTS)
        with torch.device("meta"):  # sizes are compared before any memory is asked for
            empty = {name: tensor.to("meta") for name, tensor in weights.items()}
            new_model(sizes, len(alphabet)).load_state_dict(empty)
    except (SafetensorError, OSError, RuntimeError) as error:
        reason = str(error).splitlines()[-1].strip()
        raise _fault(f"the weights in '{folder}' do not fit its {CONFIG}: {reason}", folder) from error
    if not all(bool(tensor.isfinite().all()) for tensor in weights.values()):
        raise _fault(f"the weights in '{folder}' hold NaN or infinity", folder)
    with torch.random.fork_rng(devices=[]):
        model = new_model(sizes, len(alphabet))
    model.load_state_dict(weights)
    return model, alphabet


def _sizes_and_alphabet(folder: Path) -> tuple[Sizes, CharacterVocabulary]:
    config = _config(folder)
    if absent := {"model", "characters"} - config.keys():
        raise _fault(f"{CONFIG} of the language model is damaged: '{min(absent)}' is missing", folder / CONFIG)
    try:
        sizes = _sizes(config)
        expected = int(config["characters"])
    except (ValueError, KeyError, TypeError) as error:
        reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise _fault(f"the language model in '{folder}' cannot be read: {reason}", folder) from error
    alphabet = _alphabet(folder)
    if len(alphabet) != expected or len(alphabet.index) + 2 != expected:
        distinct = " different" if len(alphabet) == expected else ""
        raise ConfigError(
            f"{VOCABULARY} of '{folder}' has {len(alphabet.index) + 2 if distinct else len(alphabet)}{distinct} "
            f"characters, {CONFIG} asks for {expected}",
            where=str(folder),
            expected="a vocabulary and a model that belong together",
            hint="copy the folder again whole",
        )
    return sizes, alphabet


def _alphabet(folder: Path) -> CharacterVocabulary:
    try:
        content = _json(folder / VOCABULARY)
    except OSError as error:
        raise _fault(f"the language model in '{folder}' cannot be read: {error}", folder) from error
    characters = content.get("characters") if isinstance(content, dict) else None
    if not isinstance(characters, str):
        state = "is no text" if isinstance(content, dict) and "characters" in content else "is missing"
        raise _fault(f"{VOCABULARY} of the language model is damaged: 'characters' {state}", folder / VOCABULARY)
    return CharacterVocabulary(characters)


def _sizes(config: dict[str, Any]) -> Sizes:
    """Sizes in the range that settings have. Raises ValueError, KeyError or TypeError for others."""
    kind, settings = KINDS[config["model"]]
    given = {name: value for name, value in config.items() if name not in ("kind", "model", "characters")}
    if odd := given.keys() ^ {field.name for field in fields(kind)}:
        raise ValueError(f"not the sizes of this kind: {', '.join(sorted(odd))}")
    try:
        sound = settings.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"{first['loc'][0]}: {first['msg']}") from error
    return kind(**{name: getattr(sound, name) for name in given})


def _config(folder: Path) -> dict[str, Any]:
    try:
        config = _json(folder / CONFIG)
    except OSError as error:
        what = "there is no such folder" if not folder.is_dir() else f"it has no readable {CONFIG}"
        raise _fault(f"'{folder}' is no language model: {what}", folder) from error
    if not isinstance(config, dict) or config.get("kind") != KIND:
        raise _fault(f"'{folder}' is no language model: its {CONFIG} is of another kind", folder)
    return config


def _fault(what: str, place: Path) -> ConfigError:
    return ConfigError(
        what,
        where=str(place),
        expected=f"a folder with {CONFIG}, {VOCABULARY} and {WEIGHTS}, as `nerbridge pretrain --model elmo` writes it",
        hint="train one: nerbridge pretrain TEXT --model elmo --output FOLDER; then encoder.checkpoint=FOLDER",
    )


def _json(path: Path) -> Any:
    """Raises OSError for a file that is not there, ConfigError for one that is no JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise _fault(f"{path.name} of the language model is damaged: {error}", path) from error
