"""The tables of `adapt`'s encoder, and what goes with it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nerbridge.data.encoder_files import is_language_model
from nerbridge.data.packaged_vectors import GLOVE
from nerbridge.errors import ConfigError
from nerbridge.pipeline.adapting_raw import whole

LIGHT = "word_char"  # what --encoder calls word vectors and characters, read by a BiLSTM
LIGHT_TRAINING: Mapping[str, float] = {"learning_rate": 1e-3, "head_learning_rate": 1e-3, "weight_decay": 0.0}
LIGHT_EPOCHS: Mapping[str, Mapping[str, Any]] = {
    "sequential": {"source": {"epochs": 10}},
    "joint": {"joint": {"epochs": 20}},
    "multi_task": {"joint": {"epochs": 20}},
    "self_training": {"joint": {"epochs": 20}},
}


def is_light(encoder: str) -> bool:
    """Is it word vectors and characters, a language model beside them or not?"""
    return encoder == LIGHT or is_language_model(Path(encoder))


def encoder_tables(encoder: str, vectors: str | None, transfer: str) -> dict[str, Any]:
    """The tables that go with the encoder: a light one needs a context, and learns faster and longer.

    A language model stands beside word vectors.
    """
    over_words = is_language_model(Path(encoder))
    if encoder != LIGHT and not over_words:
        if vectors is not None:
            raise ConfigError(
                f"encoder '{encoder}' reads no word vectors",
                where="--vectors",
                expected=f"--vectors with --encoder {LIGHT}",
                hint=f"--encoder {LIGHT} --vectors {vectors}, or drop --vectors",
            )
        return {"encoder": {"kind": "transformer", "checkpoint": _folder_or_name(encoder)}}
    named = vectors in (None, GLOVE, "none")
    place = {} if vectors is None else {"vectors": vectors if named else whole(vectors)}
    training = {**LIGHT_TRAINING, **{stage: dict(keys) for stage, keys in LIGHT_EPOCHS.get(transfer, {}).items()}}
    light: dict[str, Any] = {"kind": LIGHT, **place}
    if over_words:
        model = {"kind": "language_model", "checkpoint": whole(encoder)}
        light = {"kind": "concatenated", "parts": [light, model]}
    return {"encoder": light, "context": {"kind": "bilstm"}, "training": training}


def _folder_or_name(encoder: str) -> str:
    """A folder as an absolute path, so that the recipe runs from anywhere."""
    return whole(encoder) if Path(encoder).is_dir() else encoder
