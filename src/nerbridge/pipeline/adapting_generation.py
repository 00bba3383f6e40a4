"""The part of an adaptation that generated parameters take: multi-task streams, with the target's labels or without."""

from collections.abc import Mapping
from typing import Any

from nerbridge.pipeline.adapting_multi_task import GENERATION, Given, transfer_table
from nerbridge.pipeline.adapting_steps import EPOCHS

# Without labels the target's tagger is derived from parameters of other streams, so these start alike and stay so.
ZERO_SHOT: Mapping[str, Any] = {"likeness": 0.99, "task_likeness": 0.9, "start": "shared", "embedding_rate": 0.1}
TRAINING: Mapping[str, Any] = {
    "learning_rate": 1e-3,
    "head_learning_rate": 1e-3,
    "weight_decay": 0.0,
    "clip_norm": 5.0,
    "batch_sentences": 30,
    "joint": {"epochs": EPOCHS},
}


def generation_tables(given: Given) -> dict[str, Any]:
    """The tables [context], [transfer] and [training]: tags and language models of every side that there is."""
    training = {key: dict(value) if isinstance(value, dict) else value for key, value in TRAINING.items()}
    return {
        "context": {"kind": GENERATION, **({} if given.labelled else ZERO_SHOT)},
        "transfer": transfer_table(given, ["source", "target"] if given.sourced else ["target"]),
        "training": training,
    }
